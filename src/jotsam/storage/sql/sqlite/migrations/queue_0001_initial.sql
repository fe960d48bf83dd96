-- Rows are small, because every claim rewrites one: the payload has its own table.
-- Ids are never reused, so (id, received) identifies a delivery forever.
create table queue_job (
  id integer primary key autoincrement,
  queue text not null,
  tenant text not null,
  kind text not null,
  state text not null check (state in ('ready', 'leased', 'waiting', 'dead', 'blocked')),
  priority integer not null,
  place integer not null, -- order within a priority, before the id; 0 unless the queue is fair
  lane text,
  parallel integer not null,
  wake_at integer, -- end of the lease or of the delay
  lease_ms integer not null,
  received integer not null default 0,
  failures integer not null default 0,
  interruptions integer not null default 0, -- deliveries that ended because the worker did
  max_receive integer not null,
  owner text,
  leased_at integer,
  error text,
  created_at integer not null,
  check ((wake_at is not null) = (state in ('leased', 'waiting')))
) strict;

-- Read by every claim; only jobs that can be claimed are in it.
create index queue_ready on queue_job (queue, priority desc, place, id) where state = 'ready';
create index queue_wake on queue_job (wake_at) where wake_at is not null;
create index queue_live on queue_job (queue, tenant, id) where state <> 'dead';
create index queue_dead on queue_job (queue, tenant, id) where state = 'dead';
create index queue_lane on queue_job (queue, tenant, lane, state, id)
where lane is not null and state in ('ready', 'leased', 'blocked');

create table queue_payload (
  job_id integer primary key,
  json text,
  bytes blob,
  progress real,
  note text,
  cancelled integer not null default 0
) strict;

-- The result of a completed job, until it expires.
create table queue_result (
  job_id integer primary key,
  json text not null,
  expires_at integer not null
) strict;

-- Idempotency keys. A key outlives its job, until it expires.
create table queue_key (
  queue text not null,
  tenant text not null,
  key text not null,
  job_id integer not null,
  expires_at integer not null,
  primary key (queue, tenant, key)
) strict, without rowid;

-- One row for every delivery that has ended.
create table queue_attempt (
  job_id integer not null,
  received integer not null,
  queue text not null,
  tenant text not null,
  kind text not null,
  owner text,
  started_at integer not null,
  ended_at integer not null,
  outcome text not null check (outcome in ('done', 'cancelled', 'retry', 'released', 'dead', 'expired', 'interrupted')),
  error text,
  trace text,
  primary key (job_id, received)
) strict, without rowid;

-- Counters outlive the jobs they count: accepted = done + discarded + live + dead. The hours of the past are merged
-- into hour 0, and the rows of a forgotten tenant into those of the tenant ' forgotten ', so that sums never fall.
create table queue_count (
  queue text not null,
  tenant text not null,
  kind text not null,
  hour integer not null,
  accepted integer not null default 0,
  done integer not null default 0,
  retried integer not null default 0,
  buried integer not null default 0,
  redriven integer not null default 0,
  discarded integer not null default 0,
  busy_ms integer not null default 0, -- time from the claim to the outcome of the deliveries counted here
  primary key (queue, tenant, kind, hour)
) strict, without rowid;

-- The running workers, and those that ended without removing their row: their jobs are returned to the queue.
create table queue_worker (
  owner text primary key,
  machine text not null, -- host name, boot and namespaces; empty if unknown
  host text not null,
  pid integer not null,
  started text not null, -- start time of the process as the kernel counts it
  seen_at integer not null
) strict, without rowid;

create table queue_control (
  queue text primary key,
  paused integer not null default 0,
  reason text,
  probe_at integer, -- when a queue paused by its circuit breaker delivers one job as a probe
  trips integer not null default 0,
  fair integer not null default 0,
  place integer not null default 0 -- the highest `place` delivered by a fair queue
) strict, without rowid;

-- The highest `place` assigned to a tenant's jobs in a fair queue.
create table queue_tenant (
  queue text not null,
  tenant text not null,
  place integer not null,
  primary key (queue, tenant)
) strict, without rowid;

-- The time of the latest claim; an earlier current time means that the clock was set back.
create table queue_clock (
  id integer primary key check (id = 1),
  seen_at integer not null,
  pruned_at integer not null default 0 -- when old history was last deleted
) strict;

insert into queue_clock (id, seen_at) values (1, 0);
