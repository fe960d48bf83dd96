create table entity (
  id integer primary key autoincrement,
  tenant text not null,
  category text not null,
  slug text not null,
  name text not null,
  canonical_id integer references entity (id) on delete set null, -- the entity it was merged into
  unique (tenant, category, slug)
) strict;

-- One extractor may classify a name as a person and another as a tool, so lookups ignore the category.
create index entity_slug on entity (tenant, slug);
create index entity_canonical on entity (canonical_id) where canonical_id is not null;

create table mention (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  entity_id integer not null references entity (id) on delete cascade,
  extractor text, -- null if a caller gave it
  confidence real,
  primary key (entity_id, memory_id, tenant)
) strict, without rowid;

create index mention_memory on mention (memory_id);

-- Slugs of a memory's title or speaker. Memories that mention an entity of that name are connected to it.
create table title (
  tenant text not null,
  slug text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, slug, memory_id)
) strict, without rowid;

create index title_memory on title (memory_id);

create table link (
  tenant text not null,
  source_id integer not null references memory (id) on delete cascade,
  target_id integer not null references memory (id) on delete cascade,
  type text not null,
  weight real not null,
  created_at integer not null,
  extractor text, -- null if a caller gave it
  properties text, -- a JSON object, or null: what a caller says about it
  primary key (source_id, type, target_id, tenant)
) strict, without rowid;

create index link_target on link (target_id, type);

-- Words of what a memory says that it changes, so that an older statement that arrives later finds it. `at` is when the
-- memory was said: one probe per word tells that nothing later speaks of it.
create table change_word (
  tenant text not null,
  word text not null,
  at integer not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, word, at, memory_id)
) strict, without rowid;

create index change_word_memory on change_word (memory_id);

-- Most memories are said after all changes: one probe tells it.
create index change_word_at on change_word (tenant, at);

-- The terms of a memory, by which patterns are detected among the latest memories of its type.
create table pattern_terms (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  type text not null,
  terms text not null, -- separated by spaces
  primary key (memory_id, tenant)
) strict, without rowid;

create index pattern_terms_latest on pattern_terms (tenant, type, memory_id);

-- One row per type, locked until commit by a transaction that detects patterns: two at the same time would not see each
-- other's memories and could miss a pattern.
create table pattern_lock (
  tenant text not null,
  type text not null,
  locked_at integer not null,
  primary key (tenant, type)
) strict, without rowid;

-- Themes that recur among memories of one type, and the memories that exemplify them.
create table pattern (
  id integer primary key autoincrement,
  tenant text not null,
  type text not null,
  slug text not null,
  terms text not null, -- the terms that those memories share, the theme first, separated by spaces
  created_at integer not null,
  unique (tenant, type, slug)
) strict;

create table pattern_example (
  tenant text not null,
  pattern_id integer not null references pattern (id) on delete cascade,
  memory_id integer not null references memory (id) on delete cascade,
  at integer not null, -- when the memory was said
  primary key (pattern_id, memory_id, tenant)
) strict, without rowid;

create index pattern_example_memory on pattern_example (memory_id);

-- Facts of memories, as triples. The keys are in lower case, for lookups.
create table fact (
  id integer primary key autoincrement,
  uuid text not null unique, -- derived from its memory and its keys, so it is the same after another extraction
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
  -- The time from which another fact replaces it, and the memory of that fact: some predicates have one object at a time.
  superseded_at integer,
  superseded_by integer references memory (id) on delete set null,
  superseded_how text -- 'hand': ended manually; 'kept': restored manually; null: by a later fact, or not superseded
) strict;

create unique index fact_memory on fact (memory_id, subject_key, predicate, object_key, tenant);
create index fact_subject on fact (tenant, subject_key, predicate);
create index fact_superseded_by on fact (superseded_by) where superseded_by is not null;
create index fact_object on fact (tenant, object_key, predicate, subject_key);
-- For what has changed since a time.
create index fact_superseded on fact (tenant, superseded_at) where superseded_at is not null;
