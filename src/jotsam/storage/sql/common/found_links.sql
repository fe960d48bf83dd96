-- Links that the step `creative` of the lifecycle found.

-- name: last_ended
select coalesce(max(id), 0) as id
from lifecycle_run
where tenant = :tenant and step = 'creative' and ended_at is not null;

-- name: last_id
select m.id
from memory m
where m.tenant = :tenant
order by m.id desc
limit 1;

-- name: first_id
select m.id
from memory m
where m.tenant = :tenant
order by m.id
limit 1;

-- name: sample
-- Each memory that follows one of some numbers.
with asked (ref) as materialized (
  {list.ids numbers}
)
select distinct (
  select m.id
  from memory m
  where m.tenant = :tenant and m.id >= asked.ref
  order by m.id
  limit 1
) as id
from asked;

-- name: candidates
-- Of some memories, those that are current: with what relevance depends on, and the number of links found so far.
with asked (ref) as materialized (
  {list.ids refs}
)
select
  m.id, m.uuid, m.version, m.project, m.type, m.body, m.summary, m.session, m.document_id, m.importance, m.confidence,
  coalesce(m.said_at, m.created_at) as at, c.recalled_at, r.relevance, (
    select count(*)
    from link l
    where l.source_id = m.id and l.tenant || '' = :tenant and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH')
  ) + (
    select count(*)
    from link l
    where l.target_id = m.id and l.tenant || '' = :tenant and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH')
  ) as links, (
    select count(*)
    from link l
    where l.source_id = m.id and l.tenant || '' = :tenant and l.type in ('DISCOVERED', 'CONTRASTS_WITH')
  ) + (
    select count(*)
    from link l
    where l.target_id = m.id and l.tenant || '' = :tenant and l.type in ('DISCOVERED', 'CONTRASTS_WITH')
  ) as found
from asked
cross join memory m
left join recall_count c on c.memory_id = m.id and c.tenant = m.tenant
left join relevance r on r.memory_id = m.id and r.tenant = m.tenant
where m.id = asked.ref and m.tenant = :tenant and m.superseded_at is null and m.archived_at is null
  and (m.valid_from is null or m.valid_from <= :now) and (m.valid_until is null or m.valid_until > :now)
  and not exists (
    select 1
    from theme t
    where t.summary_id = m.id and t.tenant || '' = :tenant
  )
order by m.id;

-- name: entities
-- Without people: in a conversation each is addressed everywhere.
with asked (ref) as materialized (
  {list.ids refs}
)
select n.memory_id, e.id, e.name
from asked
cross join mention n
join entity e on e.id = n.entity_id and e.tenant || '' = :tenant
where n.memory_id = asked.ref and n.tenant || '' = :tenant and e.canonical_id is null
  and e.category <> 'people'
order by n.memory_id, e.id;

-- name: links
-- Of any type but the order in time, in either direction, between some memories.
with asked (ref) as materialized (
  {list.ids refs}
)
select distinct l.source_id, l.target_id
from asked
cross join link l
where l.source_id = asked.ref and l.tenant || '' = :tenant and l.type <> 'PRECEDED_BY'
  and case when l.target_id in (select ref from asked) then 1 else 0 end = 1;

-- name: ends
-- Of two memories that are as they were planned with: whether they are linked by now.
select (
  select count(*)
  from link l
  where l.tenant || '' = :tenant and l.type <> 'PRECEDED_BY' and (
    (l.source_id = :source_id and l.target_id = :target_id) or (l.source_id = :target_id and l.target_id = :source_id)
  )
) as links
from memory s
join memory t on t.id = :target_id and t.tenant || '' = :tenant and t.version = :target_version
where s.id = :source_id and s.tenant || '' = :tenant and s.version = :source_version
  and s.superseded_at is null and t.superseded_at is null and s.archived_at is null and t.archived_at is null;

-- name: delete
delete from link
where tenant = :tenant and source_id = :source_id and target_id = :target_id and type = :type
  and extractor = :extractor
returning source_id;

-- name: every
-- Of a kind, or all of them.
select s.uuid as source, t.uuid as target, l.source_id, l.target_id, l.type, l.weight, l.properties
from link l
join memory s on s.id = l.source_id and s.tenant || '' = :tenant
join memory t on t.id = l.target_id and t.tenant || '' = :tenant
where l.tenant = :tenant and l.type in ('DISCOVERED', 'CONTRASTS_WITH') and l.extractor = :extractor
  and (cast(:kind as text) is null or l.properties like :kind)
order by l.source_id, l.type, l.target_id
limit :limit;
