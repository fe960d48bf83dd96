-- There is no row-level security on these tables, on purpose: a worker claims across all tenants.

-- A job is thin, for every claim rewrites its row: what it carries lies beside it.
-- The id is never used again, so (id, received) is a sound fence for ever.
create table queue_job (
  id bigint generated always as identity primary key,
  queue text not null,
  tenant text not null,
  kind text not null,
  state text not null check (state in ('ready', 'leased', 'waiting', 'dead', 'blocked')),
  priority bigint not null,
  place bigint not null, -- order within a priority, before the id; equal for all unless the queue is fair
  lane text,
  parallel bigint not null,
  wake_at bigint, -- end of the lease or of the delay
  lease_ms bigint not null,
  received bigint not null default 0,
  failures bigint not null default 0,
  max_receive bigint not null,
  owner text,
  leased_at bigint,
  error text,
  created_at bigint not null,
  again boolean not null default false, -- whether it was something else than ready before it was ready
  check ((wake_at is not null) = (state in ('leased', 'waiting')))
) with (
  -- Room for a new version of a row beside the old one; and dead rows are cleared away by number and not by share, for
  -- a queue is small and changes all the time.
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

-- The claim walks this one, and a job that cannot be claimed is not in it.
create index queue_ready on queue_job (queue, priority desc, place, id) where state = 'ready';
-- What is ready again takes its old place, which a receiver that remembers how far it has come has left behind.
create index queue_again on queue_job (queue, priority desc, place, id) where state = 'ready' and again;
create index queue_wake on queue_job (wake_at) where wake_at is not null;
create index queue_live on queue_job (queue, tenant, id) where state <> 'dead';
create index queue_dead on queue_job (queue, tenant, id) where state = 'dead';
create index queue_lane on queue_job (queue, tenant, lane, state, id)
where lane is not null and state in ('ready', 'leased', 'blocked');

create function queue_comes_back() returns trigger
language plpgsql
as $$
begin
  new.again := true;
  return new;
end
$$;

create trigger queue_comes_back before update of state on queue_job
for each row when (new.state = 'ready' and old.state <> 'ready')
execute function queue_comes_back();

create table queue_payload (
  job_id bigint primary key,
  json text,
  bytes bytea,
  progress double precision,
  note text,
  cancelled bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- What a job that is done has left behind, for a while.
create table queue_result (
  job_id bigint primary key,
  json text not null,
  expires_at bigint not null
);

-- A key outlives its job, until it expires.
create table queue_key (
  queue text not null,
  tenant text not null,
  key text not null,
  job_id bigint not null,
  expires_at bigint not null,
  primary key (queue, tenant, key)
);

-- One row for every delivery that has ended, and how.
create table queue_attempt (
  job_id bigint not null,
  received bigint not null,
  queue text not null,
  tenant text not null,
  kind text not null,
  owner text,
  started_at bigint not null,
  ended_at bigint not null,
  outcome text not null check (outcome in ('done', 'cancelled', 'retry', 'released', 'dead', 'expired')),
  error text,
  trace text,
  primary key (job_id, received)
);

-- Counters survive what they count: accepted = done + discarded + live + dead. Every event is a row of its own at first,
-- and so nobody waits for anybody; once a minute the rows of an hour become one.
create table queue_count (
  queue text not null,
  tenant text not null,
  kind text not null,
  hour bigint not null,
  accepted bigint not null default 0,
  done bigint not null default 0,
  retried bigint not null default 0,
  buried bigint not null default 0,
  redriven bigint not null default 0,
  discarded bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

create index queue_count_hour on queue_count (hour);

create table queue_control (
  queue text primary key,
  paused bigint not null default 0,
  reason text,
  probe_at bigint, -- when a queue that was paused by its breaker lets one job through to see
  trips bigint not null default 0,
  fair bigint not null default 0,
  place bigint not null default 0 -- how far a fair queue has come
);

-- The place up to which a tenant has filled a fair queue.
create table queue_tenant (
  queue text not null,
  tenant text not null,
  place bigint not null,
  primary key (queue, tenant)
);

-- The latest moment at which anybody claimed; an earlier now means that the clock went back.
create table queue_clock (
  one bigint primary key check (one = 1),
  seen_at bigint not null
);

insert into queue_clock (one, seen_at) values (1, 0);
