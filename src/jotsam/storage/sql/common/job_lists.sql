-- Lists of a tenant's jobs for people. Each reads a window of the queue in the order of an index, so that a page costs
-- the same however many jobs there are.

-- name: unfinished
-- Those that are neither done nor dead, the newest first.
select id, queue, state, failures, interruptions, max_receive, received, created_at, wake_at, error
from (
  select id, queue, state, failures, interruptions, max_receive, received, created_at, wake_at, error
  from queue_job
  where state <> 'dead' and {chosen.place}
  order by queue desc, tenant desc, id desc
  limit :window
) j
where (cast(:state as text) is null or state = :state) and {chosen.job}
order by id desc
limit :limit;

-- name: unfinished_end
select count(*) as jobs, min(id) as last
from (
  select id
  from queue_job
  where state <> 'dead' and {chosen.place}
  order by queue desc, tenant desc, id desc
  limit :window
) looked;

-- name: dead
select id, queue, state, failures, interruptions, max_receive, received, created_at, wake_at, error
from (
  select id, queue, state, failures, interruptions, max_receive, received, created_at, wake_at, error
  from queue_job
  where state = 'dead' and {chosen.place}
  order by queue desc, tenant desc, id desc
  limit :window
) j
where {chosen.job}
order by id desc
limit :limit;

-- name: dead_end
select count(*) as jobs, min(id) as last
from (
  select id
  from queue_job
  where state = 'dead' and {chosen.place}
  order by queue desc, tenant desc, id desc
  limit :window
) looked;

-- name: leased
-- The window has the leases and delays of all queues and tenants that end soonest: running jobs can be anywhere among
-- the others, but there are few of them.
select id, queue, state, failures, interruptions, max_receive, received, created_at, wake_at, error
from (
  select id, queue, tenant, state, failures, interruptions, max_receive, received, created_at, wake_at, error
  from queue_job
  where wake_at is not null
  order by wake_at
  limit :window
) j
where tenant = :tenant and queue {list.any_text queues} and state = 'leased' and id < :before and {chosen.job}
order by id desc
limit :limit;

-- name: leased_end
-- Running jobs beyond the window have no place in the order of ids, so there is no page after it.
select count(*) as jobs, 0 as last
from (
  select id
  from queue_job
  where wake_at is not null and :before >= 0
  limit :window
) looked;

-- name: ended
-- Those that are in the queue no longer, by their last delivery. The window covers all queues and tenants, as that of
-- `queue.latest_done`.
select id, queue, outcome, received, ended_at, error
from (
  select job_id as id, queue, tenant, outcome, received, ended_at, error
  from queue_attempt
  where job_id < :before
  order by job_id desc, received desc
  limit :window
) j
where tenant = :tenant and queue {list.any_text queues}
  and (select count(*) from queue_job q where q.id = j.id) = 0
  and (select max(a.received) from queue_attempt a where a.job_id = j.id) = j.received
  and case cast(:state as text) when 'discarded' then outcome not in ('done', 'cancelled') else outcome = cast(:state as text) end
  and {chosen.job}
order by id desc
limit :limit;

-- name: ended_end
select count(*) as jobs, min(job_id) as last
from (
  select job_id
  from queue_attempt
  where job_id < :before
  order by job_id desc, received desc
  limit :window
) looked;

-- name: documents
-- The documents of some jobs. The tenant is concatenated so that planners use the number of the job.
select job_id, uuid, project, source, created_at, substr(body, 1, 200) as beginning
from document
where tenant || '' = :tenant and job_id {list.any_id ids};

-- name: memories
select
  m.job_id, m.uuid, m.project, m.source, m.created_at, coalesce(m.summary, substr(m.body, 1, 200)) as beginning,
  (select d.uuid from document d where d.id = m.document_id and d.tenant = m.tenant) as document
from memory m
where m.tenant || '' = :tenant and m.job_id {list.any_id ids};

-- name: failures
-- Errors of the dead jobs that were sent last, and of the unfinished ones that were sent first: these are tried before
-- the others.
select
  error, count(*) as jobs, count(*) filter (where state = 'dead') as dead, max(id) as example,
  min(ended_at) as oldest, max(ended_at) as newest
from (
  select j.id, j.state, j.error, (select max(a.ended_at) from queue_attempt a where a.job_id = j.id) as ended_at
  from (
    select *
    from (
      select id, state, error, failures, interruptions
      from queue_job
      where state = 'dead' and {chosen.place}
      order by queue desc, tenant desc, id desc
      limit :window
    ) dead
    union all
    select *
    from (
      select id, state, error, failures, interruptions
      from queue_job
      where state <> 'dead' and {chosen.place}
      order by queue, tenant, id
      limit :window
    ) live
  ) j
  where (j.failures > 0 or j.interruptions > 0) and j.state <> 'leased' and j.error is not null
) failed
group by error
order by max(id) desc
limit :window;

-- name: count_dead
select count(*) as jobs
from (
  select id
  from queue_job
  where queue = :queue and tenant = :tenant and state = 'dead'
  limit :limit
) dead;

-- name: held_since
-- When the delivery of a running job began, and the process that has it.
select j.leased_at, w.host, w.pid
from queue_job j
left join queue_worker w on w.owner = j.owner
where j.id = :id and j.tenant = :tenant and j.state = 'leased';

-- name: made_of_document
-- What was extracted from the chunks of a document, each number counted up to a limit.
select
  (
    select count(*)
    from (
      select f.id
      from memory m
      join fact f on f.memory_id = m.id
      where m.tenant = :tenant and m.document_id = :id
      limit :limit
    ) facts
  ) as facts,
  (
    select count(*)
    from (
      select e.entity_id
      from memory m
      join mention e on e.memory_id = m.id
      where m.tenant = :tenant and m.document_id = :id
      limit :limit
    ) mentions
  ) as mentions,
  (
    select count(*)
    from (
      select l.target_id
      from memory m
      join link l on l.source_id = m.id
      where m.tenant = :tenant and m.document_id = :id
      limit :limit
    ) links
  ) as links;

-- name: made_of_memory
select
  (select count(*) from fact f where f.memory_id = :id and f.tenant = :tenant) as facts,
  (select count(*) from mention e where e.memory_id = :id and e.tenant = :tenant) as mentions,
  (select count(*) from link l where l.source_id = :id and l.tenant = :tenant) as links;
