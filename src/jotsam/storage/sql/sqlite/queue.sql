-- name: receive_one
-- Unlike PostgreSQL, SQLite has one writer, so nobody else can be claiming the same row. For one job alone no
-- list is made and thrown away, which at times costs more than all the rest.
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
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  (select json from queue_payload where job_id = queue_job.id) as json,
  (select bytes from queue_payload where job_id = queue_job.id) as bytes;

-- name: receive
-- Unlike PostgreSQL, for the same reason.
update queue_job
set state = 'leased', received = received + 1, owner = :owner, leased_at = :now,
  wake_at = :now + coalesce(:lease_ms, lease_ms)
where id in (
  select id
  from queue_job
  where queue = :queue and state = 'ready'
  order by priority desc, place, id
  limit :limit
)
returning
  id, queue, kind, tenant, state, priority, lane, parallel, received, failures, max_receive,
  lease_ms, created_at, wake_at, owner, error, place,
  (select json from queue_payload where job_id = queue_job.id) as json,
  (select bytes from queue_payload where job_id = queue_job.id) as bytes;

-- name: due
-- Unlike PostgreSQL, nobody else can be waking the same rows.
select id, queue, tenant, kind, state, lane, parallel, received, failures, max_receive, owner, leased_at
from queue_job
where wake_at <= :now
order by wake_at, id
limit 256;

-- name: leased
-- Unlike PostgreSQL, no row needs to be held: nobody else writes until this transaction ends.
select id, queue, tenant, kind, lane, parallel, failures, max_receive, owner, leased_at
from queue_job
where id = :id and received = :received and state = 'leased';

-- name: see
-- Unlike PostgreSQL, nobody else can be holding this row.
update queue_clock
set seen_at = :now;

-- name: count
-- Unlike PostgreSQL, one row an hour is enough: nobody has to wait for it.
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

-- name: reach
-- Unlike PostgreSQL, nobody else can be holding this row.
update queue_control
set place = :place
where queue = :queue and place < :place;
