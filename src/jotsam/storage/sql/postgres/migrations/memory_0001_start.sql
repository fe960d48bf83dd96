create table document (
  id bigint generated always as identity primary key,
  uuid text not null unique,
  tenant text not null,
  project text,
  source text,
  key text,
  actor text,
  session text,
  date bigint,
  date_by text, -- 'file': that is when a file was changed last; null: whoever handed it in says so
  job_id bigint not null,
  created_at bigint not null,
  cut_at bigint, -- when its chunks became memories; until then its whole text stands in the index
  -- From when on another document holds in its place, and which.
  superseded_at bigint,
  superseded_by bigint references document (id) on delete set null,
  body text not null -- last, for what stands behind a long text is slow to read
);

create unique index document_key on document (tenant, key) where key is not null;
create index document_source on document (tenant, source, id) where source is not null;
create index document_waiting on document (tenant, source) where cut_at is null;
create index document_uncut on document (tenant, id) where cut_at is null;

create table memory (
  id bigint generated always as identity primary key,
  uuid text not null unique,
  tenant text not null,
  project text,
  document_id bigint references document (id) on delete cascade,
  position bigint,
  line bigint, -- of its document, as that was kept: where it begins
  section text not null default '',
  body text not null,
  summary text,
  type text,
  importance double precision check (importance between 0 and 1),
  confidence double precision check (confidence between 0 and 1),
  metadata text,
  actor text,
  session text,
  source text,
  said_at bigint,
  valid_from bigint,
  valid_until bigint,
  own_id text,
  key text,
  job_id bigint not null,
  created_at bigint not null,
  enriched_at bigint,
  superseded_at bigint, -- from when on it holds no more, because another holds in its place
  superseded_by bigint references memory (id) on delete set null, -- which that is, where one is known
  superseded_how text, -- 'facts': a later one holds for all it says; 'kept': somebody took that back; 'source': by a
  -- later text of its source; null: otherwise
  extractor text, -- who has read it last: the rules or a model, with the versions of its prompt and schema
  degraded text, -- why it was read by rules alone although a model was to read it
  rejected text, -- what of its reading was not believed, and why: a list in JSON
  type_by text, -- who found its type, where a caller gave none
  importance_by text,
  confidence_by text
);

create unique index memory_key on memory (tenant, key) where key is not null;
create unique index memory_own_id on memory (tenant, own_id) where own_id is not null;
create unique index memory_document on memory (document_id, position) where document_id is not null;
-- The order in which a conversation was held; what was imported later may stand between what was there before.
create index memory_session on memory (tenant, session, coalesce(said_at, created_at), coalesce(position, 0), id)
where session is not null;
-- It holds all that a count of what is current asks for.
create index memory_tenant on memory (tenant, id, project, valid_from, valid_until, superseded_at, said_at, created_at);
create index memory_type on memory (tenant, lower(type)) where type is not null;
create index memory_not_enriched on memory (tenant) where enriched_at is null;
create index memory_degraded on memory (tenant) where degraded is not null;
create index memory_superseded_by on memory (superseded_by) where superseded_by is not null;

create table memory_tag (
  tenant text not null,
  tag text not null,
  memory_id bigint not null references memory (id) on delete cascade,
  extractor text, -- who found it; null where a caller gave it
  primary key (tenant, tag, memory_id)
);

create index memory_tag_memory on memory_tag (memory_id);
-- A tag is asked for without regard to case.
create index memory_tag_lower on memory_tag (tenant, (lower(tag)));

-- One row for each key and value of a memory's metadata: a hash of both, for a value may be of any length.
create table memory_mark (
  tenant text not null,
  mark text not null,
  memory_id bigint not null references memory (id) on delete cascade,
  primary key (tenant, mark, memory_id)
);

create index memory_mark_memory on memory_mark (memory_id);

create table entity (
  id bigint generated always as identity primary key,
  tenant text not null,
  category text not null,
  slug text not null,
  name text not null,
  canonical_id bigint references entity (id) on delete set null, -- the entity of which a person said that it is the same
  unique (tenant, category, slug)
);

-- What one reader takes for a person and another for a tool is the same thing.
create index entity_slug on entity (tenant, slug);

create table mention (
  memory_id bigint not null references memory (id) on delete cascade,
  entity_id bigint not null references entity (id) on delete cascade,
  extractor text, -- who found it; null where a person said so
  confidence double precision,
  primary key (entity_id, memory_id)
);

create index mention_memory on mention (memory_id);

-- What a memory is called: its title, or who said it. What mentions an entity of that name is joined to it.
create table title (
  tenant text not null,
  slug text not null,
  memory_id bigint not null references memory (id) on delete cascade,
  primary key (tenant, slug, memory_id)
);

create index title_memory on title (memory_id);

create table link (
  source_id bigint not null references memory (id) on delete cascade,
  target_id bigint not null references memory (id) on delete cascade,
  type text not null,
  weight double precision not null,
  created_at bigint not null,
  extractor text, -- who found it; null where a caller made it
  primary key (source_id, type, target_id)
);

create index link_target on link (target_id, type);

-- What looks like a secret and is none, by its fingerprint, and why somebody says so.
create table allowed (
  tenant text not null,
  fingerprint text not null,
  reason text not null,
  created_at bigint not null,
  primary key (tenant, fingerprint)
);

-- What was taken out of what was accepted, and where it stood: never the secret itself. Of what could be guessed by its
-- fingerprint there is none.
create table redaction (
  id bigint generated always as identity primary key,
  tenant text not null,
  document_id bigint references document (id) on delete cascade,
  memory_id bigint references memory (id) on delete cascade,
  kind text not null,
  place text not null, -- a line of the text as it is kept, or a field beside it
  fingerprint text,
  created_at bigint not null
);

create index redaction_tenant on redaction (tenant, id);
create index redaction_document on redaction (document_id) where document_id is not null;
create index redaction_memory on redaction (memory_id) where memory_id is not null;
create index redaction_fingerprint on redaction (tenant, fingerprint) where fingerprint is not null;

-- When what a memory tells of may have been: the days that it names, then the day and the month in which it was said.
create table period (
  memory_id bigint not null references memory (id) on delete cascade,
  tenant text not null,
  first bigint not null,
  until bigint not null,
  named integer not null, -- 1 where the memory names them, 0 where it was only said then
  primary key (memory_id, first, until)
);

-- What a memory tells of is found by its time, as what was said then is. The condition always holds: it keeps a planner
-- from taking the index for a tenant's memories as such.
create index period_named on period (tenant, first, until) where named = 1;
create index memory_said on memory (tenant, (coalesce(said_at, created_at)))
where coalesce(said_at, created_at) is not null;

-- What a memory is about, in a few words, by which patterns are found among the latest of its type.
create table theme (
  memory_id bigint primary key references memory (id) on delete cascade,
  tenant text not null,
  type text not null,
  terms text not null -- apart by spaces
);

create index theme_latest on theme (tenant, type, memory_id);

-- The types of which themes are noted. Whoever notes one holds the row until the commit: two that do it at the same time
-- would each overlook the other, and a theme of three could stay unseen.
create table theme_type (
  tenant text not null,
  type text not null,
  noted_at bigint not null,
  primary key (tenant, type)
);

-- Themes that recur among memories of one type, and the memories that show them.
create table pattern (
  id bigint generated always as identity primary key,
  tenant text not null,
  type text not null,
  slug text not null,
  terms text not null, -- the words that those memories share, the theme first, apart by spaces
  created_at bigint not null,
  unique (tenant, type, slug)
);

create table exemplifies (
  pattern_id bigint not null references pattern (id) on delete cascade,
  memory_id bigint not null references memory (id) on delete cascade,
  at bigint not null, -- when the memory was said
  primary key (pattern_id, memory_id)
);

create index exemplifies_memory on exemplifies (memory_id);
create index memory_handed_in on memory (tenant, project, id) where document_id is null;

-- What memories say, as triples. The keys are the words in lower case, by which they are looked for.
create table fact (
  id bigint generated always as identity primary key,
  uuid text not null unique, -- made of its memory and its keys, so it is the same when that is read again
  tenant text not null,
  memory_id bigint not null references memory (id) on delete cascade,
  subject text not null,
  predicate text not null,
  object text not null,
  subject_key text not null,
  object_key text not null,
  confidence double precision not null check (confidence between 0 and 1),
  valid_from bigint,
  valid_until bigint,
  extractor text not null,
  created_at bigint not null,
  -- From when on another fact holds in its place, of which memory: of some predicates a subject has one object at a time.
  superseded_at bigint,
  superseded_by bigint references memory (id) on delete set null,
  superseded_how text -- 'hand': somebody ended it; 'kept': somebody brought it back; null: a later one ended it, or none
);

create unique index fact_memory on fact (memory_id, subject_key, predicate, object_key);
create index fact_subject on fact (tenant, subject_key, predicate);
create index fact_superseded_by on fact (superseded_by) where superseded_by is not null;
create index fact_object on fact (tenant, object_key, predicate, subject_key);

-- What models have answered, by a hash of all that they were asked: what was paid for once is not asked again.
create table reading (
  tenant text not null,
  key text not null,
  body text not null, -- '' while it is asked
  extractor text not null, -- who has answered, or who asks
  created_at bigint not null,
  used_at bigint not null, -- to the day: what nobody asks for any more is forgotten; or until when it is believed to be asked
  primary key (tenant, key)
);

create index reading_used on reading (tenant, used_at);

-- One row for every request that may cost something, written before it is made. One that stayed open is counted as it
-- was estimated: its process died, and nobody knows what the provider counted.
create table ledger (
  id bigint generated always as identity primary key,
  tenant text not null,
  day bigint not null, -- days since 1970, UTC
  job_id bigint not null, -- 0 where no job asked, but a question
  model text not null,
  purpose text not null, -- reading, embedding, or question
  state text not null check (state in ('open', 'done')),
  tokens_in bigint not null,
  tokens_cached bigint not null default 0,
  tokens_out bigint not null,
  cost double precision not null, -- in the currency of the prices
  created_at bigint not null
);

create index ledger_day on ledger (tenant, day, model);
create index ledger_job on ledger (tenant, job_id) where job_id > 0;

-- What all tenants together have spent or reserved on a day: the cap is one, as the bill is.
create table spending (
  day bigint primary key,
  tokens bigint not null,
  cost double precision not null,
  -- Of these: what requests that run now may give back, and when that last changed. What has not changed for long is of a
  -- process that died.
  reserved_tokens bigint not null,
  reserved_cost double precision not null,
  moved_at bigint not null
);
-- What has made vectors: its name tells them from those of every other model. `version` rises with every batch that is
-- saved, so that a copy in memory knows what it lacks.
create table embedder (
  id bigint generated always as identity primary key,
  name text not null unique,
  dimension bigint not null,
  place text not null,
  version bigint not null default 0,
  created_at bigint not null
);

-- The vector of a memory: little-endian float32, of length 1. Where another is wanted, the old one serves meanwhile.
create table embedding (
  memory_id bigint primary key references memory (id) on delete cascade,
  tenant text not null,
  embedder_id bigint references embedder (id),
  version bigint,
  bytes bytea,
  error text, -- why this text cannot be embedded
  wanted bigint not null
);

create index embedding_version on embedding (tenant, embedder_id, version) where bytes is not null;
create index embedding_wanted on embedding (tenant, memory_id) where wanted = 1;
create index embedding_failed on embedding (tenant) where error is not null;

-- With pgvector the server compares vectors itself, in a copy of its own type; without it, each process does. The copy
-- is made when pgvector is there, now or later, and can be thrown away. Where it may not be installed, that is no error.
create function index_vectors() returns boolean
language plpgsql as $$
begin
  if to_regclass(current_schema() || '.embedding_index') is not null then
    return true;
  end if;
  if to_regtype('vector') is null then
    begin
      create extension if not exists vector with schema public;
    exception when others then
      return false;
    end;
  end if;
  if to_regtype('vector') is null then
    return false;
  end if;
  create table embedding_index (
    memory_id bigint primary key references embedding (memory_id) on delete cascade,
    tenant text not null,
    embedder_id bigint not null,
    value vector not null
  );
  create index embedding_index_tenant on embedding_index (tenant, embedder_id);
  alter table embedding_index enable row level security, force row level security;
  create policy wall on embedding_index using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
  return true;
end
$$;
select index_vectors();

create function index_vector(memory bigint, embedder bigint, listed text) returns void
language plpgsql as $$
begin
  if to_regclass(current_schema() || '.embedding_index') is not null then
    insert into embedding_index (memory_id, tenant, embedder_id, value)
    values (memory, current_setting('jotsam.tenant'), embedder, cast(listed as vector))
    on conflict (memory_id) do update
    set embedder_id = excluded.embedder_id, value = excluded.value;
  end if;
end
$$;

-- The words of every memory under its id, and of every document that still waits to be cut under its negative id.
-- A long text is cut into parts, for one tsvector holds at most a megabyte. Its tenant is that of the transaction. The
-- key begins with the reference, and so nothing but the index of lexemes can be taken for a search.
create table words (
  tenant text not null default nullif(current_setting('jotsam.tenant', true), ''),
  ref bigint not null,
  part bigint not null,
  lexemes tsvector not null,
  primary key (ref, part)
);

-- What was written last waits in a list, else each memory would leave ten times as much in the log. Every search reads
-- the list, and whoever fills it empties it: so it is short.
create index words_lexemes on words using gin (lexemes) with (fastupdate = on, gin_pending_list_limit = 256);

-- What a transaction's tenant puts before its lexemes. One index holds those of all tenants, and what is common among
-- all would cost each of them: so nearly every tenant has keys of its own. Two that share a tag only cost each other.
create function tag() returns text
language sql stable parallel safe
return left(encode(sha256(convert_to(current_setting('jotsam.tenant'), 'utf8')), 'base64'), 3);

-- Lexemes with the tag. `bare` leaves no spaces and no quotes in them. One of 2,000 bytes and more is no word, and with a
-- tag it could be longer than a lexeme may be.
create function tagged(lexemes tsvector) returns tsvector
language sql stable parallel safe
return cast(
  replace(
    ' ' || cast(
      ts_delete(lexemes, array(select one from unnest(tsvector_to_array(lexemes)) one where octet_length(one) >= 2000))
      as text
    ),
    ' ''', ' ''' || tag()
  )
  as tsvector
);

-- English stems, but no stop words: the question leaves them out, and may consist of nothing else.
create text search dictionary jotsam_english (template = snowball, language = english);
create text search configuration jotsam (copy = pg_catalog.english);
alter text search configuration jotsam
alter mapping for asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
with jotsam_english;

-- A text as its words alone: without accents, and with every sign that joins words made a space, so that the parser
-- finds no addresses, versions or paths, and "foo_bar.py" is three words, as it is in a question.
create function bare(body text) returns text
language sql immutable parallel safe
return regexp_replace(
  regexp_replace(normalize(body, nfd), '[\u0300-\u036f]', '', 'g'),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g'
);

-- The wall between tenants. A transaction says whose it is, and sees nothing else; one that says nothing sees nothing.
-- It is forced, so that it holds for the owner of the tables too. Only a superuser passes through.
alter table document enable row level security, force row level security;
create policy wall on document using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table memory enable row level security, force row level security;
create policy wall on memory using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table memory_tag enable row level security, force row level security;
create policy wall on memory_tag using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table memory_mark enable row level security, force row level security;
create policy wall on memory_mark using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table period enable row level security, force row level security;
create policy wall on period using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table title enable row level security, force row level security;
create policy wall on title using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table entity enable row level security, force row level security;
create policy wall on entity using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table fact enable row level security, force row level security;
create policy wall on fact using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table reading enable row level security, force row level security;
create policy wall on reading using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table ledger enable row level security, force row level security;
create policy wall on ledger using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table embedding enable row level security, force row level security;
create policy wall on embedding using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table theme_type enable row level security, force row level security;
create policy wall on theme_type using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table allowed enable row level security, force row level security;
create policy wall on allowed using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table redaction enable row level security, force row level security;
create policy wall on redaction using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table pattern enable row level security, force row level security;
create policy wall on pattern using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table theme enable row level security, force row level security;
create policy wall on theme using (tenant = nullif(current_setting('jotsam.tenant', true), ''));

-- A search says what it seeks in a setting, and the policy asks the index for it: `@@` is not marked leakproof, so behind
-- a wall no index is asked by what stands in a query. The tenant is compared whatever is sought. Who seeks nothing sees
-- all that is its tenant's, for every text lacks the word `-`.
alter table words enable row level security, force row level security;
create policy wall on words
using (
  tenant = nullif(current_setting('jotsam.tenant', true), '')
  and lexemes @@ cast(coalesce(nullif(current_setting('jotsam.sought', true), ''), '!''-''') as tsquery)
)
with check (tenant = nullif(current_setting('jotsam.tenant', true), ''));

-- How well each part of a text of the tenant fits each term of a JSON list, a tsquery each, by its place in the list from
-- 1. It asks for one term after the other: the index finds the texts of each, and none is looked at for what it lacks.
-- Behind the wall the policy is all that is asked: the same condition again would unpack every text a second time. Who
-- passes through the wall has to say it.
create function fitting(terms text) returns table (ref bigint, place bigint, rank real)
language plpgsql rows 10000 as $$
declare
  is_walled boolean := row_security_active('words');
  term record;
begin
  for term in
    select cast(value as tsquery) as sought, ordinality
    from json_array_elements_text(cast(terms as json)) with ordinality
  loop
    if is_walled then
      perform set_config('jotsam.sought', cast(term.sought as text), true);
      return query
        select w.ref, term.ordinality, ts_rank('{0, 1, 0.6, 1}', w.lexemes, term.sought, 1)
        from words w;
    else
      return query
        select w.ref, term.ordinality, ts_rank('{0, 1, 0.6, 1}', w.lexemes, term.sought, 1)
        from words w
        where w.tenant = current_setting('jotsam.tenant') and w.lexemes @@ term.sought;
    end if;
  end loop;
  perform set_config('jotsam.sought', '', true);
end
$$;

-- These belong to whom their ends belong to, and the ends stand behind the wall themselves.
alter table mention enable row level security, force row level security;
create policy wall on mention using (
  exists (select 1 from memory m where m.id = memory_id) and exists (select 1 from entity e where e.id = entity_id)
);
alter table link enable row level security, force row level security;
create policy wall on link using (
  exists (select 1 from memory m where m.id = source_id) and exists (select 1 from memory m where m.id = target_id)
);
alter table exemplifies enable row level security, force row level security;
create policy wall on exemplifies using (exists (select 1 from memory m where m.id = memory_id));
