-- What the step `forget` has to know about memories.

-- name: inputs
-- Of the next memories that are enriched and current: how relevant they still are, and what protects them. A fact is
-- stated elsewhere if another memory that recall finds states the same.
select
  m.id, m.uuid, m.type, m.importance, m.metadata, m.document_id, m.archived_at, r.relevance,
  coalesce(m.said_at, m.created_at) as said_at, m.changed_at, (
    select count(*)
    from memory_tag t
    where t.memory_id = m.id and t.tenant || '' = :tenant and lower(t.tag) in ({list.texts tags})
  ) as tags, (
    select count(*)
    from memory o
    where o.archived_by = m.id and o.tenant || '' = :tenant
  ) as merged, (
    select count(*)
    from fact f
    where f.memory_id = m.id and f.tenant || '' = :tenant and f.superseded_at is null
      and not exists (
        select 1
        from fact g
        join memory n on n.id = g.memory_id and n.tenant = g.tenant
        where g.tenant = :tenant and g.subject_key = f.subject_key and g.predicate = f.predicate
          and g.object_key = f.object_key and g.memory_id <> f.memory_id and g.superseded_at is null
          and n.superseded_at is null and n.archived_at is null
          and coalesce(n.project, '') = coalesce(m.project, '')
      )
  ) as facts
from (
  select *
  from memory
  where tenant = :tenant and id > :after
  order by id
  limit :limit
) m
left join relevance r on r.memory_id = m.id and r.tenant = m.tenant
where m.enriched_at is not null and m.superseded_at is null
order by m.id;

-- name: last
-- The last of the next memories, and how many they are.
select max(id) as id, count(*) as memories
from (
  select id
  from memory
  where tenant = :tenant and id > :after
  order by id
  limit :limit
) page;
