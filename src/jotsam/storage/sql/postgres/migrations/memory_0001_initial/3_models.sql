-- Answers of models by a hash of the whole request, so that a request is not paid for twice.
create table llm_cache (
  tenant text not null,
  key text not null,
  body text not null, -- '' while the request runs
  extractor text not null, -- of the answer; while the request runs, who sent it
  created_at bigint not null,
  used_at bigint not null, -- accurate to a day, for removing unused answers; while the request runs, when the claim expires
  memory_id bigint, -- from whose text it was read; null while the request runs
  primary key (tenant, key),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade
);

create index llm_cache_used on llm_cache (tenant, used_at);
create index llm_cache_memory on llm_cache (memory_id, tenant) where memory_id is not null;

-- One row per request that may cost something, written before it is sent. A row that stays open counts as estimated:
-- its process died, and the actual usage is unknown.
create table ledger (
  id bigint generated always as identity,
  tenant text not null,
  day bigint not null, -- days since 1970, UTC
  job_id bigint not null, -- 0 for a recall query
  model text not null,
  purpose text not null, -- extraction, embedding, or question
  state text not null check (state in ('open', 'done')),
  tokens_in bigint not null,
  tokens_cached bigint not null default 0,
  tokens_out bigint not null,
  cost double precision not null, -- in the currency of the configured prices
  created_at bigint not null,
  primary key (id, tenant)
);

create index ledger_day on ledger (tenant, day, model);
create index ledger_job on ledger (tenant, job_id) where job_id > 0;

-- What all tenants together have spent or reserved on a day: there is one cap, because there is one bill.
create table daily_spend (
  day bigint primary key,
  tokens bigint not null,
  cost double precision not null,
  -- The part reserved by running requests, and when the last of them ends at the latest. What is still reserved then
  -- belongs to a process that died, and counts as spent.
  reserved_tokens bigint not null,
  reserved_cost double precision not null,
  reserved_until bigint not null
);

-- What all tenants together have used of each model. Its sums never fall: a forgotten tenant is still in them.
create table model_use (
  model text not null,
  purpose text not null,
  calls bigint not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  cost double precision not null,
  primary key (model, purpose)
);
-- Models that made vectors, identified by name. `version` rises with every batch saved, so that a copy in memory
-- knows what it lacks.
create table embedder (
  id bigint generated always as identity primary key,
  name text not null unique,
  dimension bigint not null,
  place text not null,
  version bigint not null default 0,
  created_at bigint not null
);

-- The vector of a memory: little-endian float32, of length 1. While a new one is wanted, the old one is used.
create table embedding (
  memory_id bigint not null,
  tenant text not null,
  embedder_id bigint references embedder (id),
  version bigint,
  bytes bytea,
  error text, -- why this text cannot be embedded
  wanted bigint not null,
  primary key (memory_id, tenant),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade
);

create index embedding_version on embedding (tenant, embedder_id, version) where bytes is not null;
create index embedding_wanted on embedding (tenant, memory_id) where wanted = 1;
create index embedding_failed on embedding (tenant) where error is not null;

-- With pgvector the server compares vectors, in a copy of its own type; otherwise each process does. The copy is
-- made as soon as pgvector is available and can be dropped. It is not an error if the extension cannot be installed.
create function ensure_embedding_index() returns boolean
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
  -- A role that owns nothing does not create the table either: the owner does.
  if to_regtype('vector') is null or not has_schema_privilege(current_schema(), 'create') then
    return false;
  end if;
  create table embedding_index (
    memory_id bigint not null,
    tenant text not null,
    embedder_id bigint not null,
    value vector not null,
    primary key (memory_id, tenant),
    foreign key (memory_id, tenant) references embedding (memory_id, tenant) on delete cascade
  );
  create index embedding_index_tenant on embedding_index (tenant, embedder_id);
  alter table embedding_index enable row level security, force row level security;
  create policy tenant_isolation on embedding_index using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
  return true;
end
$$;
select ensure_embedding_index();

create function save_to_embedding_index(memory bigint, embedder bigint, listed text) returns void
language plpgsql as $$
begin
  if to_regclass(current_schema() || '.embedding_index') is not null then
    insert into embedding_index (memory_id, tenant, embedder_id, value)
    values (memory, current_setting('jotsam.tenant'), embedder, cast(listed as vector))
    on conflict (memory_id, tenant) do update
    set embedder_id = excluded.embedder_id, value = excluded.value;
  end if;
end
$$;
