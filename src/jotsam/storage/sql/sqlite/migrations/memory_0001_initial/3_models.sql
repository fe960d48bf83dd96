-- Answers of models by a hash of the whole request, so that a request is not paid for twice.
create table llm_cache (
  tenant text not null,
  key text not null,
  body text not null, -- '' while the request runs
  extractor text not null, -- of the answer; while the request runs, who sent it
  created_at integer not null,
  used_at integer not null, -- accurate to a day, for removing unused answers; while the request runs, when the claim expires
  memory_id integer references memory (id) on delete cascade, -- from whose text it was read; null while the request runs
  primary key (tenant, key)
) strict, without rowid;

create index llm_cache_used on llm_cache (tenant, used_at);
create index llm_cache_memory on llm_cache (memory_id) where memory_id is not null;

-- One row per request that may cost something, written before it is sent. A row that stays open counts as estimated:
-- its process died, and the actual usage is unknown.
create table ledger (
  id integer primary key autoincrement,
  tenant text not null,
  day integer not null, -- days since 1970, UTC
  job_id integer not null, -- 0 for a recall query
  model text not null,
  purpose text not null, -- extraction, embedding, or question
  state text not null check (state in ('open', 'done')),
  tokens_in integer not null,
  tokens_cached integer not null default 0,
  tokens_out integer not null,
  cost real not null, -- in the currency of the configured prices
  created_at integer not null
) strict;

create index ledger_day on ledger (tenant, day, model);
create index ledger_job on ledger (tenant, job_id) where job_id > 0;

-- What all tenants together have spent or reserved on a day: there is one cap, because there is one bill.
create table daily_spend (
  day integer primary key,
  tokens integer not null,
  cost real not null,
  -- The part reserved by running requests, and when the last of them ends at the latest. What is still reserved then
  -- belongs to a process that died, and counts as spent.
  reserved_tokens integer not null,
  reserved_cost real not null,
  reserved_until integer not null
) strict, without rowid;

-- What all tenants together have used of each model. Its sums never fall: a forgotten tenant is still in them.
create table model_use (
  model text not null,
  purpose text not null,
  calls integer not null,
  tokens_in integer not null,
  tokens_out integer not null,
  cost real not null,
  primary key (model, purpose)
) strict, without rowid;
-- Models that made vectors, identified by name. `version` rises with every batch saved, so that a copy in memory
-- knows what it lacks.
create table embedder (
  id integer primary key autoincrement,
  name text not null unique,
  dimension integer not null,
  place text not null,
  version integer not null default 0,
  created_at integer not null
) strict;

-- The vector of a memory: little-endian float32, of length 1. While a new one is wanted, the old one is used.
create table embedding (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  embedder_id integer references embedder (id),
  version integer,
  bytes blob,
  error text, -- why this text cannot be embedded
  wanted integer not null,
  primary key (memory_id, tenant)
) strict;

create index embedding_version on embedding (tenant, embedder_id, version) where bytes is not null;
create index embedding_wanted on embedding (tenant, memory_id) where wanted = 1;
create index embedding_failed on embedding (tenant) where error is not null;
