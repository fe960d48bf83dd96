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
  body text not null,
  job_id integer not null,
  created_at integer not null,
  cut_at integer, -- when its chunks became memories; until then its whole text stands in the index
  -- From when on another document holds in its place, and which.
  superseded_at integer,
  superseded_by integer references document (id) on delete set null
) strict;

create unique index document_key on document (tenant, key) where key is not null;
create index document_source on document (tenant, source, id) where source is not null;

create table memory (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  document_id integer references document (id) on delete cascade,
  position integer,
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
  superseded_by integer references memory (id) on delete set null -- which that is, where one is known
) strict;

create unique index memory_key on memory (tenant, key) where key is not null;
create unique index memory_own_id on memory (tenant, own_id) where own_id is not null;
create unique index memory_document on memory (document_id, position) where document_id is not null;
create index memory_session on memory (tenant, session, id) where session is not null;
-- It holds all that a count of what is current asks for.
create index memory_tenant on memory (tenant, id, project, valid_from, valid_until, superseded_at, said_at, created_at);
create index memory_not_enriched on memory (tenant) where enriched_at is null;
create index memory_superseded_by on memory (superseded_by) where superseded_by is not null;

create table memory_tag (
  tenant text not null,
  tag text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, tag, memory_id)
) strict, without rowid;

create index memory_tag_memory on memory_tag (memory_id);

create table entity (
  id integer primary key autoincrement,
  tenant text not null,
  category text not null,
  slug text not null,
  name text not null,
  unique (tenant, category, slug)
) strict;

-- What one reader takes for a person and another for a tool is the same thing.
create index entity_slug on entity (tenant, slug);

create table mention (
  memory_id integer not null references memory (id) on delete cascade,
  entity_id integer not null references entity (id) on delete cascade,
  primary key (entity_id, memory_id)
) strict, without rowid;

create index mention_memory on mention (memory_id);

create table link (
  source_id integer not null references memory (id) on delete cascade,
  target_id integer not null references memory (id) on delete cascade,
  type text not null,
  weight real not null,
  created_at integer not null,
  primary key (source_id, type, target_id)
) strict, without rowid;

create index link_target on link (target_id, type);

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
