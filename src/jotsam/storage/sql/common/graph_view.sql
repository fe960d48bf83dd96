-- The graph as a whole. Each query reads a bounded part of it.

-- name: links_between
-- The case makes PostgreSQL look each target up in a hash table; it would compare it with the whole list otherwise.
select source_id, target_id, type, weight, extractor, properties
from link
where source_id {list.any_id ids} and tenant || '' = :tenant
  and case when target_id in ({list.ids ids}) then 1 else 0 end = 1
order by source_id, type, target_id
limit :limit;

-- name: links_at
-- Of a memory with very many links, only some are read and sorted.
select source_id, target_id, type, weight, extractor
from (
  select *
  from (
    select source_id, target_id, type, weight, extractor
    from link
    where source_id {list.any_id ids} and tenant || '' = :tenant
      and (cast(:types as text) is null or type in ({list.texts types}))
    limit :limit * 10
  ) outgoing
  union
  select *
  from (
    select source_id, target_id, type, weight, extractor
    from link
    where target_id {list.any_id ids} and tenant || '' = :tenant
      and (cast(:types as text) is null or type in ({list.texts types}))
    limit :limit * 10
  ) incoming
) found
order by weight desc, source_id, type, target_id
limit :limit;

-- name: count_memories
select count(*) as memories
from (
  select 1
  from memory
  where tenant = :tenant
  limit :limit
) counted;

-- name: count_links
select l.type, count(*) as links
from (
  select id
  from memory
  where tenant = :tenant
  order by id desc
  limit :latest
) newest
join link l on l.source_id = newest.id
group by l.type
order by links desc, l.type;

-- name: latest
select type, importance, confidence, coalesce(said_at, created_at) as at
from memory
where tenant = :tenant
order by id desc
limit :limit;

-- name: preferences
-- With an actor, those whose two memories are of this actor.
select
  l.type, l.weight, l.extractor, l.properties, s.uuid as source, t.uuid as target,
  coalesce(s.summary, substr(s.body, 1, 240)) as preferred, coalesce(t.summary, substr(t.body, 1, 240)) as over
from (
  select id, uuid, summary, body
  from memory
  where tenant = :tenant and (cast(:actor as text) is null or actor = :actor)
  order by id desc
  limit :latest
) s
join link l on l.source_id = s.id and l.type = 'PREFERS_OVER'
join memory t on t.id = l.target_id and t.tenant || '' = :tenant
  and (cast(:actor as text) is null or t.actor = :actor)
order by l.weight desc, s.id desc, t.id desc
limit :limit;

-- name: vector
select v.bytes, e.id, e.name, e.dimension, e.place, e.version
from embedding v
join embedder e on e.id = v.embedder_id
where v.memory_id = :memory_id and v.tenant || '' = :tenant and v.bytes is not null;
