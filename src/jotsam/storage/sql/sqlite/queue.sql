-- name: send
-- Unlike PostgreSQL, a statement changes only one table. The place is above 0 in a fair queue only.
insert into queue_job (
  queue, tenant, kind, state, priority, place, lane, parallel, wake_at, lease_ms, max_receive, created_at, payload
)
values (
  :queue, :tenant, :kind, :state, :priority,
  coalesce((
    select 1 + max(c.place, coalesce(t.place, 0))
    from queue_control c
    left join queue_tenant t on t.queue = c.queue and t.tenant = :tenant
    where c.queue = :queue and c.fair = 1
  ), 0),
  :lane, :parallel, :wake_at, :lease_ms, :max_receive, :now, :short
)
returning id, place;

insert into queue_payload (job_id, json, bytes)
select last_insert_rowid(), :json, :bytes
where :short is null;

insert into queue_count (queue, tenant, kind, hour, accepted)
values (:queue, :tenant, :kind, :hour, 1)
on conflict (queue, tenant, kind, hour) do update
set accepted = queue_count.accepted + 1;

-- name: send_many
-- Unlike PostgreSQL, the values in JSON need no types. For jobs without a lane in a queue that is not fair.
insert into queue_job (
  queue, tenant, kind, state, priority, place, parallel, wake_at, lease_ms, max_receive, created_at, payload
)
select
  :queue, value ->> 0, value ->> 1, iif(value ->> 3 is null, 'ready', 'waiting'), value ->> 2, 0, 1, value ->> 3,
  value ->> 4, value ->> 5, :now, value ->> 6
from json_each(:jobs)
order by key
returning id;

-- name: receive_one
-- Unlike PostgreSQL, there is one writer at a time, so rows need no locks. A separate query for one job avoids the
-- temporary list of `receive`, which can cost more than the rest.
update queue_job
set state = 'leased', received = received + 1, owner = :owner, leased_at = :now,
  wake_at = :now + coalesce(:lease_ms, lease_ms)
where id = (
  select id
  from queue_job
  where queue = :queue and state = 'ready'
  order by priority desc, place, id
  limit 1
)
returning
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, interruptions, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  coalesce(payload, (select json from queue_payload where job_id = queue_job.id)) as json,
  case when payload is null then (select bytes from queue_payload where job_id = queue_job.id) end as bytes;

-- name: receive
-- Unlike PostgreSQL, rows need no locks, and `claim_state` costs no round trip, so a claim requires it.
update queue_job
set state = 'leased', received = received + 1, owner = :owner, leased_at = :now,
  wake_at = :now + coalesce(:lease_ms, lease_ms)
where id in (
  select id
  from queue_job
  where queue = :queue and state = 'ready' and :looked = 1
  order by priority desc, place, id
  limit :limit
)
returning
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, interruptions, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  coalesce(payload, (select json from queue_payload where job_id = queue_job.id)) as json,
  case when payload is null then (select bytes from queue_payload where job_id = queue_job.id) end as bytes;

-- name: delete_one
-- Unlike PostgreSQL, a statement changes only one table. The last one returns what was deleted.
insert into queue_attempt (job_id, received, queue, tenant, kind, owner, started_at, ended_at, outcome, error)
select id, received, queue, tenant, kind, owner, leased_at, :now, :outcome, :error
from queue_job
where id = :id and received = :received and state = 'leased';

delete from queue_payload
where job_id = (select id from queue_job where id = :id and received = :received and state = 'leased');

insert into queue_count (queue, tenant, kind, hour, done, discarded, busy_ms)
select queue, tenant, kind, :hour, :outcome = 'done', :outcome <> 'done', max(0, :now - leased_at)
from queue_job
where id = :id and received = :received and state = 'leased'
on conflict (queue, tenant, kind, hour) do update
set done = queue_count.done + excluded.done, discarded = queue_count.discarded + excluded.discarded,
  busy_ms = queue_count.busy_ms + excluded.busy_ms;

update queue_control
set paused = 0, reason = null, probe_at = null, trips = 0
where paused = 1 and probe_at is not null and :outcome = 'done'
  and queue = (select queue from queue_job where id = :id and received = :received and state = 'leased');

delete from queue_job
where id = :id and received = :received and state = 'leased'
returning id, received, queue, tenant, lane;

-- name: delete
-- Unlike PostgreSQL, a statement changes only one table. The last one returns what was deleted. The unary plus lets most
-- calls read the few paused queues only.
insert into queue_attempt (job_id, received, queue, tenant, kind, owner, started_at, ended_at, outcome, error)
select j.id, j.received, j.queue, j.tenant, j.kind, j.owner, j.leased_at, :now, :outcome, :error
from json_each(:jobs) given
cross join queue_job j
where j.id = given.value ->> 0 and j.received = given.value ->> 1 and j.state = 'leased';

delete from queue_payload
where job_id in (
  select j.id
  from json_each(:jobs) given
  cross join queue_job j
  where j.id = given.value ->> 0 and j.received = given.value ->> 1 and j.state = 'leased'
);

insert into queue_count (queue, tenant, kind, hour, done, discarded, busy_ms)
select j.queue, j.tenant, j.kind, :hour, sum(:outcome = 'done'), sum(:outcome <> 'done'), sum(max(0, :now - j.leased_at))
from json_each(:jobs) given
cross join queue_job j
where j.id = given.value ->> 0 and j.received = given.value ->> 1 and j.state = 'leased'
group by j.queue, j.tenant, j.kind
on conflict (queue, tenant, kind, hour) do update
set done = queue_count.done + excluded.done, discarded = queue_count.discarded + excluded.discarded,
  busy_ms = queue_count.busy_ms + excluded.busy_ms;

update queue_control
set paused = 0, reason = null, probe_at = null, trips = 0
where paused = 1 and probe_at is not null and :outcome = 'done'
  and +queue in (
    select j.queue
    from json_each(:jobs) given
    cross join queue_job j
    where j.id = given.value ->> 0 and j.received = given.value ->> 1 and j.state = 'leased'
  );

delete from queue_job
where id in (
  select j.id
  from json_each(:jobs) given
  cross join queue_job j
  where j.id = given.value ->> 0 and j.received = given.value ->> 1 and j.state = 'leased'
)
returning id, received, queue, tenant, lane;

-- name: extend
-- Unlike PostgreSQL, leases are extended one by one.
update queue_job
set wake_at = :now + (:jobs ->> '$[0][2]')
where id = :id and received = :received and state = 'leased'
returning id, received, (select cancelled from queue_payload where job_id = queue_job.id) as cancelled;

-- name: due
-- Unlike PostgreSQL, no other process can wake the same rows at the same time.
select id, queue, tenant, kind, state, lane, parallel, received, failures, interruptions, max_receive, owner, leased_at,
  (select 'worker ' || w.pid || ' on ' || w.host from queue_worker w where w.owner = queue_job.owner) as worker
from queue_job
where wake_at <= :now
order by wake_at, id
limit 256;

-- name: leased_by
-- Unlike PostgreSQL, no other process can return the same rows at the same time. The last condition repeats that of
-- an index, so that dead and ready jobs are not read.
select id, queue, tenant, kind, state, lane, parallel, received, failures, interruptions, max_receive, owner, leased_at
from queue_job
where owner = :owner and state = 'leased' and wake_at is not null;

-- name: lock_leased
-- Unlike PostgreSQL, the row needs no lock: there is one writer at a time.
select id, queue, tenant, kind, lane, parallel, failures, interruptions, max_receive, owner, leased_at
from queue_job
where id = :id and received = :received and state = 'leased';

-- name: progress
-- Unlike PostgreSQL, the job cannot be acknowledged before this transaction ends, so it needs no lock.
insert into queue_payload (job_id, progress, note)
select id, :share, :note
from queue_job
where id = :id and received = :received and state = 'leased'
on conflict (job_id) do update
set progress = excluded.progress, note = excluded.note
returning job_id;

-- name: cancel
-- Unlike PostgreSQL, for the same reason.
insert into queue_payload (job_id, cancelled)
select id, 1
from queue_job
where id = :id
on conflict (job_id) do update
set cancelled = 1
returning job_id;

-- name: save_clock
-- Unlike PostgreSQL, no other process can have locked this row.
update queue_clock
set seen_at = :now
returning id;

-- name: count
-- Unlike PostgreSQL, one row per hour is enough, because writers never compete for it.
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded, busy_ms)
values (
  :queue, :tenant, :kind, :hour, :accepted, :done, :retried, :buried, :redriven, :discarded, :busy_ms
)
on conflict (queue, tenant, kind, hour) do update
set accepted = queue_count.accepted + excluded.accepted,
  done = queue_count.done + excluded.done,
  retried = queue_count.retried + excluded.retried,
  buried = queue_count.buried + excluded.buried,
  redriven = queue_count.redriven + excluded.redriven,
  discarded = queue_count.discarded + excluded.discarded,
  busy_ms = queue_count.busy_ms + excluded.busy_ms;

-- name: merge_counts
-- Unlike PostgreSQL, there is one row per hour already.
select 1
where false;

-- name: merge_old_counts
-- Unlike PostgreSQL, a statement cannot insert what it deletes.
insert into queue_count (
  queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded, busy_ms
)
select
  queue, tenant, kind, 0,
  sum(accepted), sum(done), sum(retried), sum(buried), sum(redriven), sum(discarded), sum(busy_ms)
from queue_count
where hour > 0 and hour < :hour
group by queue, tenant, kind
on conflict (queue, tenant, kind, hour) do update
set accepted = queue_count.accepted + excluded.accepted,
  done = queue_count.done + excluded.done,
  retried = queue_count.retried + excluded.retried,
  buried = queue_count.buried + excluded.buried,
  redriven = queue_count.redriven + excluded.redriven,
  discarded = queue_count.discarded + excluded.discarded,
  busy_ms = queue_count.busy_ms + excluded.busy_ms;

delete from queue_count
where hour > 0 and hour < :hour;

-- name: raise_place
-- Unlike PostgreSQL, no other process can have locked this row.
update queue_control
set place = :place
where queue = :queue and place < :place;

-- name: lock_live
-- Unlike PostgreSQL, there is one writer, so the job cannot be acknowledged before this transaction ends.
select id
from queue_job
where queue = :queue and tenant = :tenant and state <> 'dead'
limit 1;
