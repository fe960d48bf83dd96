-- The queue. Every statement that changes a leased job checks its id and its fencing token, `received`.

-- name: find_key
select job_id
from queue_key
where queue = :queue and tenant = :tenant and key = :key and expires_at > :now;

-- name: find_keys
with asked (tenant, key) as materialized (
  {list.pairs keys}
)
select k.tenant, k.key, k.job_id
from asked
join queue_key k on k.queue = :queue and k.tenant = asked.tenant and k.key = asked.key
where k.expires_at > :now;

-- name: save_key
insert into queue_key (queue, tenant, key, job_id, expires_at)
values (:queue, :tenant, :key, :job_id, :expires_at)
on conflict (queue, tenant, key) do update
set job_id = excluded.job_id, expires_at = excluded.expires_at;

-- name: prune_keys
delete from queue_key
where expires_at <= :now;

-- name: clock
select seen_at
from queue_clock;

-- name: claim_state
-- What a claim needs to know first, in one query: the time of the last claim, whether a job has become due after
-- `since`, and whether the queue is paused.
select
  c.seen_at,
  exists (select 1 from queue_job where wake_at <= :now and wake_at > :since) as due,
  q.paused,
  q.probe_at
from queue_clock c
left join queue_control q on q.queue = :queue;

-- name: shift_clock
update queue_job
set wake_at = wake_at - :by
where wake_at is not null;

-- name: wake
update queue_job
set state = :state, wake_at = null, owner = null, failures = :failures, error = coalesce(:error, error)
where id = :id;

-- name: interrupt
update queue_job
set state = :state, wake_at = :wake_at, owner = null, interruptions = :interruptions, error = :error
where id = :id and received = :received and state = 'leased';

-- name: save_worker
-- Renewed at every heartbeat, and written once an hour.
insert into queue_worker (owner, machine, host, pid, started, seen_at)
values (:owner, :machine, :host, :pid, :started, :now)
on conflict (owner) do update
set seen_at = :now
where queue_worker.seen_at < :now - 3600000;

-- name: workers
select owner, machine, host, pid, started
from queue_worker
where machine = :machine;

-- name: any_leased_by
select id
from queue_job
where owner = :owner and state = 'leased' and wake_at is not null
limit 1;

-- name: remove_worker
delete from queue_worker
where owner = :owner;

-- name: prune_workers
delete from queue_worker
where seen_at < :before;

-- name: save_payload
insert into queue_payload (job_id, json, bytes)
values (:job_id, :json, :bytes);

-- name: delete_payload
delete from queue_payload
where job_id = :id;

-- name: put_back
update queue_job
set state = :state, wake_at = :wake_at, owner = null, failures = :failures, error = :error
where id = :id and received = :received and state = 'leased';

-- name: redrive
update queue_job
set state = :state, failures = 0, interruptions = 0, error = null, wake_at = :wake_at
where id = :id and state = 'dead'
returning id;

-- name: discard
delete from queue_job
where id = :id and state <> 'leased'
returning id, queue, tenant, kind, state, lane;

-- name: purgeable
select id
from queue_job
where queue = :queue and state <> 'leased' and (cast(:state as text) is null or state = :state)
order by id desc
limit :limit;

-- name: lane_active
-- A ready or leased job of the lane: those are one barrier, or all parallel. Both states are in one query, because a
-- job could change from one to the other between two queries. The last condition repeats that of the partial index.
select id, parallel
from queue_job
where queue = :queue and tenant = :tenant and lane = :lane and state in ('ready', 'leased')
  and state in ('ready', 'leased', 'blocked')
limit 1;

-- name: lane_blocked
select id, parallel
from queue_job
where queue = :queue and tenant = :tenant and lane = :lane and state = 'blocked'
  and state in ('ready', 'leased', 'blocked')
order by id
limit 1;

-- name: lane_barrier
select min(id) as id
from queue_job
where queue = :queue and tenant = :tenant and lane = :lane and state = 'blocked' and parallel = 0
  and state in ('ready', 'leased', 'blocked');

-- name: lane_open_one
update queue_job
set state = 'ready'
where id = :id and state = 'blocked';

-- name: lane_open_batch
update queue_job
set state = 'ready'
where queue = :queue and tenant = :tenant and lane = :lane and state = 'blocked'
  and state in ('ready', 'leased', 'blocked')
  and (cast(:barrier as bigint) is null or id < :barrier);

-- name: attempt
insert into queue_attempt (job_id, received, queue, tenant, kind, owner, started_at, ended_at, outcome, error, trace)
values (:id, :received, :queue, :tenant, :kind, :owner, :started_at, :now, :outcome, :error, :trace);

-- name: attempts
select received, queue, tenant, kind, owner, started_at, ended_at, outcome, error, trace
from queue_attempt
where job_id = :id
order by received;

-- name: live
select
  count(*) filter (where state <> 'leased' and failures = 0) as pending,
  count(*) filter (where state = 'leased') as in_progress,
  count(*) filter (where state <> 'leased' and failures > 0) as failed,
  count(*) filter (where state = 'waiting' and failures = 0 and error like :unknown) as unknown,
  min(created_at) as oldest
from queue_job
where queue = :queue and tenant = :tenant and state <> 'dead';

-- name: dead
select count(*) as dead
from queue_job
where queue = :queue and tenant = :tenant and state = 'dead';

-- name: count_live
select count(*) as jobs
from (
  select id
  from queue_job
  where queue = :queue and tenant = :tenant and state <> 'dead'
  limit :limit
) live;

-- name: oldest_live
-- When the oldest job that is not dead was sent, in one of the queues. The first job of each is the oldest.
with asked (queue) as materialized (
  {list.texts queues}
)
select min((
  select j.created_at
  from queue_job j
  where j.queue = asked.queue and j.tenant = :tenant and j.state <> 'dead'
  order by j.id
  limit 1
)) as oldest
from asked;

-- name: oldest_undelivered
-- When the oldest job that could run and was never delivered was sent, among the first `limit` jobs that are not dead.
select created_at
from (
  select id, state, received, created_at
  from queue_job
  where queue = :queue and tenant = :tenant and state <> 'dead'
  order by id
  limit :limit
) live
where state = 'ready' and received = 0
order by id
limit 1;

-- name: next_wake
select min(wake_at) as wake_at
from (
  select min(wake_at) as wake_at
  from queue_job
  where wake_at is not null
  union all
  select min(probe_at)
  from queue_control
  where paused = 1 and probe_at is not null
) next;

-- name: any_ready
select id
from queue_job
where queue = :queue and state = 'ready'
  and not exists (
    select 1
    from queue_control
    where queue = :queue and paused = 1 and (probe_at is null or probe_at > :now)
  )
limit 1;

-- name: control
select paused, reason, probe_at, trips, fair, place
from queue_control
where queue = :queue;

-- name: paused
select queue, reason, probe_at
from queue_control
where paused = 1
order by queue;

-- name: pause
insert into queue_control (queue, paused, reason, probe_at, trips)
values (:queue, 1, :reason, :probe_at, :trips)
on conflict (queue) do update
set paused = 1, reason = excluded.reason, probe_at = excluded.probe_at, trips = excluded.trips;

-- name: probe
update queue_control
set probe_at = :probe_at
where queue = :queue and probe_at <= :now
returning queue;

-- name: resume
update queue_control
set paused = 0, reason = null, probe_at = null, trips = 0
where queue = :queue;

-- name: set_fair
insert into queue_control (queue, fair)
values (:queue, :fair)
on conflict (queue) do update set fair = excluded.fair;

-- name: take_place
insert into queue_tenant (queue, tenant, place)
values (:queue, :tenant, :place)
on conflict (queue, tenant) do update set place = excluded.place;

-- name: done_since
-- Bounded by ids, because an index on the end of deliveries would slow every acknowledgement.
select queue, count(*) as jobs
from queue_attempt
where job_id > (select coalesce(max(job_id), 0) from queue_attempt) - :window
  and ended_at > :since and outcome = 'done' and tenant = :tenant
group by queue;

-- name: latest_done
-- The window covers all queues and tenants, so that a queue with few jobs does not require reading the whole
-- history. An index by queue would slow every acknowledgement by a tenth.
select queue, took
from (
  select queue, tenant, outcome, ended_at - started_at as took
  from queue_attempt
  order by job_id desc, received desc
  limit :window
) latest
where outcome = 'done' and (cast(:tenant as text) is null or tenant = :tenant);

-- name: prune_attempts
delete from queue_attempt
where job_id > :after and job_id <= :until and ended_at < :before
  and not exists (select 1 from queue_job where id = queue_attempt.job_id);

-- name: first_deleted
-- Skips the jobs whose attempts were deleted earlier, because a worker that starts does not know where the last one
-- stopped.
select job_id, ended_at
from queue_attempt
where job_id > :after and not exists (select 1 from queue_job where id = queue_attempt.job_id)
order by job_id
limit 1;

-- name: save_result
insert into queue_result (job_id, json, expires_at)
values (:job_id, :json, :expires_at)
on conflict (job_id) do update set json = excluded.json, expires_at = excluded.expires_at;

-- name: result
select json
from queue_result
where job_id = :job_id and expires_at > :now;

-- name: pruned
select pruned_at
from queue_clock;

-- name: save_pruned
update queue_clock
set pruned_at = :now;

-- name: prune_results
delete from queue_result
where expires_at <= :now;

-- name: progress_of
select p.progress, p.note, coalesce(p.cancelled, 0) as cancelled
from queue_job j
left join queue_payload p on p.job_id = j.id
where j.id = :id;

-- name: states
select state, count(*) as jobs, min(created_at) as oldest
from queue_job
where queue = :queue
group by state;

-- name: count_receivers
-- The number of workers that hold a lease now.
select count(distinct owner) as receivers
from queue_job
where queue = :queue and wake_at > :now and state = 'leased';

-- name: count_leased
-- The number of leased jobs in all queues.
select count(*) as jobs
from queue_job
where wake_at > :now and state = 'leased';

-- name: get
select
  j.id, j.queue, j.kind, j.tenant, j.state, j.priority, j.lane, j.parallel, j.received, j.failures,
  j.interruptions, j.max_receive, j.lease_ms, j.created_at, j.wake_at, j.owner, j.error,
  coalesce(j.payload, p.json) as json, p.bytes
from queue_job j
left join queue_payload p on p.job_id = j.id
where j.id = :id;

-- name: list
select
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, interruptions, max_receive,
  lease_ms, created_at, wake_at, owner, error
from queue_job
where (cast(:queue as text) is null or queue = :queue)
  and (cast(:tenant as text) is null or tenant = :tenant)
  and (cast(:state as text) is null or state = :state)
  and (cast(:kind as text) is null or kind = :kind)
  and (cast(:error as text) is null or replace(error, :error, '') <> error)
  and (cast(:before as bigint) is null or created_at <= :before)
  and id > :after
order by id
limit :limit;

-- name: stuck
-- A job that was retried has been idle since its last delivery ended, not since it was sent.
select
  j.id, j.queue, j.kind, j.tenant, j.state, j.priority, j.lane, j.parallel, j.received, j.failures,
  j.interruptions, j.max_receive, j.lease_ms, j.created_at, j.wake_at, j.owner, j.error, j.leased_at,
  coalesce((select max(a.ended_at) from queue_attempt a where a.job_id = j.id), j.created_at) as idle_since
from queue_job j
where j.queue = :queue and j.state <> 'dead'
  and (cast(:tenant as text) is null or j.tenant = :tenant)
  and (cast(:kind as text) is null or j.kind = :kind)
  and j.id > :after
  and (
    (j.state = 'leased' and j.wake_at <= :now)
    or (j.state = 'leased' and j.leased_at <= :now - :long - j.lease_ms)
    or (j.state = 'waiting' and j.wake_at <= :now - :late)
    or (
      j.state = 'ready' and j.created_at <= :now - :long
      and not exists (select 1 from queue_attempt a where a.job_id = j.id and a.ended_at > :now - :long)
      and not exists (select 1 from queue_control c where c.queue = j.queue and c.paused = 1)
    )
  )
order by j.id
limit :limit;

-- name: errors
-- The latest errors first; beyond the limit the oldest are left out.
select
  error, count(*) as jobs, count(*) filter (where state = 'dead') as dead, max(id) as example,
  min(ended_at) as oldest, max(ended_at) as newest
from (
  select j.id, j.state, j.error, (select max(a.ended_at) from queue_attempt a where a.job_id = j.id) as ended_at
  from queue_job j
  where j.queue = :queue and (j.failures > 0 or j.interruptions > 0) and j.state <> 'leased' and j.error is not null
    and (cast(:tenant as text) is null or j.tenant = :tenant)
    and (cast(:kind as text) is null or j.kind = :kind)
) failed
group by error
order by max(id) desc
limit :limit;

-- name: count_waiting
select count(*) as jobs
from queue_job
where queue = :queue and tenant = :tenant and state = 'waiting' and wake_at > :now and error like :error;

-- name: run_now
-- Makes a delayed job due now.
update queue_job
set wake_at = :now
where id = :id and state = 'waiting'
returning id;

-- name: run_all_now
update queue_job
set wake_at = :now
where queue = :queue and state = 'waiting' and wake_at > :now
  and error like :error and error <> :but
returning id;

-- name: unfinished
-- Which of these jobs are not done.
select id, state
from queue_job
where id {list.any_id ids}
order by id;

-- name: forget_attempts
delete from queue_attempt
where job_id {list.any_id ids};

-- name: forget_results
delete from queue_result
where job_id {list.any_id ids};

-- name: payloads
-- The payloads of a tenant's jobs that are not running.
select j.id, coalesce(j.payload, p.json) as json
from queue_job j
left join queue_payload p on p.job_id = j.id
where j.queue = :queue and j.tenant = :tenant and j.state <> 'leased' and coalesce(j.payload, p.json) is not null
order by j.id;

-- name: kept_results
-- The kept results of a tenant's jobs, also of running ones.
select r.job_id as id, r.json
from queue_result r
where exists (
    select 1 from queue_attempt a where a.job_id = r.job_id and a.queue = :queue and a.tenant = :tenant
  )
  or exists (select 1 from queue_job j where j.id = r.job_id and j.queue = :queue and j.tenant = :tenant)
order by r.job_id;

-- name: forget_tenant_payloads
delete from queue_payload
where job_id in (select id from queue_job where queue = :queue and tenant = :tenant);

-- name: forget_tenant_jobs
delete from queue_job
where queue = :queue and tenant = :tenant;

-- name: forget_tenant_attempts
delete from queue_attempt
where queue = :queue and tenant = :tenant;

-- name: forget_tenant_counts
delete from queue_count
where queue = :queue and tenant = :tenant;

-- name: forget_tenant_keys
delete from queue_key
where queue = :queue and tenant = :tenant;

-- name: forget_tenant_places
delete from queue_tenant
where queue = :queue and tenant = :tenant;
