-- name: memories
select m.id, case when cast(:compares as bigint) = 1 then m.metadata end as metadata
from memory m
where m.tenant = :tenant and m.id > :after and {chosen.memory}
order by m.id
limit :limit;

-- name: memories_of
-- The same among known ids.
select m.id, case when cast(:compares as bigint) = 1 then m.metadata end as metadata
from memory m
where m.id {list.any_id narrowed} and m.tenant || '' = :tenant and m.id > :after and {chosen.memory}
order by m.id
limit :limit;

-- name: documents
select d.id, d.uuid, d.cut_at
from document d
where d.tenant = :tenant and d.id > :after and (:unchunked = 0 or d.cut_at is null) and {chosen.document}
order by d.id
limit :limit;

-- name: by_document
select id
from memory
where tenant || '' = :tenant and document_id = :document
limit :limit;

-- name: by_session
select id
from memory
where tenant = :tenant and session = :session
limit :limit;

-- name: by_types
select id
from memory
where tenant = :tenant and type is not null and lower(type) {list.any_text types}
limit :limit;

-- name: by_tags
select memory_id as id
from memory_tag
where tenant = :tenant and lower(tag) {list.any_text tags}
limit :limit;

-- name: by_metadata
select memory_id as id
from metadata_index
where tenant = :tenant and hash = :hash
limit :limit;

-- name: by_source
select id
from memory
where tenant = :tenant and source = :source
limit :limit;

-- name: by_project
select id
from memory
where tenant = :tenant and project = :project
limit :limit;

-- name: by_actor
select id
from memory
where tenant = :tenant and actor = :actor
limit :limit;

-- name: by_time
select id
from memory
where tenant = :tenant and coalesce(said_at, created_at) is not null
  and coalesce(said_at, created_at) >= :since and coalesce(said_at, created_at) < :until
limit :limit;

-- name: by_importance
select id
from memory
where tenant = :tenant and coalesce(importance, -1) is not null and coalesce(importance, -1) >= :min_importance
limit :limit;

-- name: newest
-- A page of memories in the order of the time when they were said, after a time and an id. The separate condition on the
-- time is redundant, but SQLite needs it to use the index.
select m.id, coalesce(m.said_at, m.created_at) as place, case when cast(:compares as bigint) = 1 then m.metadata end as metadata
from memory m
where m.tenant = :tenant and coalesce(m.said_at, m.created_at) is not null
  and coalesce(m.said_at, m.created_at) <= :place and coalesce(m.said_at, m.created_at) >= :lowest
  and (coalesce(m.said_at, m.created_at), m.id) < (:place, :id)
  and {chosen.memory}
order by coalesce(m.said_at, m.created_at) desc, m.id desc
limit :limit;

-- name: newest_of
-- The same among known ids.
select m.id, coalesce(m.said_at, m.created_at) as place, case when cast(:compares as bigint) = 1 then m.metadata end as metadata
from memory m
where m.id {list.any_id narrowed} and m.tenant || '' = :tenant
  and (coalesce(m.said_at, m.created_at), m.id) < (:place, :id)
  and {chosen.memory}
order by coalesce(m.said_at, m.created_at) desc, m.id desc
limit :limit;

-- name: most_important
-- A page of memories in the order of their importance, those without one last.
select m.id, coalesce(m.importance, -1) as place, case when cast(:compares as bigint) = 1 then m.metadata end as metadata
from memory m
where m.tenant = :tenant and coalesce(m.importance, -1) is not null
  and coalesce(m.importance, -1) <= :place and coalesce(m.importance, -1) >= :lowest
  and (coalesce(m.importance, -1), m.id) < (:place, :id)
  and {chosen.memory}
order by coalesce(m.importance, -1) desc, m.id desc
limit :limit;

-- name: most_important_of
-- The same among known ids.
select m.id, coalesce(m.importance, -1) as place, case when cast(:compares as bigint) = 1 then m.metadata end as metadata
from memory m
where m.id {list.any_id narrowed} and m.tenant || '' = :tenant
  and (coalesce(m.importance, -1), m.id) < (:place, :id)
  and {chosen.memory}
order by coalesce(m.importance, -1) desc, m.id desc
limit :limit;

-- name: rows
-- What a list shows of memories.
select
  m.*, d.uuid as document, s.uuid as superseded_by_uuid, a.uuid as archived_by_uuid,
  {summary.size} as summary_of
from memory m
left join document d on d.id = m.document_id
left join memory s on s.id = m.superseded_by
left join memory a on a.id = m.archived_by
where m.id {list.any_id ids} and m.tenant || '' = :tenant;

-- name: tags
select memory_id, tag
from memory_tag
where memory_id {list.any_id ids} and tenant || '' = :tenant
order by memory_id, tag;

-- name: count_unchunked
-- How many selected documents are not chunked yet, at most `most`.
select count(*) as documents
from (
  select 1
  from document d
  where d.tenant = :tenant and d.cut_at is null and {chosen.document}
  limit :most
) counted;
