-- name: memories
select m.id
from memory m
where m.tenant = :tenant and m.id > :after and {chosen.memory}
order by m.id
limit :limit;

-- name: memories_of
-- The same among known ids.
select m.id
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
where tenant = :tenant and type is not null and lower(type) in ({list.texts types})
limit :limit;

-- name: by_tags
with wanted (tag) as materialized (
  {list.texts tags}
)
select t.memory_id as id
from wanted w
join memory_tag t on t.tenant = :tenant and lower(t.tag) = w.tag
limit :limit;
