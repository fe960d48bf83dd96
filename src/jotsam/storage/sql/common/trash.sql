-- name: add
insert into trash (tenant, batch, part, created_at, memories, documents, sample, undo, rows, lines)
values (:tenant, :batch, :part, :now, :memories, :documents, :sample, :undo, :rows, :lines);

-- name: batches
-- The latest first.
select
  batch, min(created_at) as created_at, sum(memories) as memories, sum(documents) as documents, min(sample) as sample
from trash
where tenant = :tenant
group by batch
order by min(created_at) desc, batch;

-- name: parts
select part
from trash
where tenant = :tenant and batch = :batch
order by part;

-- name: take
delete from trash
where tenant = :tenant and batch = :batch and part = :part
returning memories, documents, sample, undo, rows, lines;

-- name: entities
-- Those that only these memories mention.
select e.id
from entity e
where e.tenant || '' = :tenant and {chosen.entity};

-- name: patterns
-- Those of which only these memories are examples.
select p.id
from pattern p
where p.tenant || '' = :tenant
  and p.id in (
    select x.pattern_id
    from pattern_example x
    where x.tenant || '' = :tenant and x.memory_id {list.any_id memories}
  )
  and not exists (
    select 1
    from pattern_example x
    where x.tenant || '' = :tenant and x.pattern_id = p.id and not x.memory_id {list.any_id memories}
  );

-- name: identities
-- The entities whose text was made of a fact of these memories.
select y.entity_id as id
from identity y
where y.tenant = :tenant and exists (
  select 1
  from fact f
  where f.tenant || '' = :tenant and f.memory_id {list.any_id memories} and y.sources like '%' || f.uuid || '%'
);

-- name: order
-- The links of a turn to those before it, but for these.
select source_id, target_id, weight, extractor, properties, created_at
from link
where tenant || '' = :tenant and source_id = :id and type = 'PRECEDED_BY' and not target_id {list.any_id memories};

-- name: clear_order
-- Those that were made while these memories were gone. A link of a caller stays.
delete from link
where tenant = :tenant and source_id = :id and type = 'PRECEDED_BY' and extractor is not null
  and not target_id {list.any_id memories};

-- name: write_order
insert into link (tenant, source_id, target_id, type, weight, extractor, properties, created_at)
select m.tenant, :source_id, m.id, 'PRECEDED_BY', :weight, :extractor, :properties, :created_at
from memory m
where m.tenant = :tenant and m.id = :target_id
on conflict (source_id, type, target_id, tenant) do update set
  weight = excluded.weight, extractor = excluded.extractor, properties = excluded.properties,
  created_at = excluded.created_at;

-- name: is_without_summary
-- Whether a theme has no summary, and every source of the former one is stored.
select id
from theme
where tenant = :tenant and id = :id and summary_id is null and :sources_count = (
  select count(*)
  from memory m
  where m.tenant || '' = :tenant and m.id {list.any_id sources}
);

-- name: superseded
-- What these supersede because a caller said so, and what was merged into them. What facts and versions of a source
-- supersede is computed again.
select 'memory' as kind, old.uuid as id, new.uuid as by_id, old.superseded_at as at
from memory old
join memory new on new.id = old.superseded_by
where old.superseded_by {list.any_id memories} and not old.id {list.any_id memories} and old.tenant || '' = :tenant
  and old.superseded_how is null
union all
select 'document', old.uuid, new.uuid, old.superseded_at
from document old
join document new on new.id = old.superseded_by
where old.superseded_by {list.any_id documents} and not old.id {list.any_id documents} and old.tenant || '' = :tenant
union all
select 'fact', f.uuid, new.uuid, f.superseded_at
from fact f
join memory new on new.id = f.superseded_by
where f.superseded_by {list.any_id memories} and not f.memory_id {list.any_id memories} and f.tenant || '' = :tenant
  and f.superseded_how = 'hand'
union all
select 'archived', old.uuid, new.uuid, old.archived_at
from memory old
join memory new on new.id = old.archived_by
where old.archived_by {list.any_id memories} and not old.id {list.any_id memories} and old.tenant || '' = :tenant
order by kind, id;

-- name: supersede_memory
update memory
set superseded_at = :at, superseded_by = :by, superseded_how = null
where tenant = :tenant and uuid = :id and superseded_at is null
returning id;

-- name: supersede_document
update document
set superseded_at = :at, superseded_by = :by
where tenant = :tenant and uuid = :id and superseded_at is null
returning id;

-- name: supersede_fact
update fact
set superseded_at = :at, superseded_by = :by, superseded_how = 'hand'
where tenant = :tenant and uuid = :id and superseded_how is null
returning memory_id as id;

-- name: archive_memory
update memory
set archived_at = :at, archived_by = :by
where tenant = :tenant and uuid = :id and archived_by is null and (archived_at is null or archived_at = :at)
  and superseded_at is null
returning id;

-- name: remove_before
delete from trash
where tenant = :tenant and (batch, part) in (
  select batch, part
  from trash
  where tenant = :tenant and created_at < :before
  order by created_at, batch, part
  limit :limit
)
returning part;

-- name: forget_tenant
delete from trash
where tenant = :tenant;

-- name: ids
-- Where the ids of what can be restored are.
select undo
from trash
where tenant = :tenant;

-- name: made_of_several
-- The parts with something that may be made of other texts too.
select batch, part, undo, rows
from trash
where tenant = :tenant
  and lines = ''
  and (rows like '%"note":%' or rows like '%"identity":%' or undo not like '%"summaries": [], "endings": []}');

-- name: rows
select rows
from trash
where tenant = :tenant and lines = '';

-- name: facts
-- The UUIDs of those that exist.
select uuid
from fact
where tenant || '' = :tenant and uuid in ({list.texts uuids});

-- name: change
update trash set rows = :rows, undo = :undo
where tenant = :tenant and batch = :batch and part = :part;
