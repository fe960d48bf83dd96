-- name: get
select uuid as id, name, project, actor, body, max_length, pinned, version, created_at, changed_at
from memory_block
where tenant = :tenant and project = :project and actor = :actor and name = :name;

-- name: list
select uuid as id, name, project, actor, body, max_length, pinned, version, created_at, changed_at
from memory_block
where tenant = :tenant
  and (cast(:project as text) is null or project = :project)
  and (cast(:actor as text) is null or actor = :actor)
  and (cast(:pinned as bigint) is null or pinned = :pinned)
order by name, project, actor
limit :limit;

-- name: pinned
-- Those of a project and of none, of an actor and of none.
select uuid as id, name, project, actor, body, max_length, pinned, version, created_at, changed_at
from memory_block
where tenant = :tenant and project in ('', :project) and actor in ('', :actor) and pinned = 1
order by name, project, actor
limit :limit;

-- name: save
insert into memory_block (
  uuid, tenant, project, actor, name, body, max_length, pinned, version, created_at, changed_at
)
values (:id, :tenant, :project, :actor, :name, :body, :max_length, :pinned, :version, :created_at, :changed_at)
on conflict (tenant, project, actor, name) do update
set body = excluded.body, max_length = excluded.max_length, pinned = excluded.pinned, version = excluded.version,
  changed_at = excluded.changed_at;

-- name: delete
delete from memory_block
where tenant = :tenant and project = :project and actor = :actor and name = :name;

-- name: forget
with doomed (uuid) as (
  {list.texts ids}
)
delete from memory_block
where tenant = :tenant and uuid in (select uuid from doomed)
returning body;
