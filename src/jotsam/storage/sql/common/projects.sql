-- name: get
select key, label, joined_to, mark, looked_at, created_at
from project
where tenant = :tenant and key = :key;

-- name: every
select key, label, joined_to, mark, looked_at, created_at
from project
where tenant = :tenant
order by key;

-- name: labelled
-- The projects with a label. One that is joined to another is that one.
select key
from project
where tenant = :tenant and label = :label and joined_to is null
order by key
limit 10;

-- name: marked
-- Another project whose git directory is this one.
select key, label, mark
from project
where tenant = :tenant and mark = :mark and key <> :key and joined_to is null
order by created_at desc, key
limit 1;

-- name: joined
-- The projects that are joined to one.
select key
from project
where tenant = :tenant and joined_to = :key
order by key;

-- name: is_used
-- Whether anything is stored under a name.
select 1 as found
where exists (select 1 from memory m where m.tenant = :tenant and m.project = :key)
  or exists (select 1 from document d where d.tenant = :tenant and d.project = :key)
  or exists (select 1 from memory_block b where b.tenant = :tenant and b.project = :key);

-- name: add
insert into project (tenant, key, label, created_at)
values (:tenant, :key, :label, :now)
on conflict do nothing;

-- name: restore
insert into project (tenant, key, label, joined_to, looked_at, created_at)
values (:tenant, :key, :label, :joined_to, :looked_at, :created_at)
on conflict do nothing;

-- name: look
update project
set looked_at = :now, mark = coalesce(cast(:mark as text), mark)
where tenant = :tenant and key = :key;

-- name: set_label
update project
set label = :label
where tenant = :tenant and key = :key;

-- name: set_joined
update project
set joined_to = :joined_to
where tenant = :tenant and key = :key;

-- name: latest
-- When something was last stored under a name, and how many memories and documents it has, counted up to 1,000 each.
select
  (select max(m.created_at) from memory m where m.tenant = :tenant and m.project = :key) as memory_at,
  (select max(d.created_at) from document d where d.tenant = :tenant and d.project = :key) as document_at,
  (
    select count(*)
    from (select 1 as one from memory m where m.tenant = :tenant and m.project = :key limit 1001) some
  ) as memories,
  (
    select count(*)
    from (select 1 as one from document d where d.tenant = :tenant and d.project = :key limit 1001) some
  ) as documents;

-- name: sizes
-- How much belongs to a project, or with `joined_from` how much of it came from another.
select
  (
    select count(*)
    from memory
    where tenant = :tenant and project = :key and (cast(:joined_from as text) is null or joined_from = :joined_from)
  ) as memories,
  (
    select count(*)
    from document
    where tenant = :tenant and project = :key and (cast(:joined_from as text) is null or joined_from = :joined_from)
  ) as documents,
  (
    select count(*)
    from memory_block
    where tenant = :tenant and project = :key and (cast(:joined_from as text) is null or joined_from = :joined_from)
  ) as blocks,
  (
    select count(*)
    from theme
    where tenant = :tenant and project = :key and (cast(:joined_from as text) is null or joined_from = :joined_from)
  ) as themes;

-- name: move_memories
update memory
set project = :into, joined_from = coalesce(joined_from, project)
where tenant = :tenant and project = :key;

-- name: move_documents
update document
set project = :into, joined_from = coalesce(joined_from, project)
where tenant = :tenant and project = :key;

-- name: move_themes
update theme
set project = :into, joined_from = coalesce(joined_from, project)
where tenant = :tenant and project = :key;

-- name: blocks
select project, actor, name, joined_from, joined_name
from memory_block
where tenant = :tenant and project = :key
order by name, actor;

-- name: has_block
select 1 as found
from memory_block
where tenant = :tenant and project = :project and actor = :actor and name = :name;

-- name: move_block
update memory_block
set project = :into, name = :new_name, joined_from = :joined_from, joined_name = :joined_name
where tenant = :tenant and project = :project and actor = :actor and name = :name;

-- name: return_memories
update memory
set project = :into, joined_from = nullif(joined_from, :into)
where tenant = :tenant and project = :key and joined_from = :origin;

-- name: return_documents
update document
set project = :into, joined_from = nullif(joined_from, :into)
where tenant = :tenant and project = :key and joined_from = :origin;

-- name: return_themes
update theme
set project = :into, joined_from = nullif(joined_from, :into)
where tenant = :tenant and project = :key and joined_from = :origin;

-- name: forget_empty
-- A project that others are joined to stays, and so do these: what was forgotten may be in the trash.
delete from project
where tenant = :tenant and joined_to is null
  and not exists (select 1 from memory m where m.tenant = :tenant and m.project = project.key)
  and not exists (select 1 from document d where d.tenant = :tenant and d.project = project.key)
  and not exists (select 1 from memory_block b where b.tenant = :tenant and b.project = project.key)
  and not exists (select 1 from project j where j.tenant = :tenant and j.joined_to = project.key);
