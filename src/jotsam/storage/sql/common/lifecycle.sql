-- name: schedule
select step, due_at
from lifecycle_schedule
where tenant = :tenant
order by step;

-- name: set_due
insert into lifecycle_schedule (tenant, step, due_at)
values (:tenant, :step, :due_at)
on conflict (tenant, step) do update set due_at = excluded.due_at;

-- name: take_due
-- Of several workers one gets a row.
update lifecycle_schedule
set due_at = :next_at
where tenant = :tenant and step = :step and due_at <= :now
returning step;

-- name: add_run
insert into lifecycle_run (uuid, tenant, step, origin, state, job_id, options, created_at)
values (:uuid, :tenant, :step, :origin, 'waiting', :job_id, :options, :now)
returning id;

-- name: run
select {row.run}
from lifecycle_run r
left join queue_job j on j.id = r.job_id
where r.tenant = :tenant and r.uuid = :uuid;

-- name: runs_like
select uuid
from lifecycle_run
where tenant = :tenant and uuid >= :low and uuid < :high
order by uuid
limit 2;

-- name: runs
-- The latest first.
select {row.run}
from lifecycle_run r
left join queue_job j on j.id = r.job_id
where r.tenant = :tenant and r.id < :before and (cast(:step as text) is null or r.step = :step)
order by r.id desc
limit :limit;

-- name: live_runs
-- In the order in which they work.
select r.id, r.uuid, r.step, r.state, r.job_id, j.state as job_state
from lifecycle_run r
left join queue_job j on j.id = r.job_id
where r.tenant = :tenant and r.state in ('waiting', 'running', 'undoing')
order by r.id;

-- name: set_job
update lifecycle_run
set job_id = :job_id
where tenant = :tenant and id = :id;

-- name: save_progress
update lifecycle_run
set
  state = :state, place = cast(:place as text), parts = parts + 1, examined = examined + :examined,
  changed = changed + :changed, started_at = coalesce(started_at, :now),
  ended_at = case when :state = 'done' then :now end
where tenant = :tenant and id = :id;

-- name: fail_run
update lifecycle_run
set state = 'failed', error = :error, ended_at = :now
where tenant = :tenant and id = :id;

-- name: set_undoing
update lifecycle_run
set state = 'undoing'
where tenant = :tenant and id = :id;

-- name: save_undone
update lifecycle_run
set
  state = :state, reverted = reverted + :reverted, kept = kept + :kept,
  undone_at = case when :state = 'undone' then :now end
where tenant = :tenant and id = :id;

-- name: add_changes
insert into lifecycle_change (tenant, run_id, part, changes)
values (:tenant, :run_id, :part, :changes);

-- name: changes
select part, changes
from lifecycle_change
where tenant = :tenant and run_id = :run_id and part > :after
order by part
limit :limit;

-- name: last_changes
select part, changes
from lifecycle_change
where tenant = :tenant and run_id = :run_id and part < :before
order by part desc
limit 1;

-- name: set_changes
update lifecycle_change
set changes = :changes
where tenant = :tenant and run_id = :run_id and part = :part;

-- name: add_pair
insert into lifecycle_pair (tenant, run_id, first_id, second_id, likeness)
values (:tenant, :run_id, :first_id, :second_id, :likeness)
on conflict do nothing;

-- name: pairs
select first_id, second_id, likeness
from lifecycle_pair
where tenant = :tenant and run_id = :run_id and (first_id, second_id) > (:first_id, :second_id)
order by first_id, second_id
limit :limit;

-- name: delete_pairs
delete from lifecycle_pair
where tenant = :tenant and run_id = :run_id;

-- name: refuse
insert into lifecycle_refusal (tenant, hash, created_at)
values (:tenant, :hash, :now)
on conflict do nothing;

-- name: refused
select hash
from lifecycle_refusal
where tenant = :tenant and hash in ({list.texts hashes});

-- name: refused_since
select hash
from lifecycle_refusal
where tenant = :tenant and hash in ({list.texts hashes}) and created_at >= :since;

-- name: allow_again
delete from lifecycle_refusal
where tenant = :tenant and hash = :hash;

-- name: forget_refusals
delete from lifecycle_refusal
where tenant = :tenant
returning hash;

-- name: remove_runs
-- Ended before a time, the oldest first.
delete from lifecycle_run
where tenant = :tenant and id in (
  select id
  from lifecycle_run
  where tenant = :tenant and ended_at < :before and state in ('done', 'failed', 'undone')
  order by ended_at, id
  limit :limit
)
returning id;

-- name: relevance_statistics
-- Of the memories that are neither superseded nor archived, in AutoMem's classes.
select
  count(*) as memories, coalesce(avg(coalesce(r.relevance, 0.5)), 0) as average,
  count(case when coalesce(r.relevance, 0.5) > 0.7 then 1 end) as high,
  count(case when coalesce(r.relevance, 0.5) > 0.3 and coalesce(r.relevance, 0.5) <= 0.7 then 1 end) as medium,
  count(case when coalesce(r.relevance, 0.5) > 0.1 and coalesce(r.relevance, 0.5) <= 0.3 then 1 end) as low,
  count(case when coalesce(r.relevance, 0.5) <= 0.1 then 1 end) as archive
from memory m
left join relevance r on r.memory_id = m.id and r.tenant = m.tenant
where m.tenant = :tenant and m.superseded_at is null and m.archived_at is null;

-- name: attention
-- A run whose job is dead or was discarded has failed, before the next one notes it.
select
  r.uuid, r.step, coalesce(r.error, j.error) as error,
  case
    when r.state in ('waiting', 'running') and r.job_id <> 0 and (j.id is null or j.state = 'dead') then 'failed'
    else r.state
  end as state
from lifecycle_run r
left join queue_job j on j.id = r.job_id
where r.tenant = :tenant and (r.state in ('waiting', 'running', 'undoing') or (r.state = 'failed' and not exists (
  select 1
  from lifecycle_run later
  where later.tenant = :tenant and later.step = r.step and later.id > r.id
)))
order by r.id
limit 20;

-- name: step_statistics
select step, state, count(*) as runs, cast(sum(changed) as bigint) as changed, max(ended_at) as ended_at
from lifecycle_run
where tenant = :tenant
group by step, state
order by step, state;
