-- name: add
insert into trash (tenant, batch, part, created_at, memories, documents, sample, undo, lines)
values (:tenant, :batch, :part, :now, :memories, :documents, :sample, :undo, :lines);

-- name: batches
-- The latest first.
select
  batch, min(created_at) as created_at, sum(memories) as memories, sum(documents) as documents, min(sample) as sample
from trash
where tenant = :tenant
group by batch
order by min(created_at) desc, batch;

-- name: parts
select part
from trash
where tenant = :tenant and batch = :batch
order by part;

-- name: take
delete from trash
where tenant = :tenant and batch = :batch and part = :part
returning memories, documents, sample, undo, lines;

-- name: superseded
-- What these supersede because a caller said so, and what was merged into them. What facts and versions of a source
-- supersede is computed again.
select 'memory' as kind, old.uuid as id, new.uuid as by_id, old.superseded_at as at
from memory old
join memory new on new.id = old.superseded_by
where old.superseded_by {list.any_id memories} and not old.id {list.any_id memories} and old.tenant || '' = :tenant
  and old.superseded_how is null
union all
select 'document', old.uuid, new.uuid, old.superseded_at
from document old
join document new on new.id = old.superseded_by
where old.superseded_by {list.any_id documents} and not old.id {list.any_id documents} and old.tenant || '' = :tenant
union all
select 'fact', f.uuid, new.uuid, f.superseded_at
from fact f
join memory new on new.id = f.superseded_by
where f.superseded_by {list.any_id memories} and not f.memory_id {list.any_id memories} and f.tenant || '' = :tenant
  and f.superseded_how = 'hand'
union all
select 'archived', old.uuid, new.uuid, old.archived_at
from memory old
join memory new on new.id = old.archived_by
where old.archived_by {list.any_id memories} and not old.id {list.any_id memories} and old.tenant || '' = :tenant
order by kind, id;

-- name: supersede_memory
update memory
set superseded_at = :at, superseded_by = :by, superseded_how = null
where tenant = :tenant and uuid = :id and superseded_at is null
returning id;

-- name: supersede_document
update document
set superseded_at = :at, superseded_by = :by
where tenant = :tenant and uuid = :id and superseded_at is null
returning id;

-- name: supersede_fact
update fact
set superseded_at = :at, superseded_by = :by, superseded_how = 'hand'
where tenant = :tenant and uuid = :id and superseded_how is null
returning memory_id as id;

-- name: archive_memory
update memory
set archived_at = :at, archived_by = :by
where tenant = :tenant and uuid = :id and archived_by is null and (archived_at is null or archived_at = :at)
  and superseded_at is null
returning id;

-- name: remove_before
delete from trash
where tenant = :tenant and (batch, part) in (
  select batch, part
  from trash
  where tenant = :tenant and created_at < :before
  order by created_at, batch, part
  limit :limit
)
returning part;

-- name: forget_tenant
delete from trash
where tenant = :tenant;
