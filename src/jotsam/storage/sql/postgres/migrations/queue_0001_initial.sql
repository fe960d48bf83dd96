-- These tables deliberately have no row-level security: a worker claims across all tenants.

-- Rows are small, because every claim rewrites one: the payload has its own table.
-- Ids are never reused, so (id, received) identifies a delivery forever.
create table queue_job (
  id bigint generated always as identity primary key,
  queue text not null,
  tenant text not null,
  kind text not null,
  state text not null check (state in ('ready', 'leased', 'waiting', 'dead', 'blocked')),
  priority bigint not null,
  place bigint not null, -- order within a priority, before the id; 0 unless the queue is fair
  lane text,
  parallel bigint not null,
  wake_at bigint, -- end of the lease or of the delay
  lease_ms bigint not null,
  received bigint not null default 0,
  failures bigint not null default 0,
  interruptions bigint not null default 0, -- deliveries that ended because the worker did
  max_receive bigint not null,
  owner text,
  leased_at bigint,
  error text,
  created_at bigint not null,
  requeued boolean not null default false, -- whether it became ready from another state
  check ((wake_at is not null) = (state in ('leased', 'waiting')))
) with (
  -- Space for the new version of a row on the same page. Vacuum is triggered by the number of dead rows instead of their
  -- share, because a queue is small and changes all the time.
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

-- Read by every claim; only jobs that can be claimed are in it.
create index queue_ready on queue_job (queue, priority desc, place, id) where state = 'ready';
-- A requeued job keeps its position, which may be below the watermark of a receiver.
create index queue_requeued on queue_job (queue, priority desc, place, id) where state = 'ready' and requeued;
create index queue_wake on queue_job (wake_at) where wake_at is not null;
create index queue_live on queue_job (queue, tenant, id) where state <> 'dead';
create index queue_dead on queue_job (queue, tenant, id) where state = 'dead';
create index queue_lane on queue_job (queue, tenant, lane, state, id)
where lane is not null and state in ('ready', 'leased', 'blocked');

create function queue_mark_requeued() returns trigger
language plpgsql
as $$
begin
  new.requeued := true;
  return new;
end
$$;

create trigger queue_mark_requeued before update of state on queue_job
for each row when (new.state = 'ready' and old.state <> 'ready')
execute function queue_mark_requeued();

create table queue_payload (
  job_id bigint primary key,
  json text,
  bytes bytea,
  progress double precision,
  note text,
  cancelled bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The result of a completed job, until it expires.
create table queue_result (
  job_id bigint primary key,
  json text not null,
  expires_at bigint not null
);

-- Idempotency keys. A key outlives its job, until it expires.
create table queue_key (
  queue text not null,
  tenant text not null,
  key text not null,
  job_id bigint not null,
  expires_at bigint not null,
  primary key (queue, tenant, key)
);

-- One row for every delivery that has ended.
create table queue_attempt (
  job_id bigint not null,
  received bigint not null,
  queue text not null,
  tenant text not null,
  kind text not null,
  owner text,
  started_at bigint not null,
  ended_at bigint not null,
  outcome text not null check (outcome in ('done', 'cancelled', 'retry', 'released', 'dead', 'expired', 'interrupted')),
  error text,
  trace text,
  primary key (job_id, received)
);

-- Counters outlive the jobs they count: accepted = done + discarded + live + dead. Every event inserts a row, so
-- that writers do not wait for each other; once a minute the rows of an hour are merged. The hours of the past are
-- merged into hour 0, and the rows of a forgotten tenant into those of the tenant ' forgotten ', so that sums never
-- fall.
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
  discarded bigint not null default 0,
  busy_ms bigint not null default 0 -- time from the claim to the outcome of the deliveries counted here
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

create index queue_count_hour on queue_count (hour);

-- The running workers, and those that ended without removing their row: their jobs are returned to the queue.
create table queue_worker (
  owner text primary key,
  machine text not null, -- host name, boot and namespaces; empty if unknown
  host text not null,
  pid bigint not null,
  started text not null, -- start time of the process as the kernel counts it
  seen_at bigint not null
);

create table queue_control (
  queue text primary key,
  paused bigint not null default 0,
  reason text,
  probe_at bigint, -- when a queue paused by its circuit breaker delivers one job as a probe
  trips bigint not null default 0,
  fair bigint not null default 0,
  place bigint not null default 0 -- the highest `place` delivered by a fair queue
);

-- The highest `place` assigned to a tenant's jobs in a fair queue.
create table queue_tenant (
  queue text not null,
  tenant text not null,
  place bigint not null,
  primary key (queue, tenant)
);

-- The time of the latest claim; an earlier current time means that the clock was set back.
create table queue_clock (
  id bigint primary key check (id = 1),
  seen_at bigint not null,
  pruned_at bigint not null default 0 -- when old history was last deleted
);

insert into queue_clock (id, seen_at) values (1, 0);

-- Tenants that move to or from another server. `leaving`: its changes are refused; `gone`: it is on the other server;
-- `arriving`: not all of it is here; `arrived`: it is here, and the other server may still hold its rows.
create table tenant_move (
  tenant text primary key,
  move text not null, -- the same in both databases
  state text not null check (state in ('leaving', 'gone', 'arriving', 'arrived')),
  other text not null, -- the address of the other database, without a password
  first_job bigint not null default 0, -- added to the ids of jobs, which all tenants share
  place text -- the last key that was copied
);

-- Jobs of a tenant that moves, as they were: until it has moved they wait, so that no worker claims them.
create table held_job (
  job_id bigint primary key,
  tenant text not null,
  state text not null,
  wake_at bigint
);

create index held_job_tenant on held_job (tenant, job_id);

-- Every transaction of a tenant begins with it. The lock makes the start of a move wait for those that write; a
-- statement after it sees what was committed before it.
create function enter_tenant(wanted text, writes boolean) returns void
language plpgsql as $$
declare
  found_state text;
  found_other text;
begin
  perform set_config('jotsam.tenant', wanted, true);
  if writes then
    perform pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ' tenant ' || wanted, 0));
  end if;
  select m.state, m.other into found_state, found_other
  from tenant_move m
  where m.tenant = wanted and m.state <> 'arrived' and (writes or m.state <> 'leaving')
    and m.move is distinct from current_setting('jotsam.move', true);
  if found_state = 'gone' then
    raise exception using errcode = 'JM001', message = format('tenant %L has moved to %s', wanted, found_other);
  elsif found_state = 'leaving' then
    raise exception using errcode = 'JM001', message = format('tenant %L is being moved to %s', wanted, found_other);
  elsif found_state = 'arriving' then
    raise exception using errcode = 'JM001', message = format('tenant %L is being moved here from %s', wanted, found_other);
  end if;
end
$$;
