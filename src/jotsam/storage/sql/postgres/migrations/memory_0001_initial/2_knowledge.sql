create table entity (
  id bigint generated always as identity,
  tenant text not null,
  category text not null,
  slug text not null,
  name text not null,
  canonical_id bigint, -- the entity it was merged into
  primary key (id, tenant),
  unique (tenant, category, slug),
  foreign key (canonical_id, tenant) references entity (id, tenant) on delete set null (canonical_id)
);

-- One extractor may classify a name as a person and another as a tool, so lookups ignore the category.
create index entity_slug on entity (tenant, slug);
create index entity_canonical on entity (canonical_id, tenant) where canonical_id is not null;

create table mention (
  tenant text not null,
  memory_id bigint not null,
  entity_id bigint not null,
  extractor text, -- null if a caller gave it
  confidence double precision,
  primary key (entity_id, memory_id, tenant),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade,
  foreign key (entity_id, tenant) references entity (id, tenant) on delete cascade
);

create index mention_memory on mention (memory_id, tenant);

-- Slugs of a memory's title or speaker. Memories that mention an entity of that name are connected to it.
create table title (
  tenant text not null,
  slug text not null,
  memory_id bigint not null,
  primary key (tenant, slug, memory_id),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade
);

create index title_memory on title (memory_id, tenant);

create table link (
  tenant text not null,
  source_id bigint not null,
  target_id bigint not null,
  type text not null,
  weight double precision not null,
  created_at bigint not null,
  extractor text, -- null if a caller gave it
  properties text, -- a JSON object, or null: what a caller says about it
  primary key (source_id, type, target_id, tenant),
  foreign key (source_id, tenant) references memory (id, tenant) on delete cascade,
  foreign key (target_id, tenant) references memory (id, tenant) on delete cascade
);

create index link_target on link (target_id, type, tenant);

-- Words of what a memory says that it changes, so that an older statement that arrives later finds it. `at` is when the
-- memory was said: one probe per word tells that nothing later speaks of it.
create table change_word (
  tenant text not null,
  word text not null,
  at bigint not null,
  memory_id bigint not null,
  primary key (tenant, word, at, memory_id),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade
);

create index change_word_memory on change_word (memory_id, tenant);

-- Most memories are said after all changes: one probe tells it.
create index change_word_at on change_word (tenant, at);

-- The terms of a memory, by which patterns are detected among the latest memories of its type.
create table pattern_terms (
  memory_id bigint not null,
  tenant text not null,
  type text not null,
  terms text not null, -- separated by spaces
  primary key (memory_id, tenant),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade
);

create index pattern_terms_latest on pattern_terms (tenant, type, memory_id);

-- One row per type, locked until commit by a transaction that detects patterns: two at the same time would not see each
-- other's memories and could miss a pattern.
create table pattern_lock (
  tenant text not null,
  type text not null,
  locked_at bigint not null,
  primary key (tenant, type)
);

-- Themes that recur among memories of one type, and the memories that exemplify them.
create table pattern (
  id bigint generated always as identity,
  tenant text not null,
  type text not null,
  slug text not null,
  terms text not null, -- the terms that those memories share, the theme first, separated by spaces
  created_at bigint not null,
  primary key (id, tenant),
  unique (tenant, type, slug)
);

create table pattern_example (
  tenant text not null,
  pattern_id bigint not null,
  memory_id bigint not null,
  at bigint not null, -- when the memory was said
  primary key (pattern_id, memory_id, tenant),
  foreign key (pattern_id, tenant) references pattern (id, tenant) on delete cascade,
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade
);

create index pattern_example_memory on pattern_example (memory_id, tenant);

-- Facts of memories, as triples. The keys are in lower case, for lookups.
create table fact (
  id bigint generated always as identity,
  uuid text not null, -- derived from its memory and its keys, so it is the same after another extraction
  tenant text not null,
  memory_id bigint not null,
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
  -- The time from which another fact replaces it, and the memory of that fact: some predicates have one object at a time.
  superseded_at bigint,
  superseded_by bigint,
  superseded_how text, -- 'hand': ended manually; 'kept': restored manually; null: by a later fact, or not superseded
  primary key (id, tenant),
  unique (uuid, tenant),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade,
  foreign key (superseded_by, tenant) references memory (id, tenant) on delete set null (superseded_by)
);

create unique index fact_memory on fact (memory_id, subject_key, predicate, object_key, tenant);
create index fact_subject on fact (tenant, subject_key, predicate);
create index fact_superseded_by on fact (superseded_by, tenant) where superseded_by is not null;
create index fact_object on fact (tenant, object_key, predicate, subject_key);
-- For what has changed since a time.
create index fact_superseded on fact (tenant, superseded_at) where superseded_at is not null;
