-- name: send
-- Unlike SQLite, one statement can change several tables, and whoever asks a server does well to ask once.
with sent as (
  insert into queue_job (
    queue, tenant, kind, state, priority, place, lane, parallel, wake_at, lease_ms, max_receive, created_at
  )
  values (
    :queue, :tenant, :kind, :state, :priority, :place, :lane, :parallel, :wake_at, :lease_ms, :max_receive, :now
  )
  returning id
),
payload as (
  insert into queue_payload (job_id, json, bytes)
  select id, :json, :bytes
  from sent
),
counted as (
  insert into queue_count (queue, tenant, kind, hour, accepted)
  values (:queue, :tenant, :kind, :hour, 1)
)
select id
from sent;

-- name: receive_one
-- Unlike SQLite, others are claiming at this moment: what they have locked is stepped over. The choice is made first
-- and once: within the update it could be made anew for a row that changed meanwhile, and take more than asked for.
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
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  (select json from queue_payload where job_id = queue_job.id) as json,
  (select bytes from queue_payload where job_id = queue_job.id) as bytes;

-- name: receive
-- Unlike SQLite, for the same reason; and because a transaction that somebody forgot keeps the entries of jobs that are
-- long done in the index, where a claim steps over them all. So whoever claims again and again hands in how far it has
-- come (see `Floor`), and looks above that. What is ready for a second time stands in an index of its own, for it may
-- be below; and so the order is kept.
-- It claims only where nothing has to be looked at before (see `outlook`): who has looked says so. Mostly there is
-- nothing, and then this is the only question.
with clear as materialized (
  select c.one
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
  where queue = :queue and state = 'ready' and priority > :floor_priority and exists (select one from clear)
  order by priority desc, place, id
  limit :limit
  for no key update skip locked
),
equal as materialized (
  select id, priority, place
  from queue_job
  where queue = :queue and state = 'ready' and priority = :floor_priority
    and (place, id) > (cast(:floor_place as bigint), cast(:floor_id as bigint)) and exists (select one from clear)
  order by priority desc, place, id
  limit :limit - (select count(*) from higher)
  for no key update skip locked
),
lower as materialized (
  select id, priority, place
  from queue_job
  where queue = :queue and state = 'ready' and priority < :floor_priority and exists (select one from clear)
  order by priority desc, place, id
  limit :limit - (select count(*) from higher) - (select count(*) from equal)
  for no key update skip locked
),
back as materialized (
  select id, priority, place
  from queue_job
  where queue = :queue and state = 'ready' and again and exists (select one from clear)
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
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  (select json from queue_payload where job_id = queue_job.id) as json,
  (select bytes from queue_payload where job_id = queue_job.id) as bytes;

-- name: delete
-- Unlike SQLite, one statement can change several tables, and whoever asks a server does well to ask once. The state is
-- hidden from the planner: else, while there are few jobs, it would look for them in an index of states, and go on to
-- when there are many.
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
  insert into queue_count (queue, tenant, kind, hour, done, discarded)
  select
    queue, tenant, kind, :hour,
    count(*) filter (where cast(:outcome as text) = 'done'),
    count(*) filter (where cast(:outcome as text) <> 'done')
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
-- Unlike SQLite, a list is unfolded by json_array_elements. The state is hidden as in `delete`.
with given as materialized (
  select
    cast(value ->> 0 as bigint) as id,
    cast(value ->> 1 as bigint) as received,
    cast(value ->> 2 as bigint) as lease_ms
  from json_array_elements(cast(:jobs as json)) job (value)
)
update queue_job
set wake_at = :now + given.lease_ms
from given
where queue_job.id = any (array(select id from given))
  and queue_job.id = given.id and queue_job.received = given.received and queue_job.state || '' = 'leased'
returning
  queue_job.id, queue_job.received,
  (select cancelled from queue_payload where job_id = queue_job.id) as cancelled;

-- name: due
-- Unlike SQLite, others are waking at this moment: each wakes what no other has in hand, and so everything is woken
-- once.
select id, queue, tenant, kind, state, lane, parallel, received, failures, max_receive, owner, leased_at
from queue_job
where wake_at <= :now
order by wake_at, id
limit 256
for no key update skip locked;

-- name: leased
-- Unlike SQLite, the row is held until this transaction ends: else its lease could end between looking and changing.
select id, queue, tenant, kind, lane, parallel, failures, max_receive, owner, leased_at
from queue_job
where id = :id and received = :received and state = 'leased'
for no key update;

-- name: see
-- Unlike SQLite, somebody else may be writing this row, and then has seen as much: nobody waits for it.
update queue_clock
set seen_at = :now
where one in (select one from queue_clock for no key update skip locked)
returning one;

-- name: count
-- Unlike SQLite, every event is a row of its own, until `fold_counts` comes by: in one row for all, everybody would wait
-- for everybody, and a row that is changed all the time is slow to find where old versions cannot be cleared away.
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded)
values (:queue, :tenant, :kind, :hour, :accepted, :done, :retried, :buried, :redriven, :discarded);

-- name: fold_counts
-- Unlike SQLite, where there is one row an hour anyway. Makes that of the rows of this hour and the one before.
with folded as (
  delete from queue_count
  where hour >= :hour - 1
  returning queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded
)
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded)
select
  queue, tenant, kind, hour,
  sum(accepted), sum(done), sum(retried), sum(buried), sum(redriven), sum(discarded)
from folded
group by queue, tenant, kind, hour;

-- name: reach
-- Unlike SQLite, somebody else may be writing this row; how far the queue has come is then said by the next claim.
update queue_control
set place = :place
where queue in (
  select queue
  from queue_control
  where queue = :queue and place < :place
  for no key update skip locked
);

-- name: alive
-- Unlike SQLite, the job could be acknowledged while this transaction relies on it, so it has to stay until this one
-- ends. One that somebody is changing at this moment does not count: a job too many does no harm, and waiting might.
select id
from queue_job
where queue = :queue and tenant = :tenant and state <> 'dead'
limit 1
for key share skip locked;
