-- Reads everything of a tenant page by page, and writes it back. Numbers of rows stay here: a file has UUIDs.

-- name: aliases
select a.id, a.category, a.slug, c.category as into_category, c.slug as into_slug
from entity a
join entity c on c.id = a.canonical_id
where a.tenant = :tenant
order by a.id;

-- name: entities
select id, category, slug, name
from entity
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: patterns
select id, type, slug, terms, created_at
from pattern
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: documents
select
  id, uuid, project, joined_from, source, key, actor, session, date, date_by, created_at, cut_at, superseded_at, body
from document
where id {list.any_id ids} and tenant || '' = :tenant
order by id;

-- name: memories
select m.*, d.uuid as document
from memory m
left join document d on d.id = m.document_id
where m.id {list.any_id ids} and m.tenant || '' = :tenant
order by m.id;

-- name: documents_of
select distinct document_id as id
from memory
where id {list.any_id ids} and tenant || '' = :tenant and document_id is not null
order by document_id;

-- name: tags
select memory_id, tag, extractor
from memory_tag
where memory_id {list.any_id ids} and tenant || '' = :tenant
order by memory_id, tag;

-- name: mentions
select n.memory_id, e.category, e.slug, e.name, n.extractor, n.confidence
from mention n
join entity e on e.id = n.entity_id
where n.memory_id {list.any_id ids} and n.tenant || '' = :tenant
order by n.memory_id, e.category, e.slug;

-- name: titles
select memory_id, slug
from title
where memory_id {list.any_id ids} and tenant || '' = :tenant
order by memory_id, slug;

-- name: date_ranges
select memory_id, first, until
from date_range
where memory_id {list.any_id ids} and tenant || '' = :tenant
order by memory_id, first, until;

-- name: pattern_terms
select memory_id, type, terms
from pattern_terms
where memory_id {list.any_id ids} and tenant || '' = :tenant;

-- name: examples
select x.memory_id, p.type, p.slug, p.terms, p.created_at, x.at
from pattern_example x
join pattern p on p.id = x.pattern_id
where x.memory_id {list.any_id ids} and x.tenant || '' = :tenant
order by x.memory_id, p.type, p.slug;

-- name: facts
select f.memory_id, f.uuid, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until, f.extractor,
  f.created_at, f.superseded_at, f.superseded_how
from fact f
where f.memory_id {list.any_id ids} and f.tenant || '' = :tenant
order by f.memory_id, f.uuid;

-- name: versions
select memory_id, version, until, body as text, type, tags, importance, confidence, metadata, valid_from, valid_until
from memory_version
where memory_id {list.any_id ids} and tenant || '' = :tenant
order by memory_id, version;

-- name: recalls
select memory_id, recalls, recalled_at
from recall_count
where memory_id {list.any_id ids} and tenant || '' = :tenant;

-- name: redactions_of_memories
select memory_id, kind, place, fingerprint, created_at
from redaction
where memory_id {list.any_id ids} and tenant || '' = :tenant
order by id;

-- name: redactions_of_documents
select document_id, kind, place, fingerprint, created_at
from redaction
where document_id {list.any_id ids} and tenant || '' = :tenant
order by id;

-- name: vectors
select v.memory_id, e.name as embedder, v.bytes
from embedding v
join embedder e on e.id = v.embedder_id
where v.memory_id {list.any_id ids} and v.tenant || '' = :tenant and v.bytes is not null;

-- name: links
select l.source_id, s.uuid as source, l.type, t.uuid as target, l.target_id, l.weight, l.extractor, l.properties, l.created_at
from link l
join memory s on s.id = l.source_id
join memory t on t.id = l.target_id
where l.source_id {list.any_id ids} and l.tenant || '' = :tenant
order by s.uuid, l.type, t.uuid;

-- name: notes
-- With the numbers of the other memories: a selection may lack them.
select
  m.uuid as memory, n.position, n.before_id, b.uuid as before, n.after_id, a.uuid as after, n.kind as type, n.scope,
  n.body as text, n.problem, n.old_names, n.terms, n.sure, n.said_at, n.ended_by as ended_id, e.uuid as ended_by,
  n.ended_position, n.ended_how, n.ended_names, n.verdict
from note n
join memory m on m.id = n.memory_id
left join memory b on b.id = n.before_id
left join memory a on a.id = n.after_id
left join memory e on e.id = n.ended_by
where n.memory_id {list.any_id ids} and n.tenant || '' = :tenant
order by n.memory_id, n.position;

-- name: add_note
-- Of the project that its memory has here.
insert into note (
  tenant, memory_id, position, before_id, after_id, project, kind, scope, body, problem, old_names, terms, sure,
  said_at, ended_by, ended_position, ended_how, ended_names, verdict
)
select
  :tenant, id, :position, :before_id, :after_id, project, :type, :scope, :text, :problem, :old_names, :terms, :sure,
  :said_at, :ended_by, :ended_position, :ended_how, :ended_names, :verdict
from memory
where id = :memory_id and tenant = :tenant
on conflict do nothing
returning memory_id;

-- name: superseded_documents
select old.uuid as id, new.uuid as by_id, new.id as number
from document old
join document new on new.id = old.superseded_by
where old.id {list.any_id ids} and old.tenant || '' = :tenant
order by old.uuid;

-- name: superseded_memories
select old.uuid as id, new.uuid as by_id, new.id as number
from memory old
join memory new on new.id = old.superseded_by
where old.id {list.any_id ids} and old.tenant || '' = :tenant
order by old.uuid;

-- name: archived_memories
select old.uuid as id, new.uuid as by_id, new.id as number
from memory old
join memory new on new.id = old.archived_by
where old.id {list.any_id ids} and old.tenant || '' = :tenant
order by old.uuid;

-- name: superseded_facts
select f.uuid as id, new.uuid as by_id, new.id as number
from fact f
join memory new on new.id = f.superseded_by
where f.memory_id {list.any_id ids} and f.tenant || '' = :tenant
order by f.uuid;

-- name: memory_numbers
select id, uuid
from memory
where tenant = :tenant and uuid in ({list.texts uuids});

-- name: document_numbers
select id, uuid
from document
where tenant = :tenant and uuid in ({list.texts uuids});

-- name: entity_numbers
select id, category, slug
from entity
where tenant = :tenant and slug in ({list.texts slugs});

-- name: pattern_numbers
select id, type, slug
from pattern
where tenant = :tenant and slug in ({list.texts slugs});

-- name: add_merge
update entity
set canonical_id = :into
where tenant = :tenant and id = :id and canonical_id is null and id <> :into;

-- name: want_vector
insert into embedding (memory_id, tenant, wanted)
values (:memory_id, :tenant, 1)
on conflict do nothing;

-- name: supersede_document
update document
set superseded_by = :by
where tenant = :tenant and uuid = :uuid and superseded_at is not null and superseded_by is null;

-- name: supersede_memory
update memory
set superseded_by = :by
where tenant = :tenant and uuid = :uuid and superseded_at is not null and superseded_by is null;

-- name: archive_memory
update memory
set archived_by = :by
where tenant = :tenant and uuid = :uuid and archived_at is not null and archived_by is null;

-- name: supersede_fact
update fact
set superseded_by = :by
where tenant = :tenant and uuid = :uuid and superseded_at is not null and superseded_by is null;

-- name: ended_memories
-- Those among these memories that are superseded, and by nothing that is stored.
select id, uuid, superseded_how
from memory
where tenant = :tenant and uuid in ({list.texts uuids}) and superseded_at is not null and superseded_by is null
  and (superseded_how is null or superseded_how <> 'source');

-- name: ended_documents
select id, uuid, superseded_at
from document
where tenant = :tenant and uuid in ({list.texts uuids}) and superseded_at is not null and superseded_by is null;

-- name: memories_with_ended_facts
select distinct memory_id as id
from fact
where tenant = :tenant and uuid in ({list.texts uuids}) and superseded_at is not null and superseded_by is null;

-- name: clear_manual_ends
update fact
set superseded_at = null, superseded_how = null
where tenant = :tenant and uuid in ({list.texts uuids}) and superseded_by is null and superseded_how = 'hand';

-- name: unarchive_merged
update memory
set archived_at = null
where tenant = :tenant and uuid in ({list.texts uuids}) and archived_by is null and archived_at is not null;

-- name: documents_of_source
select id, project, source
from document
where tenant = :tenant and source = :source and project is not distinct from cast(:project as text) and cut_at is not null
order by id;
