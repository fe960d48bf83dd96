-- name: newest
-- For a question without search terms.
select m.id as ref, cast(1 as double precision) as score, count(*) over () as total
from memory m
where m.tenant = :tenant and {visible.memory}
order by coalesce(m.said_at, m.valid_from, m.created_at) desc, m.id desc
limit :limit;

-- name: newest_of_types
-- The same for one type, written in either of two ways.
select m.id as ref, cast(1 as double precision) as score, count(*) over () as total
from memory m
where m.tenant = :tenant and m.type is not null and lower(m.type) in (:type, :other) and {visible.memory}
order by coalesce(m.said_at, m.valid_from, m.created_at) desc, m.id desc
limit :limit;

-- name: typed
-- What was decided, preferred and so on in a project: the newest memories of another type than Context.
select {brief.candidate}
from memory m
where m.tenant = :tenant and m.type <> 'Context' and m.project = :label and {visible.memory}
order by coalesce(m.said_at, m.created_at) desc, m.id desc
limit :limit;

-- name: typed_without_project
-- The same without a project; with `stored_alone`, without turns of sessions and chunks of documents.
select {brief.candidate}
from memory m
where m.tenant = :tenant and m.type <> 'Context' and m.project is null and {visible.memory}
  and (cast(:stored_alone as bigint) = 0 or (m.session is null and m.document_id is null))
order by coalesce(m.said_at, m.created_at) desc, m.id desc
limit :limit;

-- name: latest_said
-- The newest memories of a project, of any type, without chunks of documents.
select {brief.candidate}
from memory m
where m.tenant = :tenant and m.project = :label and m.document_id is null and {visible.memory}
order by coalesce(m.said_at, m.created_at) desc, m.id desc
limit :limit;

-- name: latest_said_without_project
select {brief.candidate}
from memory m
where m.tenant = :tenant and m.project is null and m.document_id is null
  and coalesce(m.said_at, m.created_at) is not null and {visible.memory}
order by coalesce(m.said_at, m.created_at) desc, m.id desc
limit :limit;

-- name: tags_with_prefix
-- A slash and a colon are equal in a prefix.
select distinct tag
from memory_tag
where tenant = :tenant
  and substr(replace(lower(tag), '/', ':'), 1, length(cast(:prefix as text))) = replace(lower(cast(:prefix as text)), '/', ':')
order by tag;

-- name: with_metadata
select memory_id as ref
from metadata_index
where tenant = :tenant and hash = :hash;

-- name: matching_filters
-- References that match the tags, types, session, source and time range. A memory matches a time range if it was said in
-- it or mentions a date in it. Each tag belongs to a group, and one tag of every group is required.
with wanted_tag (place, tag) as materialized (
  {list.pairs tags}
),
excluded_tag (tag) as materialized (
  {list.texts without}
),
wanted_type (type) as materialized (
  {list.texts types}
)
select m.id as ref
from memory m
where m.tenant = :tenant
  and (cast(:types as text) is null or lower(m.type) in (select lower(type) from wanted_type))
  and (cast(:session as text) is null or m.session = :session)
  and (cast(:source as text) is null
    or lower('/' || replace(m.source, '\', '/') || '/') like lower(cast(:source as text)) escape '!')
  and (
    ((cast(:since as bigint) is null or coalesce(m.said_at, m.created_at) >= :since)
      and (cast(:until as bigint) is null or coalesce(m.said_at, m.created_at) < :until))
    or exists (
      select 1
      from date_range r
      where r.memory_id = m.id
        and (cast(:since as bigint) is null or r.until > :since) and (cast(:until as bigint) is null or r.first < :until)
    )
  )
  and (cast(:tags as text) is null or m.id in (
    select t.memory_id
    from wanted_tag w
    cross join memory_tag t
    where t.tenant = :tenant and lower(t.tag) = lower(w.tag)
    group by t.memory_id
    having count(distinct w.place) = :groups
  ))
  and (cast(:without as text) is null or m.id not in (
    select t.memory_id
    from excluded_tag x
    cross join memory_tag t
    where t.tenant = :tenant and lower(t.tag) = lower(x.tag)
  ))
union all
select -d.id
from document d
where d.tenant = :tenant and d.cut_at is null
  and cast(:types as text) is null and cast(:tags as text) is null
  and (cast(:session as text) is null or d.session = :session)
  and (cast(:source as text) is null
    or lower('/' || replace(d.source, '\', '/') || '/') like lower(cast(:source as text)) escape '!')
  and (cast(:since as bigint) is null or coalesce(d.date, d.created_at) >= :since)
  and (cast(:until as bigint) is null or coalesce(d.date, d.created_at) < :until);

-- name: ranking_fields
-- What ranking needs to know about memories and about documents that are not chunked yet. The tenant of documents is
-- concatenated so that planners use the id.
select
  m.id as ref,
  m.uuid as uuid,
  m.body as body,
  m.project as project,
  m.source as source,
  m.actor as actor,
  m.session as session,
  m.document_id as document_id,
  coalesce(m.said_at, m.valid_from, m.created_at) as date,
  case when m.importance_by is null then m.importance end as importance,
  case when m.confidence_by is null then m.confidence end as confidence,
  r.relevance as relevance,
  case when cast(:archived as bigint) = 0 and m.archived_at <= :at then 1 else 0 end as is_archived
from memory m
left join relevance r on r.memory_id = m.id and r.tenant = :tenant
where m.id {list.any_id memories} and {chosen.own}
  and ({visible.memory} or {visible.context})
union all
select -d.id, d.uuid, null, d.project, d.source, d.actor, null, null, coalesce(d.date, d.created_at), null, null, null, 0
from document d
where d.id {list.any_id documents} and d.tenant || '' = :tenant and d.cut_at is null and {visible.document};

-- name: sequence_neighbours
-- One and two steps before and after a reference in conversation or document order. Links of less weight are left out:
-- they join a memory that was stored alone to earlier ones.
with asked (ref) as materialized (
  {list.ids refs}
)
select
  asked.ref,
  second_before.target_id as second_before,
  before.target_id as before,
  after.source_id as after,
  second_after.source_id as second_after
from asked
left join link before
  on before.source_id = asked.ref and before.type = 'PRECEDED_BY' and before.weight = 1 and before.tenant = :tenant
left join link second_before
  on second_before.source_id = before.target_id and second_before.type = 'PRECEDED_BY' and second_before.weight = 1
  and second_before.tenant = :tenant
left join link after
  on after.target_id = asked.ref and after.type = 'PRECEDED_BY' and after.weight = 1 and after.tenant = :tenant
left join link second_after
  on second_after.target_id = after.source_id and second_after.type = 'PRECEDED_BY' and second_after.weight = 1
  and second_after.tenant = :tenant
where before.target_id is not null or after.source_id is not null;

-- name: sharing_entity
-- Memories that mention the same entity as a reference. The slug is compared without the category, because two
-- extractors may classify one thing differently. An entity with more than `most` mentions is too common to connect. The
-- cross joins keep SQLite's planner from starting with all entities of the tenant.
with asked (ref) as materialized (
  {list.ids refs}
),
mine as materialized (
  select distinct n.memory_id as seed, e.slug, e.name
  from asked
  cross join mention n
  join entity e on e.id = n.entity_id
  where n.memory_id = asked.ref
),
common as materialized (
  select mine.slug, (
    select count(*)
    from (
      select 1
      from entity e
      join mention c on c.entity_id = e.id
      where e.tenant = :tenant and e.slug = mine.slug
      limit :most + 1
    ) counted
  ) as mentions
  from mine
  group by mine.slug
)
select mine.seed, mine.name as entity, common.mentions, other.memory_id as ref
from common
cross join mine
cross join entity e
cross join mention other
where common.mentions between 2 and :most
  and mine.slug = common.slug
  and e.tenant = :tenant and e.slug = common.slug
  and other.entity_id = e.id and other.memory_id <> mine.seed;

-- name: titled_as_entity
-- Memories whose title is an entity that a reference mentions, for titles with at most `most` memories. The cross joins
-- are needed as in `sharing_entity`.
with asked (ref) as materialized (
  {list.ids refs}
),
mine as materialized (
  select distinct n.memory_id as seed, e.slug, e.name
  from asked
  cross join mention n
  join entity e on e.id = n.entity_id
  where n.memory_id = asked.ref
),
common as materialized (
  select mine.slug, (
    select count(*)
    from (
      select 1
      from title t
      where t.tenant = :tenant and t.slug = mine.slug
      limit :most + 1
    ) counted
  ) as bearers
  from mine
  group by mine.slug
)
select mine.seed, mine.name as entity, common.bearers, t.memory_id as ref
from common
cross join mine
cross join title t
where common.bearers between 1 and :most
  and mine.slug = common.slug
  and t.tenant = :tenant and t.slug = common.slug and t.memory_id <> mine.seed;

-- name: linked
-- Memories linked to a reference in either direction. PRECEDED_BY has its own query, `sequence_neighbours`. What the
-- lifecycle found is a guess, so it is not followed, and a summary comes after its sources.
with asked (ref) as materialized (
  {list.ids refs}
)
select l.source_id as seed, l.type, l.weight, l.target_id as ref, 0 as outgoing
from asked
cross join link l
where l.tenant = :tenant and l.source_id = asked.ref
  and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH', 'SUMMARIZES')
  and l.weight >= :least
union all
select l.target_id, l.type, l.weight, l.source_id, 1
from asked
cross join link l
where l.tenant = :tenant and l.target_id = asked.ref
  and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH', 'SUMMARIZES')
  and l.weight >= :least;

-- name: contradicting
-- Pairs of references that contradict each other, in both directions.
with asked (ref) as materialized (
  {list.ids refs}
),
pair as materialized (
  select l.source_id, l.target_id
  from asked
  cross join link l
  where l.tenant = :tenant and l.source_id = asked.ref and l.type = 'CONTRADICTS'
    and l.target_id in (select ref from asked)
)
select source_id as ref, target_id as other
from pair
union
select target_id, source_id
from pair;

-- name: predecessors
-- What each reference supersedes, directly and indirectly, nearest first, in at most eight steps. The tenant is
-- concatenated so that planners use the id and do not read all memories of the tenant.
with recursive asked (ref) as materialized (
  {list.ids refs}
),
before (ref, old, step) as (
  select asked.ref, m.id, 1
  from asked
  cross join memory m
  where m.superseded_by = asked.ref
  union
  select b.ref, m.id, b.step + 1
  from before b
  join memory m on m.superseded_by = b.old
  where b.step < 8 and m.id <> b.ref
)
select b.ref, m.uuid, min(b.step) as step
from before b
join memory m on m.id = b.old and m.tenant || '' = :tenant
group by b.ref, m.uuid
order by step, m.uuid;
