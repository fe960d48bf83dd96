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
