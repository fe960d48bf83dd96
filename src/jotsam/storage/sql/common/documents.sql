-- name: save
insert into document (uuid, tenant, project, source, key, actor, session, date, body, job_id, created_at)
values (:uuid, :tenant, :project, :source, :key, :actor, :session, :date, :body, :job_id, :now)
returning id;

-- name: by_key
select uuid, job_id
from document
where tenant = :tenant and key = :key;

-- name: unchanged
-- The newest document of a source, if it has this very text.
select uuid, job_id
from document
where id = (
    select max(id)
    from document
    where tenant = :tenant and source = :source and project is not distinct from cast(:project as text)
  )
  and body = :body;

-- name: get
select id, uuid, tenant, project, source, actor, session, date, body, job_id, created_at, cut_at
from document
where tenant = :tenant and uuid = :uuid;

-- name: find
select uuid
from document
where tenant = :tenant and uuid >= :low and uuid < :high
limit 2;

-- name: by_ids
select id, uuid, project, source, actor, date, body, created_at
from document
where tenant = :tenant and id = :id;

-- name: cut
update document
set cut_at = :now
where id = :id;

-- name: count
select count(*) as documents
from document
where tenant = :tenant;

-- name: forget_tenant
delete from document
where tenant = :tenant;

-- name: numbers
select id
from document
where tenant = :tenant;

-- name: uncut
-- Whose whole text stands in the index of words.
select id, body, source, actor
from document
where tenant = :tenant and cut_at is null and id > :after
order by id
limit :limit;
