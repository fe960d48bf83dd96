-- name: send
-- Unlike SQLite, one statement can change several tables, which saves round trips. The place is above 0 in a fair queue
-- only.
with sent as (
  insert into queue_job (
    queue, tenant, kind, state, priority, place, lane, parallel, wake_at, lease_ms, max_receive, created_at, payload
  )
  values (
    :queue, :tenant, :kind, :state, :priority,
    coalesce((
      select 1 + greatest(c.place, coalesce(t.place, 0))
      from queue_control c
      left join queue_tenant t on t.queue = c.queue and t.tenant = :tenant
      where c.queue = :queue and c.fair = 1
    ), 0),
    :lane, :parallel, :wake_at, :lease_ms, :max_receive, :now, :short
  )
  returning id, place
),
payload as (
  insert into queue_payload (job_id, json, bytes)
  select id, :json, :bytes
  from sent
  where cast(:short as text) is null
),
counted as (
  insert into queue_count (queue, tenant, kind, hour, accepted)
  values (:queue, :tenant, :kind, :hour, 1)
)
select id, place
from sent;

-- name: send_many
-- Unlike SQLite, the values in JSON need types. For jobs without a lane in a queue that is not fair.
insert into queue_job (
  queue, tenant, kind, state, priority, place, parallel, wake_at, lease_ms, max_receive, created_at, payload
)
select
  :queue, value ->> 0, value ->> 1, case when value ->> 3 is null then 'ready' else 'waiting' end,
  cast(value ->> 2 as integer), 0, 1, cast(value ->> 3 as bigint), cast(value ->> 4 as bigint),
  cast(value ->> 5 as integer), :now, value ->> 6
from json_array_elements(cast(:jobs as json)) with ordinality job (value, key)
order by key
returning id;

-- name: receive_one
-- Unlike SQLite, other transactions claim at the same time: rows they have locked are skipped. The choice is
-- materialized, because inside the update it could be repeated for a row that changed in the meantime, and claim
-- more than requested.
with chosen as materialized (
  select id
  from queue_job
  where queue = :queue and state = 'ready'
  order by priority desc, place, id
  limit 1
  for no key update skip locked
)
update queue_job
set state = 'leased', received = received + 1, owner = :owner, leased_at = :now,
  wake_at = :now + coalesce(:lease_ms, lease_ms)
where id = (select id from chosen)
returning
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, interruptions, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  coalesce(payload, (select json from queue_payload where job_id = queue_job.id)) as json,
  case when payload is null then (select bytes from queue_payload where job_id = queue_job.id) end as bytes;

-- name: receive
-- Unlike SQLite, locked rows are skipped; and an idle transaction keeps index entries of deleted jobs alive, which
-- every claim would have to read. A receiver therefore passes the position of its last claim (see `Watermark`) and
-- reads above it. Jobs that are ready for a second time may be below, so they have an index of their own. With
-- `looked` = 0 it claims only if `claim_state` would report nothing to do first, which saves that query in most cases.
with clear as materialized (
  select c.id
  from queue_clock c
  left join queue_control q on q.queue = :queue
  where cast(:looked as bigint) = 1 or (
    coalesce(q.paused, 0) = 0 and c.seen_at between :now - :tolerance and :now
    and not exists (select 1 from queue_job where wake_at <= :now and wake_at > :since)
  )
),
higher as materialized (
  select id, priority, place
  from queue_job
  where queue = :queue and state = 'ready' and priority > :after_priority and exists (select id from clear)
  order by priority desc, place, id
  limit :limit
  for no key update skip locked
),
equal as materialized (
  select id, priority, place
  from queue_job
  where queue = :queue and state = 'ready' and priority = :after_priority
    and (place, id) > (cast(:after_place as bigint), cast(:after_id as bigint)) and exists (select id from clear)
  order by priority desc, place, id
  limit :limit - (select count(*) from higher)
  for no key update skip locked
),
lower as materialized (
  select id, priority, place
  from queue_job
  where queue = :queue and state = 'ready' and priority < :after_priority and exists (select id from clear)
  order by priority desc, place, id
  limit :limit - (select count(*) from higher) - (select count(*) from equal)
  for no key update skip locked
),
back as materialized (
  select id, priority, place
  from queue_job
  where queue = :queue and state = 'ready' and requeued and exists (select id from clear)
  order by priority desc, place, id
  limit :limit
  for no key update skip locked
),
chosen as materialized (
  select id
  from (
    select id, priority, place from higher
    union
    select id, priority, place from equal
    union
    select id, priority, place from lower
    union
    select id, priority, place from back
  ) found
  order by priority desc, place, id
  limit :limit
)
update queue_job
set state = 'leased', received = received + 1, owner = :owner, leased_at = :now,
  wake_at = :now + coalesce(:lease_ms, lease_ms)
where id = any (array(select id from chosen))
returning
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, interruptions, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  coalesce(payload, (select json from queue_payload where job_id = queue_job.id)) as json,
  case when payload is null then (select bytes from queue_payload where job_id = queue_job.id) end as bytes;

-- name: delete_one
-- Unlike SQLite, one statement can change several tables, which saves round trips. With one job it costs half of `delete`.
-- The state is concatenated for the same reason as there.
with gone as (
  delete from queue_job
  where id = :id and received = :received and state || '' = 'leased'
  returning id, received, queue, tenant, kind, lane, owner, leased_at
),
payload as (
  delete from queue_payload
  where job_id = (select id from gone)
),
history as (
  insert into queue_attempt (job_id, received, queue, tenant, kind, owner, started_at, ended_at, outcome, error)
  select id, received, queue, tenant, kind, owner, leased_at, :now, :outcome, :error
  from gone
),
counted as (
  insert into queue_count (queue, tenant, kind, hour, done, discarded, busy_ms)
  select
    queue, tenant, kind, :hour,
    cast(cast(:outcome as text) = 'done' as integer),
    cast(cast(:outcome as text) <> 'done' as integer),
    greatest(0, :now - leased_at)
  from gone
),
breaker as (
  update queue_control
  set paused = 0, reason = null, probe_at = null, trips = 0
  where paused = 1 and probe_at is not null and cast(:outcome as text) = 'done'
    and queue = (select queue from gone)
)
select id, received, queue, tenant, lane
from gone;

-- name: delete
-- Unlike SQLite, many jobs are deleted at once. The state is concatenated so that the planner does not choose an index
-- of states while there are few jobs, and keep that plan when there are many.
with given as materialized (
  select cast(value ->> 0 as bigint) as id, cast(value ->> 1 as bigint) as received
  from json_array_elements(cast(:jobs as json)) job (value)
),
gone as (
  delete from queue_job
  where id = any (array(select id from given)) and (id, received) in (select id, received from given)
    and state || '' = 'leased'
  returning id, received, queue, tenant, kind, lane, owner, leased_at
),
payload as (
  delete from queue_payload
  where job_id = any (array(select id from gone))
),
history as (
  insert into queue_attempt (job_id, received, queue, tenant, kind, owner, started_at, ended_at, outcome, error)
  select id, received, queue, tenant, kind, owner, leased_at, :now, :outcome, :error
  from gone
),
counted as (
  insert into queue_count (queue, tenant, kind, hour, done, discarded, busy_ms)
  select
    queue, tenant, kind, :hour,
    count(*) filter (where cast(:outcome as text) = 'done'),
    count(*) filter (where cast(:outcome as text) <> 'done'),
    sum(greatest(0, :now - leased_at))
  from gone
  group by queue, tenant, kind
),
breaker as (
  update queue_control
  set paused = 0, reason = null, probe_at = null, trips = 0
  where paused = 1 and probe_at is not null and cast(:outcome as text) = 'done'
    and queue in (select queue from gone)
)
select id, received, queue, tenant, lane
from gone
order by id;

-- name: extend
-- Unlike SQLite, many leases are extended at once, and a handler may have locked its own job to extend or acknowledge it.
-- Such a job is returned and not extended. The state is concatenated for the same reason as in `delete`.
with given as materialized (
  select
    cast(value ->> 0 as bigint) as id,
    cast(value ->> 1 as bigint) as received,
    cast(value ->> 2 as bigint) as lease_ms
  from json_array_elements(cast(:jobs as json)) job (value)
),
free as materialized (
  select id
  from queue_job
  where id = any (array(select id from given)) and (id, received) in (select id, received from given)
    and state || '' = 'leased'
  for no key update skip locked
),
extended as (
  update queue_job
  set wake_at = :now + given.lease_ms
  from given
  where queue_job.id = any (array(select id from free)) and queue_job.id = given.id
)
select
  queue_job.id, queue_job.received,
  (select cancelled from queue_payload where job_id = queue_job.id) as cancelled
from queue_job
join given on given.id = queue_job.id and given.received = queue_job.received
where queue_job.id = any (array(select id from given)) and queue_job.state || '' = 'leased';

-- name: due
-- Unlike SQLite, other processes wake jobs at the same time: rows they have locked are skipped, so each job is woken
-- once.
select id, queue, tenant, kind, state, lane, parallel, received, failures, interruptions, max_receive, owner, leased_at,
  (select 'worker ' || w.pid || ' on ' || w.host from queue_worker w where w.owner = queue_job.owner) as worker
from queue_job
where wake_at <= :now
order by wake_at, id
limit 256
for no key update skip locked;

-- name: leased_by
-- Unlike SQLite, other processes return jobs at the same time: rows they have locked are skipped. The last
-- condition repeats that of an index, so that dead and ready jobs are not read.
select id, queue, tenant, kind, state, lane, parallel, received, failures, interruptions, max_receive, owner, leased_at
from queue_job
where owner = :owner and state = 'leased' and wake_at is not null
for no key update skip locked;

-- name: lock_leased
-- Unlike SQLite, the row must be locked, or its lease could expire between this query and the next statement.
select id, queue, tenant, kind, lane, parallel, failures, interruptions, max_receive, owner, leased_at
from queue_job
where id = :id and received = :received and state = 'leased'
for no key update;

-- name: progress
-- Unlike SQLite, the job must be locked, or it could be acknowledged in the meantime and leave this row behind.
with leased as materialized (
  select id
  from queue_job
  where id = :id and received = :received and state = 'leased'
  for key share
)
insert into queue_payload (job_id, progress, note)
select id, cast(:share as double precision), cast(:note as text)
from leased
on conflict (job_id) do update
set progress = excluded.progress, note = excluded.note
returning job_id;

-- name: cancel
-- Unlike SQLite, for the same reason.
with known as materialized (
  select id
  from queue_job
  where id = :id
  for key share
)
insert into queue_payload (job_id, cancelled)
select id, 1
from known
on conflict (job_id) do update
set cancelled = 1
returning job_id;

-- name: save_clock
-- Unlike SQLite, another process may have locked this row. It is skipped then, because that process writes about the
-- same.
update queue_clock
set seen_at = :now
where id in (select id from queue_clock for no key update skip locked)
returning id;

-- name: count
-- Unlike SQLite, every event inserts a row, which `merge_counts` later sums up: with one row per hour all writers
-- would wait for each other, and its dead versions would slow reads down.
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded, busy_ms)
values (:queue, :tenant, :kind, :hour, :accepted, :done, :retried, :buried, :redriven, :discarded, :busy_ms);

-- name: merge_counts
-- Unlike SQLite, there is a row per event: this merges those of the current and the previous hour.
with folded as (
  delete from queue_count
  where hour >= :hour - 1
  returning queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded, busy_ms
)
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded, busy_ms)
select
  queue, tenant, kind, hour,
  sum(accepted), sum(done), sum(retried), sum(buried), sum(redriven), sum(discarded), sum(busy_ms)
from folded
group by queue, tenant, kind, hour;

-- name: merge_old_counts
-- Unlike SQLite, the rows of hour 0 are replaced too: there may be several, and a conflict would need a unique index.
with folded as (
  delete from queue_count
  where hour < :hour and exists (select 1 from queue_count where hour > 0 and hour < :hour)
  returning queue, tenant, kind, accepted, done, retried, buried, redriven, discarded, busy_ms
)
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded, busy_ms)
select
  queue, tenant, kind, 0,
  sum(accepted), sum(done), sum(retried), sum(buried), sum(redriven), sum(discarded), sum(busy_ms)
from folded
group by queue, tenant, kind;

-- name: raise_place
-- Unlike SQLite, another process may have locked this row. It is skipped then, and the next claim updates it.
update queue_control
set place = :place
where queue in (
  select queue
  from queue_control
  where queue = :queue and place < :place
  for no key update skip locked
);

-- name: lock_live
-- Unlike SQLite, the job could be acknowledged while this transaction relies on it, so it is locked. A job locked by
-- another transaction does not count: one job too many does no harm, and waiting might.
select id
from queue_job
where queue = :queue and tenant = :tenant and state <> 'dead'
limit 1
for key share skip locked;
