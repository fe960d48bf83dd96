-- Sums of the queue for an operator, over all tenants or for one. None of them reads what is ready, however much that is.

-- name: tenants
select distinct tenant
from queue_count
where queue = :queue and tenant <> :but
order by tenant;

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
