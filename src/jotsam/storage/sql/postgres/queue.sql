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
-- Unlike SQLite, for the same reason.
with chosen as materialized (
  select id
  from queue_job
  where queue = :queue and state = 'ready'
  order by priority desc, place, id
  limit :limit
  for no key update skip locked
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
where one in (select one from queue_clock for no key update skip locked);

-- name: count
-- Unlike SQLite, each connection counts in a row of its own: in one row for all, everybody would wait for everybody.
insert into queue_count (queue, tenant, kind, hour, accepted, done, retried, buried, redriven, discarded, backend)
values (
  :queue, :tenant, :kind, :hour, :accepted, :done, :retried, :buried, :redriven, :discarded, pg_backend_pid()
)
on conflict (queue, tenant, kind, hour, backend) do update
set accepted = queue_count.accepted + excluded.accepted,
  done = queue_count.done + excluded.done,
  retried = queue_count.retried + excluded.retried,
  buried = queue_count.buried + excluded.buried,
  redriven = queue_count.redriven + excluded.redriven,
  discarded = queue_count.discarded + excluded.discarded;

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
