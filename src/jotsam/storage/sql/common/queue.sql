-- The queue. Every change of a leased job names the job's id and its fencing token, `received`.

-- name: find_key
select job_id
from queue_key
where queue = :queue and tenant = :tenant and key = :key and expires_at > :now;

-- name: save_key
insert into queue_key (queue, tenant, key, job_id, expires_at)
values (:queue, :tenant, :key, :job_id, :expires_at)
on conflict (queue, tenant, key) do update
set job_id = excluded.job_id, expires_at = excluded.expires_at;

-- name: forget_keys
delete from queue_key
where expires_at <= :now;

-- name: send
insert into queue_job (
  queue, tenant, kind, state, priority, place, lane, parallel, wake_at, lease_ms, max_receive, created_at
)
values (
  :queue, :tenant, :kind, :state, :priority, :place, :lane, :parallel, :wake_at, :lease_ms, :max_receive, :now
)
returning id;

-- name: save_payload
insert into queue_payload (job_id, json, bytes)
values (:job_id, :json, :bytes);

-- name: seen
select seen_at
from queue_clock;

-- name: see
update queue_clock
set seen_at = :now;

-- name: turn_back
update queue_job
set wake_at = wake_at - :by
where wake_at is not null;

-- name: due
select id, queue, tenant, kind, state, lane, parallel, received, failures, max_receive, owner, leased_at
from queue_job
where wake_at <= :now
order by wake_at, id
limit 256;

-- name: wake
update queue_job
set state = :state, wake_at = null, owner = null, failures = :failures, error = coalesce(:error, error)
where id = :id;

-- name: extend
update queue_job
set wake_at = :wake_at
where id = :id and received = :received and state = 'leased'
returning id;

-- name: delete
delete from queue_job
where id = :id and received = :received and state = 'leased'
returning id, queue, tenant, kind, lane, owner, leased_at;

-- name: delete_payload
delete from queue_payload
where job_id = :id;

-- name: leased
select id, queue, tenant, kind, lane, parallel, failures, max_receive, owner, leased_at
from queue_job
where id = :id and received = :received and state = 'leased';

-- name: put_back
update queue_job
set state = :state, wake_at = :wake_at, owner = null, failures = :failures, error = :error
where id = :id and received = :received and state = 'leased';

-- name: redrive
update queue_job
set state = :state, failures = 0, error = null
where id = :id and state = 'dead';

-- name: discard
delete from queue_job
where id = :id and state <> 'leased'
returning id, queue, tenant, kind, state, lane;

-- name: lane_first
select id, parallel
from queue_job
where queue = :queue and tenant = :tenant and lane = :lane and state = :state
order by id
limit 1;

-- name: lane_barrier
select min(id) as id
from queue_job
where queue = :queue and tenant = :tenant and lane = :lane and state = 'blocked' and parallel = 0;

-- name: lane_open_one
update queue_job
set state = 'ready'
where id = :id and state = 'blocked';

-- name: lane_open_batch
update queue_job
set state = 'ready'
where queue = :queue and tenant = :tenant and lane = :lane and state = 'blocked'
  and (cast(:barrier as integer) is null or id < :barrier);

-- name: attempt
insert into queue_attempt (job_id, received, queue, tenant, kind, owner, started_at, ended_at, outcome, error, trace)
values (:id, :received, :queue, :tenant, :kind, :owner, :started_at, :now, :outcome, :error, :trace);

-- name: attempts
select received, owner, started_at, ended_at, outcome, error, trace
from queue_attempt
where job_id = :id
order by received;

-- name: count
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded)
values (
  :queue, :tenant, :kind, :hour, :accepted, :done, :retried, :buried, :redriven, :discarded
)
on conflict (queue, tenant, kind, hour) do update
set accepted = queue_count.accepted + excluded.accepted,
  done = queue_count.done + excluded.done,
  retried = queue_count.retried + excluded.retried,
  buried = queue_count.buried + excluded.buried,
  redriven = queue_count.redriven + excluded.redriven,
  discarded = queue_count.discarded + excluded.discarded;

-- name: totals
select
  coalesce(sum(accepted), 0) as accepted,
  coalesce(sum(done), 0) as done,
  coalesce(sum(retried), 0) as retried,
  coalesce(sum(buried), 0) as buried,
  coalesce(sum(redriven), 0) as redriven,
  coalesce(sum(discarded), 0) as discarded
from queue_count
where (cast(:queue as text) is null or queue = :queue) and (cast(:tenant as text) is null or tenant = :tenant);

-- name: live
select
  count(*) filter (where state <> 'leased' and failures = 0) as pending,
  count(*) filter (where state = 'leased') as in_progress,
  count(*) filter (where state <> 'leased' and failures > 0) as failed,
  min(created_at) as oldest
from queue_job
where queue = :queue and tenant = :tenant and state <> 'dead';

-- name: dead
select count(*) as dead
from queue_job
where queue = :queue and tenant = :tenant and state = 'dead';

-- name: crowd
select count(*) as jobs
from (
  select id
  from queue_job
  where queue = :queue and tenant = :tenant and state <> 'dead'
  limit :limit
) live;

-- name: next_wake
select min(wake_at) as wake_at
from queue_job
where wake_at is not null;

-- name: any_ready
select id
from queue_job
where queue = :queue and state = 'ready'
  and not exists (select 1 from queue_control where queue = :queue and paused = 1)
limit 1;

-- name: pause
insert into queue_control (queue, paused, reason)
values (:queue, 1, :reason)
on conflict (queue) do update set paused = 1, reason = excluded.reason;

-- name: resume
update queue_control
set paused = 0, reason = null, probe_at = null
where queue = :queue;

-- name: get
select
  j.id, j.queue, j.kind, j.tenant, j.state, j.priority, j.lane, j.parallel, j.received, j.failures, j.max_receive,
  j.lease_ms, j.created_at, j.wake_at, j.owner, j.error, p.json, p.bytes
from queue_job j
left join queue_payload p on p.job_id = j.id
where j.id = :id;

-- name: list
select
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, max_receive,
  lease_ms, created_at, wake_at, owner, error
from queue_job
where (cast(:queue as text) is null or queue = :queue)
  and (cast(:tenant as text) is null or tenant = :tenant)
  and (cast(:state as text) is null or state = :state)
  and (cast(:kind as text) is null or kind = :kind)
  and id > :after
order by id
limit :limit;
