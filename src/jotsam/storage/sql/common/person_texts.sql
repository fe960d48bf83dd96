-- All texts of a tenant in which the name of a person can be, a page at a time. A page begins after an id.

-- name: people
-- Entities that are people, merged ones too.
select id, slug, name, coalesce(canonical_id, id) as person
from entity
where tenant = :tenant and category = 'people'
order by id;

-- name: mentioned
-- The memories that mention one of these entities, and the documents of chunks that do.
select m.id, m.uuid, d.uuid as document
from mention n
join memory m on m.id = n.memory_id and m.tenant = n.tenant
left join document d on d.id = m.document_id and d.tenant = m.tenant
where n.tenant || '' = :tenant and n.entity_id {list.any_id entities} and m.id > :after
order by m.id
limit :limit;

-- name: memories
select id, uuid, actor, document_id, extractor, substr(body, 1, 120) as sample,
  body || ' |||| ' || coalesce(summary, '') || ' |||| ' || section || ' |||| ' || coalesce(metadata, '')
  || ' |||| ' || coalesce(actor, '') || ' |||| ' || coalesce(session, '') || ' |||| ' || coalesce(source, '')
  || ' |||| ' || coalesce(project, '') || ' |||| ' || coalesce(external_id, '') || ' |||| ' || coalesce(key, '')
  || ' |||| ' || coalesce(type, '') || ' |||| ' || coalesce(rejected, '') || ' |||| ' || coalesce(degraded, '') as text
from memory
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: documents
select id, uuid, actor, cut_at, substr(body, 1, 120) as sample, body,
  coalesce(source, '') || ' |||| ' || coalesce(actor, '') || ' |||| ' || coalesce(session, '')
  || ' |||| ' || coalesce(project, '') || ' |||| ' || coalesce(key, '') as text
from document
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: versions
select memory_id as id, version, body || ' |||| ' || tags || ' |||| ' || coalesce(metadata, '') as text
from memory_version
where tenant = :tenant and (memory_id, version) > (:after, :then)
order by memory_id, version
limit :limit;

-- name: tags
select distinct tag as text
from memory_tag
where tenant = :tenant
order by tag;

-- name: tagged
select distinct memory_id as id
from memory_tag
where tenant = :tenant and tag {list.any_text tags};

-- name: facts
select id, memory_id, subject || ' |||| ' || object as text
from fact
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: triage
select memory_id as id, coalesce(title, '') || ' |||| ' || coalesce(reason, '') as text
from triage
where tenant = :tenant and memory_id > :after
order by memory_id
limit :limit;

-- name: notes
select memory_id as id, position, body || ' |||| ' || coalesce(problem, '') || ' |||| ' || terms || ' |||| '
  || coalesce(ended_names, '') || ' |||| ' || coalesce(old_names, '') as text
from note
where tenant = :tenant and (memory_id, position) > (:after, :then)
order by memory_id, position
limit :limit;

-- name: links
-- Only those with properties, which a caller wrote.
select source_id as id, properties as text
from link
where tenant = :tenant and properties is not null
order by source_id, target_id;

-- name: blocks
select uuid as id, name || ' |||| ' || body || ' |||| ' || project || ' |||| ' || actor as text
from memory_block
where tenant = :tenant
order by uuid;

-- name: items
select id, namespace || ' |||| ' || key || ' |||| ' || value || ' |||| ' || coalesce(words, '') as text
from item
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: trash
select batch, part, memories + documents as texts, sample || ' |||| ' || undo || ' |||| ' || rows || ' |||| ' || lines as text
from trash
where tenant = :tenant and (batch, part) > (:after, :then)
order by batch, part
limit :limit;

-- name: delete_trash
delete from trash
where tenant = :tenant and batch = :batch and part = :part;

-- name: jobs
select j.id, j.state,
  coalesce(j.payload, p.json, '') || ' |||| ' || coalesce(p.note, '') || ' |||| ' || coalesce(j.error, '') as text
from queue_job j
left join queue_payload p on p.job_id = j.id
where j.tenant = :tenant and j.id > :after
order by j.id
limit :limit;

-- name: attempts
-- What is left of jobs: the errors of their attempts, and their results.
select a.job_id as id, a.received as place,
  coalesce(a.error, '') || ' |||| ' || coalesce(a.trace, '') || ' |||| ' || coalesce(r.json, '') as text
from queue_attempt a
left join queue_result r on r.job_id = a.job_id
where a.tenant = :tenant and (a.job_id, a.received) > (:after, :then)
order by a.job_id, a.received
limit :limit;

-- name: descriptions
select e.id, e.name || ' |||| ' || e.slug || ' |||| ' || coalesce(i.body, '') as text
from entity e
left join identity i on i.entity_id = e.id and i.tenant = e.tenant
where e.tenant = :tenant and e.id > :after
order by e.id
limit :limit;

-- name: themes
select id, name || ' |||| ' || terms as text
from theme
where tenant = :tenant
order by id;

-- name: patterns
select id, slug || ' |||| ' || terms as text
from pattern
where tenant = :tenant
order by id;

-- name: events
select id, data as text
from event
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: run_records
select run_id as id, part, changes as text
from lifecycle_change
where tenant = :tenant and (run_id, part) > (:after, :then)
order by run_id, part
limit :limit;

-- name: given_texts
select session, slot, session || ' |||| ' || body as text
from given_text
where tenant = :tenant and (session, slot) > (:after, :then)
order by session, slot
limit :limit;

-- name: model_replies
select key as id, body as text
from llm_cache
where tenant = :tenant and key > :after
order by key
limit :limit;

-- name: kept_replies
select key as id, body || ' |||| ' || coalesce(location, '') as text
from kept_reply
where tenant = :tenant and key > :after
order by key
limit :limit;

-- name: audit
select id, name || ' |||| ' || subject || ' |||| ' || action || ' |||| ' || request as text
from audit
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: tokens
select id, name as text
from api_token
where tenant = :tenant
order by id;

-- name: allowed_secrets
select fingerprint as id, reason as text
from allowed_secret
where tenant = :tenant
order by fingerprint;
