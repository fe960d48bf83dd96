-- What engines have to be told, and the memories as they hold them.

-- name: changes
select id, memory_id, uuid
from mirror_change
where tenant = :tenant and engine = :engine and id <= :read_to
order by id
limit :limit;

-- name: any_change
select id
from mirror_change
where tenant = :tenant and engine = :engine
limit 1;

-- name: log
insert into mirror_change (tenant, engine, memory_id, uuid, at)
values (:tenant, :engine, :memory_id, :uuid, :now);

-- name: delete_changes
delete from mirror_change
where tenant = :tenant and id {list.any_id ids};

-- name: forget_changes
delete from mirror_change
where tenant = :tenant and engine = :engine;

-- name: forget_progress
delete from mirror_progress
where tenant = :tenant and engine = :engine;

-- name: count_changes
-- How many memories have changes, and since when. Memories after `filled` are not counted: they are written anyway.
select count(distinct case when memory_id <= :filled then memory_id end) as memories, min(at) as oldest
from mirror_change
where tenant = :tenant and engine = :engine;

-- name: changed_memories
select distinct memory_id
from mirror_change
where tenant = :tenant and engine = :engine
order by memory_id
limit :limit;

-- name: changed_uuids
select distinct uuid
from mirror_change
where tenant = :tenant and engine = :engine and uuid in ({list.texts uuids});

-- name: next_version
-- The clock keeps versions rising after this row was removed.
insert into mirror_progress (tenant, engine, version, read_to)
values (
  :tenant, :engine, :now,
  (select coalesce(max(id), 0) from mirror_change where tenant = :tenant and engine = :engine)
)
on conflict (tenant, engine) do update
set
  version = case when mirror_progress.version < :now then :now else mirror_progress.version + 1 end,
  read_to = excluded.read_to
returning version, fill_after, sweep_after, read_to;

-- name: progress
select version, fill_after, sweep_after, read_to
from mirror_progress
where tenant = :tenant and engine = :engine;

-- name: fill
insert into mirror_progress (tenant, engine, version, fill_after, sweep_after)
values (:tenant, :engine, :now, 0, '')
on conflict (tenant, engine) do update
set version = mirror_progress.version + 1, fill_after = 0, sweep_after = '';

-- name: save_progress
-- Nothing if the engine was ordered to fill again meanwhile.
update mirror_progress
set fill_after = :fill_after, sweep_after = :sweep_after
where tenant = :tenant and engine = :engine and version = :version;

-- name: following
select id, uuid
from memory
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: uuids
select uuid
from memory
where tenant = :tenant
order by id;

-- name: count_memories
select count(*) as memories
from memory
where tenant = :tenant;

-- name: count_following
select count(*) as memories
from memory
where tenant = :tenant and id > :after;

-- name: existing
-- The tenant is concatenated so that planners use the UUIDs and do not read all rows of the tenant.
select uuid, id
from memory
where uuid in ({list.texts uuids}) and tenant || '' = :tenant;

-- name: memories
select
  m.id, m.uuid, m.body, m.summary, m.type, m.importance, m.confidence, m.metadata, m.project, m.actor, m.session,
  m.source, m.external_id, m.said_at, m.created_at, m.changed_at, m.enriched_at, m.valid_from, m.valid_until,
  m.superseded_at, s.uuid as superseded_by
from memory m
left join memory s on s.id = m.superseded_by and s.tenant = m.tenant
where m.uuid in ({list.texts uuids}) and m.tenant || '' = :tenant;

-- name: tags
select memory_id, tag
from memory_tag
where memory_id {list.any_id ids} and tenant || '' = :tenant;

-- name: entities
-- A merged entity is the one it was merged into.
select n.memory_id, coalesce(c.category, e.category) as category, coalesce(c.slug, e.slug) as slug, coalesce(c.name, e.name) as name, n.confidence
from mention n
join entity e on e.id = n.entity_id and e.tenant = n.tenant
left join entity c on c.id = e.canonical_id and c.tenant = e.tenant
where n.memory_id {list.any_id ids} and n.tenant || '' = :tenant;

-- name: facts
select memory_id, uuid, subject, predicate, object, confidence, valid_from, valid_until, superseded_at
from fact
where memory_id {list.any_id ids} and tenant || '' = :tenant;

-- name: links
select l.source_id, t.uuid as target, l.type, l.weight, l.properties, l.extractor
from link l
join memory t on t.id = l.target_id and t.tenant = l.tenant
where l.source_id {list.any_id ids} and l.tenant || '' = :tenant;

-- name: vectors
select v.memory_id, e.name as embedder, v.bytes
from embedding v
join embedder e on e.id = v.embedder_id
where v.memory_id {list.any_id ids} and v.tenant || '' = :tenant and v.bytes is not null;
