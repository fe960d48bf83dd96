-- When each step of the lifecycle is due next.
create table lifecycle_schedule (
  tenant text not null,
  step text not null,
  due_at integer not null,
  primary key (tenant, step)
) strict, without rowid;

-- Runs of steps of the lifecycle. One job at a time works on a run, a part of it per delivery.
create table lifecycle_run (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  step text not null,
  origin text not null, -- 'schedule', or 'request' of a caller
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'undoing', 'undone')),
  job_id integer not null, -- that works on it, or did last
  place text, -- where the next part begins; null: at the beginning
  parts integer not null default 0, -- that are committed
  examined integer not null default 0, -- memories or entities that it looked at
  changed integer not null default 0,
  reverted integer not null default 0, -- changes that were taken back
  kept integer not null default 0, -- changes that could not be taken back, because something else has changed it since
  error text,
  options text not null, -- JSON: the settings that it runs with
  created_at integer not null,
  started_at integer,
  ended_at integer,
  undone_at integer
) strict;

create index lifecycle_run_tenant on lifecycle_run (tenant, id);
create index lifecycle_run_ended on lifecycle_run (tenant, ended_at) where ended_at is not null;

-- What each part of a run changed, why, and how to take it back.
create table lifecycle_change (
  tenant text not null,
  run_id integer not null references lifecycle_run (id) on delete cascade,
  part integer not null,
  changes text not null, -- JSON list
  primary key (run_id, part, tenant)
) strict, without rowid;

-- Hashes of changes that were taken back: no run makes them again.
create table lifecycle_refusal (
  tenant text not null,
  hash text not null,
  created_at integer not null,
  primary key (tenant, hash)
) strict, without rowid;

-- Pairs of similar memories that a run has found so far. They are deleted when it ends.
create table lifecycle_pair (
  tenant text not null,
  run_id integer not null references lifecycle_run (id) on delete cascade,
  first_id integer not null,
  second_id integer not null,
  likeness real not null,
  primary key (run_id, first_id, second_id, tenant)
) strict, without rowid;

-- How relevant a memory still is, from 0 to 1: computed from its age, use, links, importance and confidence.
create table relevance (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  relevance real not null,
  primary key (memory_id, tenant)
) strict, without rowid;

-- Groups of similar memories.
create table theme (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  name text not null,
  terms text not null, -- separated by spaces, the most frequent first
  summary_id integer references memory (id) on delete set null, -- the memory that summarises it
  created_at integer not null
) strict;

create index theme_tenant on theme (tenant, id);
create index theme_summary on theme (summary_id) where summary_id is not null;

create table theme_member (
  tenant text not null,
  theme_id integer not null references theme (id) on delete cascade,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (theme_id, memory_id, tenant)
) strict, without rowid;

create index theme_member_memory on theme_member (memory_id);

-- What the search for lasting knowledge decided about a memory: nothing is judged twice by the same version.
create table triage (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  version integer not null, -- of the rules
  text_version integer not null, -- of the memory when it was judged
  kind text, -- of knowledge; null: none
  title text,
  confidence real,
  state text not null check (state in ('none', 'candidate', 'promoted', 'refused', 'retracted')),
  reason text, -- why it was refused
  crystal_id integer references memory (id) on delete set null, -- the memory that was made of it and others
  judged_by text not null, -- a model, 'person', 'gate' (no model was needed), or 'rules' (a model may judge it later)
  primary key (memory_id, tenant)
) strict, without rowid;

create index triage_state on triage (tenant, state, kind);
create index triage_crystal on triage (crystal_id) where crystal_id is not null;

-- A short text about an entity, made of its facts.
create table identity (
  tenant text not null,
  entity_id integer not null references entity (id) on delete cascade,
  body text not null,
  sources text not null, -- JSON list of the UUIDs of the facts
  hash text not null, -- of the facts
  made_by text not null, -- 'rules', or the model
  changed_at integer not null,
  primary key (entity_id, tenant)
) strict, without rowid;
