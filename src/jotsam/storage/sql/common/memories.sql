-- name: save
insert into memory (
  uuid, tenant, project, document_id, position, line, section, body, type, importance, confidence, metadata,
  actor, session, source, said_at, valid_from, valid_until, own_id, key, job_id, created_at
)
values (
  :uuid, :tenant, :project, :document_id, :position, :line, :section, :body, :type, :importance, :confidence, :metadata,
  :actor, :session, :source, :said_at, :valid_from, :valid_until, :external_id, :key, :job_id, :now
)
returning id;

-- name: mark
insert into memory_mark (tenant, mark, memory_id)
values (:tenant, :mark, :memory_id)
on conflict do nothing;

-- name: by_key
select uuid, job_id
from memory
where tenant = :tenant and key = :key;

-- name: by_external_id
select uuid, job_id
from memory
where tenant = :tenant and own_id = :external_id;

-- name: get
select m.*, m.own_id as external_id, d.uuid as document
from memory m
left join document d on d.id = m.document_id
where m.tenant = :tenant and m.uuid = :uuid;

-- name: find
-- The tenant is hidden from planners, so that they go by the id and do not walk all that a tenant has.
select uuid
from memory
where tenant || '' = :tenant and uuid >= :low and uuid < :high
limit 2;

-- name: of_document
select id, uuid, section, position, job_id, enriched_at
from memory
where document_id = :document_id
order by position;

-- name: jobs_of_document
-- The queue's own tables: asked one by one, a document of thousands of chunks would cost as many queries.
select
  j.id, j.queue, j.kind, j.tenant, j.state, j.priority, j.lane, j.parallel, j.received, j.failures, j.max_receive,
  j.lease_ms, j.created_at, j.wake_at, j.owner, j.error
from memory m
join queue_job j on j.id = m.job_id
where m.tenant = :tenant and m.document_id = :document_id
order by j.id;

-- name: failures_of_document
-- For the same reason. Deliveries that went well say nothing that the memory itself does not say.
select a.job_id, a.received, a.owner, a.started_at, a.ended_at, a.outcome, a.error
from memory m
join queue_attempt a on a.job_id = m.job_id
where m.tenant = :tenant and m.document_id = :document_id and a.outcome <> 'done'
order by a.job_id, a.received;

-- name: paid_of_document
-- For the same reason.
select
  l.job_id, l.model, l.purpose, l.state, l.tokens_in, l.tokens_cached, l.tokens_out, l.cost, l.created_at as at
from memory m
join ledger l on l.tenant = m.tenant and l.job_id = m.job_id and l.job_id > 0
where m.tenant = :tenant and m.document_id = :document_id
order by l.id;

-- name: chunk
select id
from memory
where document_id = :document_id and position = :position;

-- name: succeed_source
-- Each chunk of a text by the one of a later text of its source that stands in the same section, if there is one.
update memory
set superseded_at = :at, superseded_how = 'source', superseded_by = (
    select min(n.id)
    from memory n
    where n.document_id = :by and n.section = memory.section
  )
where tenant = :tenant and document_id = :document_id and (superseded_at is null or superseded_how = 'source');

-- name: supersede
update memory
set superseded_at = :at, superseded_by = :by, superseded_how = null
where tenant = :tenant and id = :id;

-- name: restore
-- What facts did is noted as taken back, or they would do it again.
update memory
set superseded_at = null, superseded_by = null,
  superseded_how = case when superseded_how = 'facts' then 'kept' end
where tenant = :tenant and id = :id;

-- name: supersede_chunks
update memory
set superseded_at = :at, superseded_by = (
    select min(n.id)
    from memory n
    where n.document_id = :by and n.section = memory.section
  )
where tenant = :tenant and document_id = :document_id and superseded_at is null;

-- name: restore_chunks
-- What was superseded for another reason, at another time, stays so.
update memory
set superseded_at = null, superseded_by = null
where tenant = :tenant and document_id = :document_id and superseded_at = :at;

-- name: heirs
-- What holds in the place of a memory, and in the place of that, and so on: at most a hundred steps.
with recursive heir (id, step) as (
  select superseded_by, 1
  from memory
  where tenant = :tenant and id = :id
  union
  select m.superseded_by, h.step + 1
  from heir h
  join memory m on m.id = h.id
  where h.step < 100
)
select m.id, m.uuid
from heir h
join memory m on m.id = h.id
order by h.step;

-- name: enriched
-- A type or an importance that a caller gave stays.
update memory
set
  summary = coalesce(cast(:summary as text), summary),
  type = case when type is not null and type_by is null then type else coalesce(cast(:type as text), type) end,
  type_by = case
    when (type is not null and type_by is null) or cast(:type as text) is null then type_by
    else cast(:extractor as text)
  end,
  confidence = case
    when confidence is not null and confidence_by is null then confidence
    else coalesce(:confidence, confidence)
  end,
  confidence_by = case
    when (confidence is not null and confidence_by is null) or :confidence is null then confidence_by
    else cast(:extractor as text)
  end,
  importance = case
    when importance is not null and importance_by is null then importance
    else coalesce(:importance, importance)
  end,
  importance_by = case
    when (importance is not null and importance_by is null) or :importance is null then importance_by
    else cast(:extractor as text)
  end,
  extractor = cast(:extractor as text),
  degraded = cast(:degraded as text),
  enriched_at = :now
where id = :id;

-- name: reject
update memory
set rejected = cast(:rejected as text)
where id = :id;

-- name: extractor
select extractor
from memory
where id = :id;

-- name: clear
-- All that was ever found, but for tags: back to what the caller gave.
update memory
set
  summary = null, extractor = null, degraded = null, rejected = null, enriched_at = null,
  type = case when type_by is null then type end,
  importance = case when importance_by is null then importance end,
  confidence = case when confidence_by is null then confidence end,
  type_by = null, importance_by = null, confidence_by = null
where id = :id;

-- name: clear_tags
delete from memory_tag
where memory_id = :memory_id and extractor is not null
  and (:whose >= 2 or extractor not like 'agent%') and (:whose >= 1 or extractor not like 'llm:%');

-- name: enrich_again
update memory
set job_id = :job_id
where id = :id;

-- name: to_enrich
-- A page of current memories, each with the state of its job, if it has one still.
select m.*, d.uuid as document, j.state as job_state
from memory m
left join document d on d.id = m.document_id
left join queue_job j on j.id = m.job_id
where m.tenant = :tenant and (m.superseded_at is null or m.superseded_how = 'facts') and m.id > :after
  and (cast(:uuid as text) is null or m.uuid = :uuid)
  and (cast(:project as text) is null or m.project = :project)
  and (cast(:source as text) is null or m.source = :source)
  and (cast(:type as text) is null or m.type = :type)
  and (cast(:extractor as text) is null or m.extractor like :extractor escape '\')
  and (:degraded = 0 or m.degraded is not null)
order by m.id
limit :limit;

-- name: said_at
select tenant, project, coalesce(said_at, created_at) as at, coalesce(position, 0) as place
from memory
where id = :id;

-- name: handed_in_before
-- Of the latest ones handed in before it in the same project, those that were said before it, within a window of time.
-- The window is asked of these few alone: where the last ones are old, all others would be looked at in vain.
select id
from (
  select id, coalesce(said_at, created_at) as at, coalesce(position, 0) as place
  from memory
  where tenant = :tenant and (project = :project or (project is null and cast(:project as text) is null)) and id < :id
    and document_id is null and superseded_at is null
  order by id desc
  limit :limit
) latest
where at >= :since and (at, place, id) < (:at, :place, :id)
order by id desc;

-- name: add_period
insert into period (memory_id, tenant, first, until, named)
values (:memory_id, :tenant, :first, :until, :named)
on conflict (memory_id, first, until) do update set named = excluded.named;

-- name: periods
select first, until, named
from period
where memory_id = :memory_id
order by named desc, until - first, first;

-- name: clear_periods
delete from period
where memory_id = :memory_id;

-- name: before
-- The memory said just before this one in the same session: by when it was said, then by its place, then as it came.
-- What the comparison of the whole order says of the time is said once more, for SQLite can only use that for its index.
select id
from memory
where tenant = :tenant and session = :session and document_id is null
  and coalesce(said_at, created_at) <= :at
  and (coalesce(said_at, created_at), coalesce(position, 0), id) < (:at, :place, :id)
order by coalesce(said_at, created_at) desc, coalesce(position, 0) desc, id desc
limit 1;

-- name: after
-- The memory said just after this one.
select id
from memory
where tenant = :tenant and session = :session and document_id is null
  and coalesce(said_at, created_at) >= :at
  and (coalesce(said_at, created_at), coalesce(position, 0), id) > (:at, :place, :id)
order by coalesce(said_at, created_at), coalesce(position, 0), id
limit 1;

-- name: tag
insert into memory_tag (tenant, tag, memory_id, extractor)
values (:tenant, :tag, :memory_id, :extractor)
on conflict do nothing;

-- name: tags
select tag
from memory_tag
where memory_id = :memory_id
order by tag;

-- name: count
select count(*) as memories, count(enriched_at) as enriched, count(degraded) as degraded
from memory
where tenant = :tenant;

-- name: not_enriched
select count(*) as memories
from memory
where tenant = :tenant and enriched_at is null;

-- name: degraded
select count(*) as memories
from memory
where tenant = :tenant and degraded is not null;

-- name: forget_tenant
delete from memory
where tenant = :tenant;

-- name: numbers
select id
from memory
where tenant = :tenant;

-- name: texts
-- What the index of words holds of each memory. It was made when the memory was accepted, so the tags that were found
-- afterwards, those of its entities, are not in it. One row for each tag.
select m.id, m.body, m.project, m.source, m.section, m.actor, t.tag
from (
  select id, document_id, body, project, source, section, actor
  from memory
  where tenant = :tenant and id > :after
  order by id
  limit :limit
) m
left join memory_tag t on t.memory_id = m.id and m.document_id is null
  and not exists (
    select 1
    from mention n
    join entity e on e.id = n.entity_id
    where n.memory_id = m.id and t.tag = 'entity:' || e.category || ':' || e.slug
  )
order by m.id, t.tag;
