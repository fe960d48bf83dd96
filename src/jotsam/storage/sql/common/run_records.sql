-- What runs of the lifecycle keep of texts.

-- name: quoting
-- The changes of the steps that repeat what texts say.
select c.run_id, c.part, c.changes
from lifecycle_run r
join lifecycle_change c on c.run_id = r.id and c.tenant = :tenant
where r.tenant = :tenant and r.step in ('crystals', 'identity', 'cluster')
order by c.run_id, c.part;

-- name: memories
-- Those of these ids or UUIDs that exist.
select id, uuid, version
from memory
where tenant || '' = :tenant and id {list.any_id ids}
union
select id, uuid, version
from memory
where tenant || '' = :tenant and uuid in ({list.texts uuids});

-- name: versions
select memory_id, version
from memory_version
where tenant || '' = :tenant and memory_id {list.any_id ids};

-- name: entities
select id
from entity
where tenant || '' = :tenant and id {list.any_id ids};

-- name: delete_empty_themes
-- Those that no memory belongs to. What is in the trash may come back to its theme.
delete from theme
where tenant = :tenant
  and not exists (select 1 from theme_member m where m.theme_id = theme.id and m.tenant = theme.tenant)
  and not exists (select 1 from trash t where t.tenant = :tenant);
