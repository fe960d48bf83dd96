-- Removal of memories and documents. Most tables that refer to them follow by `on delete cascade`.

-- name: numbers
-- The tenant is concatenated so that planners use the UUIDs and do not read all rows of the tenant.
select id
from memory
where uuid in ({list.texts uuids}) and tenant || '' = :tenant
order by id;

-- name: document_numbers
select id
from document
where uuid in ({list.texts uuids}) and tenant || '' = :tenant
order by id;

-- name: listed
select m.id, m.uuid, m.document_id, m.source, substr(m.body, 1, 120) as text, d.cut_at
from memory m
left join document d on d.id = m.document_id and d.tenant = m.tenant
where m.id {list.any_id memories} and m.tenant || '' = :tenant
order by m.id;

-- name: chunks
select id
from memory
where tenant || '' = :tenant and document_id {list.any_id documents}
order by id;

-- name: document_sizes
-- How many chunks these documents have, and what their lines are.
select d.id, d.uuid, d.body, substr(d.body, 1, 120) as text, d.source, d.project, d.key, d.cut_at, d.job_id, count(m.id) as chunks
from document d
left join memory m on m.document_id = d.id and m.tenant = d.tenant
where d.id {list.any_id documents} and d.tenant || '' = :tenant
group by d.id, d.tenant, d.uuid, d.body, d.source, d.project, d.key, d.cut_at, d.job_id;

-- name: counts
-- What depends on these memories.
select
  (select count(*) from fact f where f.tenant || '' = :tenant and f.memory_id {list.any_id memories}) as facts,
  (select count(*) from link l where l.tenant || '' = :tenant and l.source_id {list.any_id memories}) as links,
  (
    select count(*)
    from queue_job j
    join memory m on m.job_id = j.id
    where m.tenant || '' = :tenant and m.id {list.any_id memories}
  ) as jobs,
  (
    select coalesce(sum(length(m.body)), 0)
    from memory m
    where m.tenant || '' = :tenant and m.id {list.any_id memories}
  ) as characters;

-- name: set_body
update document
set body = :body
where tenant = :tenant and id = :id;

-- name: next_line
-- The first line after a chunk that belongs to another one.
select min(line) as line
from memory
where tenant || '' = :tenant and document_id = :document_id and position > :position and line > :line;

-- name: superseded_memories
-- Memories that these ones supersede, because a caller said so or because of their facts.
select id, uuid, superseded_how
from memory
where tenant || '' = :tenant and superseded_by {list.any_id memories} and not id {list.any_id memories}
  and (superseded_how is null or superseded_how <> 'source');

-- name: superseded_documents
select id, uuid, superseded_at
from document
where tenant || '' = :tenant and superseded_by {list.any_id documents} and not id {list.any_id documents};

-- name: memories_with_facts_superseded
select distinct memory_id as id
from fact
where tenant || '' = :tenant and superseded_by {list.any_id memories} and not memory_id {list.any_id memories};

-- name: clear_manual_ends
-- A fact that a caller ended in favour of one of these memories.
update fact
set superseded_at = null, superseded_by = null, superseded_how = null
where tenant = :tenant and superseded_by {list.any_id memories} and superseded_how = 'hand';

-- name: restore_source
-- The chunks of a document of which no newer one is left.
update memory
set superseded_at = null, superseded_by = null, superseded_how = null
where tenant = :tenant and document_id = :document_id and superseded_how = 'source'
returning uuid;

-- name: entities
select distinct entity_id as id
from mention
where tenant || '' = :tenant and memory_id {list.any_id memories};

-- name: patterns
select distinct pattern_id as id
from pattern_example
where tenant || '' = :tenant and memory_id {list.any_id memories};

-- name: texts
-- What these memories say, and said before.
select body
from memory
where tenant || '' = :tenant and id {list.any_id memories}
union all
select body
from memory_version
where tenant || '' = :tenant and memory_id {list.any_id memories};

-- name: bridge
-- The memory after one is linked to the memory before it.
insert into link (tenant, source_id, target_id, type, weight, extractor, created_at)
select after.tenant, after.source_id, before.target_id, after.type, after.weight, after.extractor, :now
from link after
join link before
  on before.source_id = after.target_id and before.tenant = after.tenant and before.type = after.type
  and before.weight = 1
where after.target_id = :id and after.tenant || '' = :tenant and after.type = 'PRECEDED_BY' and after.weight = 1
  and after.source_id <> before.target_id
on conflict (source_id, type, target_id, tenant) do update set weight = excluded.weight;

-- name: delete_memories
delete from memory
where tenant = :tenant and id {list.any_id memories};

-- name: delete_documents
delete from document
where tenant = :tenant and id {list.any_id documents};

-- name: delete_entities
-- Those that no memory mentions any longer.
delete from entity
where tenant = :tenant and id {list.any_id entities}
  and not exists (select 1 from mention n where n.entity_id = entity.id and n.tenant = entity.tenant)
returning id;

-- name: delete_patterns
-- Those without an example.
delete from pattern
where tenant = :tenant and id {list.any_id patterns}
  and not exists (select 1 from pattern_example e where e.pattern_id = pattern.id and e.tenant = pattern.tenant)
returning id;

-- name: unmentioned_entities
select e.id, e.name
from entity e
where e.tenant = :tenant
  and not exists (select 1 from mention n where n.entity_id = e.id and n.tenant = e.tenant);

-- name: unused_patterns
select p.id, p.terms as name
from pattern p
where p.tenant = :tenant
  and not exists (select 1 from pattern_example e where e.pattern_id = p.id and e.tenant = p.tenant);
