create table document (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  source text,
  key text,
  actor text,
  session text,
  date integer,
  date_by text, -- 'file': that is when a file was changed last; null: whoever handed it in says so
  job_id integer not null,
  created_at integer not null,
  cut_at integer, -- when its chunks became memories; until then its whole text stands in the index
  -- From when on another document holds in its place, and which.
  superseded_at integer,
  superseded_by integer references document (id) on delete set null,
  body text not null -- last, for what stands behind a long text is slow to read
) strict;

create unique index document_key on document (tenant, key) where key is not null;
create index document_source on document (tenant, source, id) where source is not null;
create index document_waiting on document (tenant, source) where cut_at is null;

create table memory (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  document_id integer references document (id) on delete cascade,
  position integer,
  line integer, -- of its document, as that was kept: where it begins
  section text not null default '',
  body text not null,
  summary text,
  type text,
  importance real check (importance between 0 and 1),
  confidence real check (confidence between 0 and 1),
  metadata text,
  actor text,
  session text,
  source text,
  said_at integer,
  valid_from integer,
  valid_until integer,
  own_id text,
  key text,
  job_id integer not null,
  created_at integer not null,
  enriched_at integer,
  superseded_at integer, -- from when on it holds no more, because another holds in its place
  superseded_by integer references memory (id) on delete set null, -- which that is, where one is known
  superseded_how text, -- 'facts': a later one holds for all it says; 'kept': somebody took that back; 'source': by a
  -- later text of its source; null: otherwise
  extractor text, -- who has read it last: the rules or a model, with the versions of its prompt and schema
  degraded text, -- why it was read by rules alone although a model was to read it
  rejected text, -- what of its reading was not believed, and why: a list in JSON
  type_by text, -- who found its type, where a caller gave none
  importance_by text,
  confidence_by text
) strict;

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
  memory_id integer not null references memory (id) on delete cascade,
  extractor text, -- who found it; null where a caller gave it
  primary key (tenant, tag, memory_id)
) strict, without rowid;

create index memory_tag_memory on memory_tag (memory_id);
-- A tag is asked for without regard to case.
create index memory_tag_lower on memory_tag (tenant, (lower(tag)));

-- One row for each key and value of a memory's metadata: a hash of both, for a value may be of any length.
create table memory_mark (
  tenant text not null,
  mark text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, mark, memory_id)
) strict, without rowid;

create index memory_mark_memory on memory_mark (memory_id);

create table entity (
  id integer primary key autoincrement,
  tenant text not null,
  category text not null,
  slug text not null,
  name text not null,
  canonical_id integer references entity (id) on delete set null, -- the entity of which a person said that it is the same
  unique (tenant, category, slug)
) strict;

-- What one reader takes for a person and another for a tool is the same thing.
create index entity_slug on entity (tenant, slug);

create table mention (
  memory_id integer not null references memory (id) on delete cascade,
  entity_id integer not null references entity (id) on delete cascade,
  extractor text, -- who found it; null where a person said so
  confidence real,
  primary key (entity_id, memory_id)
) strict, without rowid;

create index mention_memory on mention (memory_id);

-- What a memory is called: its title, or who said it. What mentions an entity of that name is joined to it.
create table title (
  tenant text not null,
  slug text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, slug, memory_id)
) strict, without rowid;

create index title_memory on title (memory_id);

create table link (
  source_id integer not null references memory (id) on delete cascade,
  target_id integer not null references memory (id) on delete cascade,
  type text not null,
  weight real not null,
  created_at integer not null,
  extractor text, -- who found it; null where a caller made it
  primary key (source_id, type, target_id)
) strict, without rowid;

create index link_target on link (target_id, type);

-- What looks like a secret and is none, by its fingerprint, and why somebody says so.
create table allowed (
  tenant text not null,
  fingerprint text not null,
  reason text not null,
  created_at integer not null,
  primary key (tenant, fingerprint)
) strict, without rowid;

-- What was taken out of what was accepted, and where it stood: never the secret itself. Of what could be guessed by its
-- fingerprint there is none.
create table redaction (
  id integer primary key autoincrement,
  tenant text not null,
  document_id integer references document (id) on delete cascade,
  memory_id integer references memory (id) on delete cascade,
  kind text not null,
  place text not null, -- a line of the text as it is kept, or a field beside it
  fingerprint text,
  created_at integer not null
) strict;

create index redaction_tenant on redaction (tenant, id);
create index redaction_document on redaction (document_id) where document_id is not null;
create index redaction_memory on redaction (memory_id) where memory_id is not null;
create index redaction_fingerprint on redaction (tenant, fingerprint) where fingerprint is not null;

-- When what a memory tells of may have been: the days that it names, then the day and the month in which it was said.
create table period (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  first integer not null,
  until integer not null,
  named integer not null, -- 1 where the memory names them, 0 where it was only said then
  primary key (memory_id, first, until)
) strict, without rowid;

-- What a memory tells of is found by its time, as what was said then is. The condition always holds: it keeps a planner
-- from taking the index for a tenant's memories as such.
create index period_named on period (tenant, first, until) where named = 1;
create index memory_said on memory (tenant, (coalesce(said_at, created_at)))
where coalesce(said_at, created_at) is not null;

-- What a memory is about, in a few words, by which patterns are found among the latest of its type.
create table theme (
  memory_id integer primary key references memory (id) on delete cascade,
  tenant text not null,
  type text not null,
  terms text not null -- apart by spaces
) strict;

create index theme_latest on theme (tenant, type, memory_id);

-- The types of which themes are noted. Whoever notes one holds the row until the commit: two that do it at the same time
-- would each overlook the other, and a theme of three could stay unseen.
create table theme_type (
  tenant text not null,
  type text not null,
  noted_at integer not null,
  primary key (tenant, type)
) strict, without rowid;

-- Themes that recur among memories of one type, and the memories that show them.
create table pattern (
  id integer primary key autoincrement,
  tenant text not null,
  type text not null,
  slug text not null,
  terms text not null, -- the words that those memories share, the theme first, apart by spaces
  created_at integer not null,
  unique (tenant, type, slug)
) strict;

create table exemplifies (
  pattern_id integer not null references pattern (id) on delete cascade,
  memory_id integer not null references memory (id) on delete cascade,
  at integer not null, -- when the memory was said
  primary key (pattern_id, memory_id)
) strict, without rowid;

create index exemplifies_memory on exemplifies (memory_id);
create index memory_handed_in on memory (tenant, project, id) where document_id is null;

-- What memories say, as triples. The keys are the words in lower case, by which they are looked for.
create table fact (
  id integer primary key autoincrement,
  uuid text not null unique, -- made of its memory and its keys, so it is the same when that is read again
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  subject text not null,
  predicate text not null,
  object text not null,
  subject_key text not null,
  object_key text not null,
  confidence real not null check (confidence between 0 and 1),
  valid_from integer,
  valid_until integer,
  extractor text not null,
  created_at integer not null,
  -- From when on another fact holds in its place, of which memory: of some predicates a subject has one object at a time.
  superseded_at integer,
  superseded_by integer references memory (id) on delete set null,
  superseded_how text -- 'hand': somebody ended it; 'kept': somebody brought it back; null: a later one ended it, or none
) strict;

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
  created_at integer not null,
  used_at integer not null, -- to the day: what nobody asks for any more is forgotten; or until when it is believed to be asked
  primary key (tenant, key)
) strict, without rowid;

create index reading_used on reading (tenant, used_at);

-- One row for every request that may cost something, written before it is made. One that stayed open is counted as it
-- was estimated: its process died, and nobody knows what the provider counted.
create table ledger (
  id integer primary key autoincrement,
  tenant text not null,
  day integer not null, -- days since 1970, UTC
  job_id integer not null, -- 0 where no job asked, but a question
  model text not null,
  purpose text not null, -- reading, embedding, or question
  state text not null check (state in ('open', 'done')),
  tokens_in integer not null,
  tokens_cached integer not null default 0,
  tokens_out integer not null,
  cost real not null, -- in the currency of the prices
  created_at integer not null
) strict;

create index ledger_day on ledger (tenant, day, model);
create index ledger_job on ledger (tenant, job_id) where job_id > 0;

-- What all tenants together have spent or reserved on a day: the cap is one, as the bill is.
create table spending (
  day integer primary key,
  tokens integer not null,
  cost real not null,
  -- Of these: what requests that run now may give back, and when that last changed. What has not changed for long is of a
  -- process that died.
  reserved_tokens integer not null,
  reserved_cost real not null,
  moved_at integer not null
) strict, without rowid;
-- What has made vectors: its name tells them from those of every other model. `version` rises with every batch that is
-- saved, so that a copy in memory knows what it lacks.
create table embedder (
  id integer primary key autoincrement,
  name text not null unique,
  dimension integer not null,
  place text not null,
  version integer not null default 0,
  created_at integer not null
) strict;

-- The vector of a memory: little-endian float32, of length 1. Where another is wanted, the old one serves meanwhile.
create table embedding (
  memory_id integer primary key references memory (id) on delete cascade,
  tenant text not null,
  embedder_id integer references embedder (id),
  version integer,
  bytes blob,
  error text, -- why this text cannot be embedded
  wanted integer not null
) strict;

create index embedding_version on embedding (tenant, embedder_id, version) where bytes is not null;
create index embedding_wanted on embedding (tenant, memory_id) where wanted = 1;
create index embedding_failed on embedding (tenant) where error is not null;

-- The words of every memory under its id, and of every document that still waits to be cut under its negative id.
-- Nothing is stored but the index: the text is in its own table. `grams` holds the two-character tokens of text
-- that is written without spaces.
create virtual table words using fts5 (
  body, context, grams,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into words (words, rank) values ('rank', 'bm25(1.0, 0.6, 1.0)');

create table worker_lease (
  name text primary key,
  owner text not null,
  pid integer not null,
  host text not null,
  until integer not null
) strict, without rowid;
