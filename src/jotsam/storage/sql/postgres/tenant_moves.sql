-- Moving a tenant to another server. A file has no such table: a whole file is copied instead.

-- name: lock
-- Unlike SQLite, transactions of the tenant run at the same time: this one waits for those that write.
select pg_advisory_xact_lock(hashtextextended(current_schema() || ' tenant ' || cast(:tenant as text), 0));

-- name: pass
-- Unlike SQLite, a tenant can move: this transaction belongs to the move and is not refused.
select set_config('jotsam.move', :move, true);

-- name: find
-- Unlike SQLite, a tenant can move.
select tenant, move, state, other, first_job, place, server
from tenant_move
where tenant = :tenant;

-- name: held
-- Unlike SQLite, a tenant can move. Those whose changes are refused.
select tenant
from tenant_move
where state <> 'arrived';

-- name: unfinished
-- Unlike SQLite, a tenant can move.
select tenant
from tenant_move
where state <> 'gone'
order by tenant;

-- name: save
-- Unlike SQLite, a tenant can move.
insert into tenant_move (tenant, move, state, other, first_job, place, server)
values (:tenant, :move, :state, :other, :first_job, null, :server)
on conflict (tenant) do update
set
  move = excluded.move,
  state = excluded.state,
  other = excluded.other,
  first_job = excluded.first_job,
  place = null,
  server = excluded.server;

-- name: set_state
-- Unlike SQLite, a tenant can move.
update tenant_move
set state = :state, server = coalesce(:server, server)
where tenant = :tenant and move = :move;

-- name: reset
-- Unlike SQLite, a tenant can move.
update tenant_move
set place = null
where tenant = :tenant and move = :move;

-- name: advance
-- Unlike SQLite, a tenant can move. Compares the previous place, so that two processes never copy at once.
update tenant_move
set place = :place
where tenant = :tenant and move = :move and place is not distinct from cast(:before as text)
returning tenant;

-- name: remove
-- Unlike SQLite, a tenant can move.
delete from tenant_move
where tenant = :tenant and move = :move;

-- name: embedders
-- Unlike SQLite, a tenant can move.
select e.id, e.name, e.dimension, e.place
from embedder e
where exists (select 1 from embedding v where v.tenant = :tenant and v.embedder_id = e.id)
order by e.id;

-- name: hold_jobs
-- Unlike SQLite, a tenant can move. A worker that has leased one finds its lease lost. Dead and blocked jobs are not
-- claimed: the second wait for one that is held.
with chosen as materialized (
  select id, state, wake_at
  from queue_job
  where tenant = :tenant and queue in ({list.texts queues}) and state in ('ready', 'leased', 'waiting')
    and (wake_at is null or wake_at < :never / 2) -- a clock that is set back shifts all of them
  order by id
  limit :limit
  for no key update
),
held as (
  insert into held_job (job_id, tenant, state, wake_at)
  select id, :tenant, case when state = 'leased' then 'ready' else state end, case when state = 'waiting' then wake_at end
  from chosen
  on conflict (job_id) do update set state = excluded.state, wake_at = excluded.wake_at
)
update queue_job
set state = 'waiting', wake_at = :never, owner = null, leased_at = null
where id in (select id from chosen)
returning id;

-- name: remove_texts
-- Unlike SQLite, a tenant can move. By memory and document, because the index has no key that begins with the tenant.
with chosen as materialized (
  select ref
  from (
    select id as ref from memory where tenant = :tenant and cast(:sign as bigint) = 1
    union all
    select -id from document where tenant = :tenant and cast(:sign as bigint) = -1
  ) refs
  where ref * cast(:sign as bigint) > :after
  order by ref * cast(:sign as bigint)
  limit :limit
),
gone as (
  delete from text_index
  where tenant = :tenant and ref in (select ref from chosen)
)
select ref * cast(:sign as bigint) as last
from chosen
order by last;

-- name: free_jobs
-- Unlike SQLite, a tenant can move.
with chosen as materialized (
  select job_id, state, wake_at
  from held_job
  where tenant = :tenant
  order by job_id
  limit :limit
  for update
),
gone as (
  delete from held_job
  where job_id in (select job_id from chosen)
)
update queue_job
set state = chosen.state, wake_at = chosen.wake_at
from chosen
where queue_job.id = chosen.job_id
returning queue_job.id;
