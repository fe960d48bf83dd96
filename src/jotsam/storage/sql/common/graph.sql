-- name: find_entity
select id, canonical_id
from entity
where tenant = :tenant and category = :category and slug = :slug;

-- name: save_entity
-- If another process inserted it in the meantime, its row is returned.
insert into entity (tenant, category, slug, name)
values (:tenant, :category, :slug, :name)
on conflict (tenant, category, slug) do update set name = entity.name
returning id, canonical_id;

-- name: mention_canonical
-- Keeps the mention that the memory has of its own if it contains both names.
insert into mention (tenant, memory_id, entity_id, extractor, confidence)
values (:tenant, :memory_id, :entity_id, :extractor, :confidence)
on conflict (entity_id, memory_id, tenant) do nothing;

-- name: entity_by_id
select id, category, slug, name, canonical_id
from entity
where tenant = :tenant and id = :id;

-- name: entities_by_slug
select id, category, slug, name, canonical_id
from entity
where tenant = :tenant and slug = :slug and (cast(:category as text) is null or category = :category)
order by category;

-- name: entities
-- Those mentioned by most memories, or by most of one actor, first. A merged entity is listed with the one it was merged
-- into. The memories stored first and last give the times, so that no other is read.
select
  c.category, c.slug, c.name, c.memories, c.merged, coalesce(f.said_at, f.created_at) as first_at,
  coalesce(l.said_at, l.created_at) as last_at
from (
  select
    e.category, e.slug, e.name, count(n.memory_id) as memories, min(n.memory_id) as first, max(n.memory_id) as last,
    (select count(*) from entity a where a.canonical_id = e.id) as merged
  from entity e
  left join mention n on n.entity_id = e.id
    and (cast(:actor as text) is null or exists (
      select 1
      from memory m
      where m.id = n.memory_id and m.tenant || '' = :tenant and m.actor = :actor
    ))
  where e.tenant = :tenant and e.canonical_id is null
    and (cast(:category as text) is null or e.category = :category)
    and (cast(:words as text) is null or lower(e.name) like :words escape '\' or e.slug like :words escape '\')
  group by e.id, e.category, e.slug, e.name
  having count(n.memory_id) > 0
  order by memories desc, e.category, e.slug
  limit :limit
) c
join memory f on f.id = c.first
join memory l on l.id = c.last
order by c.memories desc, c.category, c.slug;

-- name: entity_totals
select
  c.id, c.category, c.slug, c.name, c.memories, coalesce(f.said_at, f.created_at) as first_at,
  coalesce(l.said_at, l.created_at) as last_at
from (
  select
    e.id, e.category, e.slug, e.name, count(n.memory_id) as memories, min(n.memory_id) as first, max(n.memory_id) as last
  from entity e
  join mention n on n.entity_id = e.id
  where e.id = :id and e.tenant || '' = :tenant
  group by e.id, e.category, e.slug, e.name
) c
join memory f on f.id = c.first
join memory l on l.id = c.last;

-- name: most_mentioned
select c.id, c.category, c.slug, c.name, c.memories, l.uuid as latest
from (
  select e.id, e.category, e.slug, e.name, count(n.memory_id) as memories, max(n.memory_id) as last
  from entity e
  join mention n on n.entity_id = e.id
  where e.tenant = :tenant and e.canonical_id is null
  group by e.id, e.category, e.slug, e.name
  order by memories desc, e.category, e.slug
  limit :limit
) c
join memory l on l.id = c.last
order by c.memories desc, c.category, c.slug;

-- name: entities_of_latest
-- Entities that the latest memories mention, those that most of these mention first. Reads only these memories.
select c.id, c.category, c.slug, c.name, c.memories, coalesce(l.said_at, l.created_at) as last_at
from (
  select e.id, e.category, e.slug, e.name, count(*) as memories, max(n.memory_id) as last
  from (
    select id
    from memory
    where tenant = :tenant
    order by id desc
    limit :latest
  ) m
  join mention n on n.memory_id = m.id and n.tenant || '' = :tenant
  join entity e on e.id = n.entity_id and e.tenant || '' = :tenant
  where e.canonical_id is null
    and (cast(:category as text) is null or e.category = :category)
    and (cast(:words as text) is null or lower(e.name) like :words escape '\' or e.slug like :words escape '\')
  group by e.id, e.category, e.slug, e.name
  order by memories desc, e.category, e.slug
  limit :limit
) c
join memory l on l.id = c.last
order by c.memories desc, c.category, c.slug;

-- name: related_entities
-- Entities that the latest memories which mention an entity mention too, those that most of these mention first: all, or
-- of one category and of memories said between two times.
select e.id, e.category, e.slug, e.name, count(*) as memories
from (
  select o.memory_id
  from mention o
  join memory m on m.id = o.memory_id and m.tenant || '' = :tenant
  where o.entity_id = :id and o.tenant || '' = :tenant
    and (cast(:since as bigint) is null or coalesce(m.said_at, m.created_at) >= :since)
    and (cast(:until as bigint) is null or coalesce(m.said_at, m.created_at) <= :until)
  order by o.memory_id desc
  limit :latest
) l
join mention n on n.memory_id = l.memory_id and n.entity_id <> :id and n.tenant || '' = :tenant
join entity e on e.id = n.entity_id and e.tenant || '' = :tenant
where e.canonical_id is null and (cast(:category as text) is null or e.category = :category)
group by e.id, e.category, e.slug, e.name
order by memories desc, e.category, e.slug
limit :limit;

-- name: shared_mentions
-- How many of the latest memories that mention an entity mention another one too.
select count(*) as mentions, count(o.memory_id) as shared
from (
  select memory_id
  from mention
  where entity_id = :id and tenant || '' = :tenant
  order by memory_id desc
  limit :limit
) latest
left join mention o on o.memory_id = latest.memory_id and o.entity_id = :other;

-- name: decisions_about
-- What was decided in the latest memories that mention an entity: decisions of sessions, and memories of this type.
select *
from (
  select m.uuid, n.body, m.actor, m.project, n.said_at as at, case when n.ended_by is null then 0 else 1 end as is_over
  from (
    {select.latest_mentions}
  ) l
  join note n on n.memory_id = l.memory_id and n.tenant || '' = :tenant and n.kind = 'decision'
  join memory m on m.id = n.memory_id
  where coalesce(n.verdict, 'keep') = 'keep' and (cast(:project as text) is null or m.project = :project)
  union all
  select
    m.uuid, coalesce(m.summary, substr(m.body, 1, 400)), m.actor, m.project, coalesce(m.said_at, m.created_at),
    case when m.superseded_at is null then 0 else 1 end
  from (
    {select.latest_mentions}
  ) l
  join memory m on m.id = l.memory_id and m.type = 'Decision'
  where (cast(:project as text) is null or m.project = :project) and not exists (
    select 1
    from note n
    where n.memory_id = m.id and n.tenant || '' = :tenant and n.kind = 'decision'
  )
) decided
order by at desc, uuid, body
limit :limit;

-- name: sessions_about
-- The sessions of the latest memories that mention an entity, the latest session first.
select
  m.session, min(m.project) as project, min(m.source) as source, count(*) as memories,
  max(coalesce(m.said_at, m.created_at)) as last_at
from (
  {select.latest_mentions}
) l
join memory m on m.id = l.memory_id
where m.session is not null and (cast(:project as text) is null or m.project = :project)
group by m.session
order by last_at desc, m.session
limit :limit;

-- name: latest_mentions
select memory_id as id
from mention
where entity_id = :id and tenant || '' = :tenant
order by memory_id desc
limit :limit;

-- name: other_names
select a.category, a.slug, a.name, c.category as canonical_category, c.slug as canonical_slug
from entity a
join entity c on c.id = a.canonical_id
where a.tenant = :tenant
  and (cast(:actor as text) is null or exists (
    select 1
    from mention n
    join memory m on m.id = n.memory_id
    where n.entity_id = a.id and m.actor = :actor
  ))
order by a.category, a.slug;

-- name: set_canonical
update entity
set canonical_id = :canonical_id
where tenant = :tenant and id = :id;

-- name: copy_mentions
insert into mention (tenant, memory_id, entity_id, extractor, confidence)
select tenant, memory_id, :canonical_id, :extractor, confidence
from mention
where tenant = :tenant and entity_id = :id
on conflict (entity_id, memory_id, tenant) do nothing;

-- name: merged_into
select id, category, slug, name, canonical_id
from entity
where tenant || '' = :tenant and canonical_id = :id
order by id;

-- name: delete_copied_mentions
delete from mention
where tenant = :tenant and entity_id = :entity_id and extractor = :extractor;

-- name: copy_tags
insert into memory_tag (tenant, tag, memory_id, extractor)
select :tenant, :tag, memory_id, :extractor
from mention
where tenant = :tenant and entity_id = :id
on conflict (tenant, tag, memory_id) do nothing;

-- name: delete_copied_tags
delete from memory_tag
where tenant = :tenant and tag = :tag and extractor = :extractor;

-- name: neighbours
-- In both directions; `outgoing` distinguishes them. With an actor, only what this actor said.
select n.outgoing, n.type, n.weight, n.extractor, n.properties, m.uuid, coalesce(m.summary, substr(m.body, 1, 120)) as summary
from (
  select 1 as outgoing, type, weight, extractor, properties, target_id as other
  from link
  where source_id = :memory_id
  union all
  select 0 as outgoing, type, weight, extractor, properties, source_id as other
  from link
  where target_id = :memory_id
) n
join memory m on m.id = n.other and m.tenant || '' = :tenant
where cast(:actor as text) is null or m.actor = :actor
order by n.outgoing desc, n.type, n.weight desc, m.id
limit :limit;

-- name: mention
-- A mention given by a caller is never changed. Among extractors, an agent wins over a model and a model over the
-- rules.
insert into mention (tenant, memory_id, entity_id, extractor, confidence)
values (:tenant, :memory_id, :entity_id, :extractor, :confidence)
on conflict (entity_id, memory_id, tenant) do update set extractor = excluded.extractor, confidence = excluded.confidence
where (excluded.extractor like 'agent%' or mention.extractor not like 'agent%')
  and (excluded.extractor like 'agent%' or excluded.extractor like 'llm:%' or mention.extractor not like 'llm:%');

-- name: clear_mentions
delete from mention
where tenant = :tenant and memory_id = :memory_id and extractor is not null
  and (:whose >= 2 or extractor not like 'agent%') and (:whose >= 1 or extractor not like 'llm:%');

-- name: clear_titles
delete from title
where tenant = :tenant and memory_id = :memory_id;

-- name: title
insert into title (tenant, slug, memory_id)
values (:tenant, :slug, :memory_id)
on conflict do nothing;

-- name: clear_links
-- The order of a document's chunks is kept: it is stored when the document is chunked, and only then. So are links that
-- a lifecycle step made.
delete from link
where tenant = :tenant and (source_id = :memory_id or target_id = :memory_id) and extractor not in ('cut', 'cluster');

-- name: mentions
select e.category, e.slug, e.name, n.extractor, n.confidence
from mention n
join entity e on e.id = n.entity_id
where n.memory_id = :memory_id and e.tenant || '' = :tenant
order by e.category, e.slug;

-- name: link
-- Properties that are not given stay.
insert into link (tenant, source_id, target_id, type, weight, extractor, properties, created_at)
values (:tenant, :source_id, :target_id, :type, :weight, :extractor, :properties, :now)
on conflict (source_id, type, target_id, tenant) do update
set weight = excluded.weight, properties = coalesce(excluded.properties, link.properties)
where link.extractor is not null or excluded.extractor is null;

-- name: clear_links_from
delete from link
where tenant = :tenant and source_id = :id and type = :type and extractor is not null and target_id <> :but;

-- name: link_targets
select target_id
from link
where tenant = :tenant and source_id = :id and type = :type and weight = 1;

-- name: unlink_manual
delete from link
where tenant = :tenant and source_id = :source_id and target_id = :target_id and type = :type and extractor is null
returning weight, properties;

-- name: clear_links_of_type
delete from link
where tenant = :tenant and type = :type and extractor is not null and (source_id = :id or target_id = :id);

-- name: links
select t.uuid as target, l.type, l.weight, l.extractor, l.properties
from link l
join memory t on t.id = l.target_id and t.tenant || '' = :tenant
where l.source_id = :source_id and (cast(:actor as text) is null or t.actor = :actor)
order by l.type, l.weight desc, t.id;

-- name: count
select count(*) as entities
from entity
where tenant = :tenant;
