-- Sums of the queue for an operator, over all tenants or for one. None of them reads what is ready, however much that is.

-- name: tenants
select distinct tenant
from queue_count
where queue = :queue and tenant <> :but
order by tenant;

-- name: of_tenant
select tenant
from queue_count
where queue = :queue and tenant = :tenant
limit 1;

-- name: totals
select
  cast(coalesce(sum(accepted), 0) as bigint) as accepted,
  cast(coalesce(sum(done), 0) as bigint) as done,
  cast(coalesce(sum(retried), 0) as bigint) as retried,
  cast(coalesce(sum(buried), 0) as bigint) as buried,
  cast(coalesce(sum(redriven), 0) as bigint) as redriven,
  cast(coalesce(sum(discarded), 0) as bigint) as discarded
from queue_count
where (cast(:queue as text) is null or queue = :queue) and (cast(:tenant as text) is null or tenant = :tenant);

-- name: keep_tenant_counts
-- Before `forget_tenant_counts`: what the tenant's jobs add to the sums over all tenants. Those that are not done count
-- as discarded.
select
  kind,
  cast(sum(accepted) as bigint) as accepted,
  cast(sum(done) as bigint) as done,
  cast(sum(retried) as bigint) as retried,
  cast(sum(buried) as bigint) as buried,
  cast(sum(redriven) as bigint) as redriven,
  cast(sum(accepted) - sum(done) as bigint) as discarded,
  cast(sum(busy_ms) as bigint) as busy_ms
from queue_count
where queue = :queue and tenant = :tenant
group by kind;

-- name: by_kind
-- What was ever counted. The hours of the past are merged, so there are few rows for each tenant.
select
  queue,
  kind,
  cast(sum(accepted) as bigint) as accepted,
  cast(sum(done) as bigint) as done,
  cast(sum(retried) as bigint) as retried,
  cast(sum(buried) as bigint) as buried,
  cast(sum(redriven) as bigint) as redriven,
  cast(sum(discarded) as bigint) as discarded,
  cast(sum(busy_ms) as bigint) as busy_ms
from queue_count
group by queue, kind
order by queue, kind;

-- name: held
-- Jobs that are leased or wait for the end of a delay. What is neither of these nor dead follows from the counters.
select queue, kind, state, count(*) as jobs
from queue_job
where wake_at is not null
group by queue, kind, state;

-- name: dead_by_kind
select queue, kind, 'dead' as state, count(*) as jobs
from queue_job
where state = 'dead'
group by queue, kind;

-- name: oldest
-- When the oldest job that is not dead was sent, by queue: one look into an index for each tenant.
select queue, min(oldest) as oldest
from (
  select
    c.queue,
    (
      select j.created_at
      from queue_job j
      where j.queue = c.queue and j.tenant = c.tenant and j.state <> 'dead'
      order by j.id
      limit 1
    ) as oldest
  from (select distinct queue, tenant from queue_count) c
) first
where oldest is not null
group by queue;

-- name: count_capped
-- Jobs of all tenants that wait for the end of a delay with this error.
select count(*) as jobs
from queue_job
where wake_at > :now and state = 'waiting' and error like :error;

-- name: count_workers
select count(*) as workers
from queue_worker
where seen_at > :since;

-- name: latest_ended
-- The window covers all queues and tenants, as that of `queue.latest_done`.
select job_id, outcome, error, ended_at
from (
  select job_id, queue, tenant, outcome, error, ended_at
  from queue_attempt
  order by job_id desc, received desc
  limit :window
) latest
where queue = :queue and tenant = :tenant and outcome in ('done', 'retry', 'dead', 'expired')
order by ended_at desc, job_id desc;

-- name: live_states
-- The first `limit` jobs of a tenant that are not dead, by state. `undelivered`: when the oldest was sent that could run
-- and was never delivered. `delayed`: how many wait with this error.
select
  state,
  count(*) as jobs,
  count(*) filter (where state <> 'leased' and failures > 0) as failed,
  count(*) filter (where state = 'waiting' and error like :error) as delayed,
  min(created_at) as oldest,
  min(case when state = 'ready' and received = 0 then created_at end) as undelivered
from (
  select id, state, failures, received, error, created_at
  from queue_job
  where queue = :queue and tenant = :tenant and state <> 'dead'
  order by id
  limit :limit
) live
group by state;

-- name: count_dead
-- Counted up to `limit`.
select count(*) as jobs
from (
  select id
  from queue_job
  where queue = :queue and tenant = :tenant and state = 'dead'
  limit :limit
) dead;

-- name: held_states
-- The `limit` leases and delays of all tenants that end first, by state. Those of other tenants only tell whether there
-- are more.
select queue, case when tenant = :tenant then state else '' end as state, count(*) as jobs
from (
  select queue, tenant, state
  from queue_job
  where wake_at is not null
  order by wake_at
  limit :limit
) held
group by queue, case when tenant = :tenant then state else '' end;

-- name: by_hour
-- What was counted for a tenant. The hours of past days are merged into hour 0, so there are few rows.
select
  queue,
  hour,
  cast(sum(accepted) as bigint) as accepted,
  cast(sum(done) as bigint) as done,
  cast(sum(retried) as bigint) as retried,
  cast(sum(buried) as bigint) as buried,
  cast(sum(discarded) as bigint) as discarded
from queue_count
where tenant = :tenant and queue in ({list.texts queues})
group by queue, hour
order by hour, queue;
