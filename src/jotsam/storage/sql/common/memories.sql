-- name: save
-- A chunk belongs to the project that its document belongs to now.
insert into memory (
  uuid, tenant, project, document_id, position, line, section, body, type, importance, confidence, metadata,
  actor, session, source, said_at, valid_from, valid_until, external_id, key, job_id, created_at, joined_from
)
values (
  :uuid, :tenant, case
    when cast(:document_id as bigint) is null then cast(:project as text)
    else (select d.project from document d where d.tenant = :tenant and d.id = :document_id)
  end,
  :document_id, :position, :line, :section, :body, :type, :importance, :confidence, :metadata,
  :actor, :session, :source, :said_at, :valid_from, :valid_until, :external_id, :key, :job_id, :now, coalesce(
    cast(:joined_from as text),
    (select d.joined_from from document d where d.tenant = :tenant and d.id = cast(:document_id as bigint))
  )
)
returning id;

-- name: index_metadata
insert into metadata_index (tenant, hash, memory_id)
values (:tenant, :hash, :memory_id)
on conflict do nothing;

-- name: by_key
select id, uuid, job_id, enriched_at as processed_at
from memory
where tenant = :tenant and key = :key;

-- name: by_keys
select uuid
from memory
where tenant = :tenant and key {list.any_text keys};

-- name: by_external_id
select id, uuid, job_id, enriched_at as processed_at
from memory
where tenant = :tenant and external_id = :external_id;

-- name: get
select
  m.*, d.uuid as document, s.uuid as superseded_by_uuid, a.uuid as archived_by_uuid,
  {summary.size} as summary_of
from memory m
left join document d on d.id = m.document_id
left join memory s on s.id = m.superseded_by
left join memory a on a.id = m.archived_by
where m.tenant = :tenant and m.uuid = :uuid;

-- name: by_prefix
-- The tenant is concatenated so that planners use the UUID and do not read all memories of the tenant.
select uuid
from memory
where tenant || '' = :tenant and uuid >= :low and uuid < :high
limit 2;

-- name: last_turn
select max(said_at) as said_at
from memory
where tenant = :tenant and source = :source and session is not null;

-- name: of_document
select id, uuid, section, position, job_id, enriched_at
from memory
where tenant || '' = :tenant and document_id = :document_id
order by position;

-- name: jobs_of_document
-- Reads the tables of the queue: a document of thousands of chunks would otherwise cost as many queries.
select
  j.id, j.queue, j.kind, j.tenant, j.state, j.priority, j.lane, j.parallel, j.received, j.failures,
  j.interruptions, j.max_receive, j.lease_ms, j.created_at, j.wake_at, j.owner, j.error
from memory m
join queue_job j on j.id = m.job_id
where m.tenant = :tenant and m.document_id = :document_id
order by j.id;

-- name: failures_of_document
-- For the same reason. A successful delivery adds nothing to what the memory itself shows.
select a.job_id, a.received, a.owner, a.started_at, a.ended_at, a.outcome, a.error
from memory m
join queue_attempt a on a.job_id = m.job_id
where m.tenant = :tenant and m.document_id = :document_id and a.outcome <> 'done'
order by a.job_id, a.received;

-- name: costs_of_document
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
where tenant || '' = :tenant and document_id = :document_id and position = :position;

-- name: supersede_source
-- Each chunk of a document is superseded by the chunk of a newer document of its source in the same section, if any.
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
-- 'kept' records that a decision made from facts was taken back, so that they do not repeat it.
update memory
set superseded_at = null, superseded_by = null,
  superseded_how = case when superseded_how in ('facts', 'change') then 'kept' end
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
-- A chunk that was superseded for another reason, at another time, stays superseded.
update memory
set superseded_at = null, superseded_by = null
where tenant = :tenant and document_id = :document_id and superseded_at = :at;

-- name: successors
-- What supersedes a memory, directly and indirectly, in at most 100 steps.
with recursive successor (id, step) as (
  select superseded_by, 1
  from memory
  where tenant = :tenant and id = :id
  union
  select m.superseded_by, s.step + 1
  from successor s
  join memory m on m.id = s.id
  where s.step < 100
)
select m.id, m.uuid
from successor s
join memory m on m.id = s.id and m.tenant || '' = :tenant
order by s.step;

-- name: mark_enriched
-- A type, confidence or importance given by a caller stays. Those of this extractor have no copy of its name, which
-- would be 12 % of the bytes of short memories.
update memory
set
  summary = coalesce(cast(:summary as text), summary),
  type = case when type is not null and type_by is null then type else coalesce(cast(:type as text), type) end,
  type_by = case
    when (type is not null and type_by is null) or cast(:type as text) is null
    then case type_by when '' then extractor else type_by end
    else ''
  end,
  confidence = case
    when confidence is not null and confidence_by is null then confidence
    else coalesce(:confidence, confidence)
  end,
  confidence_by = case
    when (confidence is not null and confidence_by is null) or :confidence is null
    then case confidence_by when '' then extractor else confidence_by end
    else ''
  end,
  importance = case
    when importance is not null and importance_by is null then importance
    else coalesce(:importance, importance)
  end,
  importance_by = case
    when (importance is not null and importance_by is null) or :importance is null
    then case importance_by when '' then extractor else importance_by end
    else ''
  end,
  extractor = cast(:extractor as text),
  degraded = cast(:degraded as text),
  -- It waits since the model failed, or was to read it. The first time of the former counts.
  awaits_model_since = case
    when cast(:degraded as text) is not null and coalesce(degraded, '') not like :unread then awaits_model_since
  end,
  enriched_at = :now
where tenant = :tenant and id = :id;

-- name: set_awaiting_model
update memory
set awaits_model_since = case when :awaits = 1 then coalesce(awaits_model_since, :now) end
where tenant = :tenant and id = :id;

-- name: stop_waiting
update memory
set awaits_model_since = null
where tenant || '' = :tenant and job_id = :job_id;

-- name: set_rejected
update memory
set rejected = cast(:rejected as text)
where tenant = :tenant and id = :id;

-- name: extractor
select extractor
from memory
where tenant = :tenant and id = :id;

-- name: clear
-- Removes everything extracted except tags, which leaves what the caller gave.
update memory
set
  summary = null, extractor = null, degraded = null, awaits_model_since = null, rejected = null, enriched_at = null,
  type = case when type_by is null then type end,
  importance = case when importance_by is null then importance end,
  confidence = case when confidence_by is null then confidence end,
  type_by = null, importance_by = null, confidence_by = null
where tenant = :tenant and id = :id;

-- name: clear_tags
delete from memory_tag
where tenant || '' = :tenant and memory_id = :memory_id and extractor is not null
  and (:whose >= 2 or extractor not like 'agent%') and (:whose >= 1 or extractor not like 'llm:%');

-- name: set_enrich_job
update memory
set job_id = :job_id
where tenant = :tenant and id = :id;

-- name: count_discarded
-- Current memories that are not enriched and have no job that would do it, because it was discarded.
select count(*) as memories
from memory m
where m.tenant = :tenant and m.enriched_at is null and m.superseded_at is null
  and not exists (select 1 from queue_job j where j.id = m.job_id);

-- name: to_enrich
-- A page of current memories, each with the state of its job, null if the job is done, and whether it is a turn that an
-- earlier release enriched, which made no notes.
select
  m.*, d.uuid as document, j.state as job_state,
  case when m.session is not null and m.enriched_at < {note.read_since} then 1 else 0 end as is_without_notes
from memory m
left join document d on d.id = m.document_id
left join queue_job j on j.id = m.job_id
where m.tenant = :tenant and (m.superseded_at is null or m.superseded_how in ('facts', 'change')) and m.id > :after
  and m.extractor is distinct from 'cluster'
  and (cast(:uuid as text) is null or m.uuid = :uuid)
  and (cast(:project as text) is null or m.project = :project)
  and (cast(:source as text) is null or m.source = :source)
  and (cast(:type as text) is null or m.type = :type)
  and (cast(:extractor as text) is null or m.extractor like :extractor escape '\')
  and (:degraded = 0 or m.degraded is not null)
order by m.id
limit :limit;

-- name: awaiting_model
-- The memories that wait for the model and have no job, the one that was tried longest ago first. Those with a job are
-- among the first `window`, which limits how many jobs there are at a time; the first job of a memory does not count.
-- With `paced`, only those whose interval is over: each is as long as the time waited before, so it doubles.
select id, uuid
from (
  select m.id, m.uuid, m.enriched_at, m.awaits_model_since, j.id as job_id
  from memory m
  left join queue_job j on j.id = m.job_id
  where m.tenant = :tenant and m.awaits_model_since is not null and (j.state is null or j.state <> 'dead')
    and (j.id is null or m.degraded not like :unread)
  order by m.enriched_at, m.id
  limit :window
) oldest
where job_id is null
  and (:paced = 0 or (enriched_at + :shortest <= :now and 2 * enriched_at - awaits_model_since <= :now))
order by enriched_at, id
limit :limit;

-- name: said_at
select project, coalesce(said_at, created_at) as at, coalesce(position, 0) as place
from memory
where tenant = :tenant and id = :id;

-- name: stored_before
-- Among the latest memories stored before this one in its project, those said before it within a time window. The limit
-- applies before the window: otherwise a project whose latest memories are old would be read completely.
select id
from (
  select id, coalesce(said_at, created_at) as at, coalesce(position, 0) as place
  from memory
  where tenant = :tenant and (project = :project or (project is null and cast(:project as text) is null)) and id < :id
    and document_id is null and superseded_at is null and extractor is distinct from 'cluster'
  order by id desc
  limit :limit
) latest
where at >= :since and (at, place, id) < (:at, :place, :id)
order by id desc;

-- name: add_date_range
insert into date_range (memory_id, tenant, first, until)
values (:memory_id, :tenant, :first, :until)
on conflict do nothing;

-- name: date_ranges
select first, until
from date_range
where tenant || '' = :tenant and memory_id = :memory_id
order by until - first, first;

-- name: clear_date_ranges
delete from date_range
where tenant || '' = :tenant and memory_id = :memory_id;

-- name: turns_of_session
-- The turns of a session as they were handed in. A long turn is a document, whose chunks have no key.
select memory.key, memory.body as text
from memory
where memory.tenant = :tenant and memory.session = :session and memory.key is not null
union all
select document.key, document.body as text
from document
where document.tenant = :tenant and document.key is not null and document.id in (
  select memory.document_id
  from memory
  where memory.tenant = :tenant and memory.session = :session
);

-- name: in_other_sessions
-- Turns of other sessions that were said at about a time: of a line of a file, or of a hook, whose turns have no line.
select m.body
from memory m
left join document d on d.id = m.document_id
where m.tenant = :tenant and coalesce(m.said_at, m.created_at) >= :first and coalesce(m.said_at, m.created_at) <= :last
  and m.session <> :session
  and (
    m.external_id like :line escape '\'
    or (m.external_id is null and coalesce(m.key, d.key) like :key escape '\')
  );

-- name: previous_in_session
-- The memory said just before this one in the same session: by time, then position, then id. The separate condition
-- on the time is redundant, but SQLite needs it to use the index.
select id
from memory
where tenant = :tenant and session = :session and document_id is null
  and coalesce(said_at, created_at) <= :at
  and (coalesce(said_at, created_at), coalesce(position, 0), id) < (:at, :place, :id)
order by coalesce(said_at, created_at) desc, coalesce(position, 0) desc, id desc
limit 1;

-- name: turns_before
-- What was said before this one in the same session and stored before it, the latest first, with the chunks of long
-- turns. What is superseded since is among them, so that the same is found when the memory is read again.
select id, actor, body
from memory
where tenant = :tenant and session = :session and id < :id
  and coalesce(said_at, created_at) <= :at
  and (coalesce(said_at, created_at), coalesce(position, 0), id) < (:at, :place, :id)
order by coalesce(said_at, created_at) desc, coalesce(position, 0) desc, id desc
limit :limit;

-- name: next_in_session
-- The memory said just after this one in the same session.
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
where tenant || '' = :tenant and memory_id = :memory_id
order by tag;

-- name: latest_names
-- What the latest memories are filed under.
select id, actor, session, source
from memory
where tenant = :tenant and (cast(:project as text) is null or project = :project)
order by id desc
limit :latest;

-- name: counted_tags
select tag, count(*) as memories
from memory_tag
where memory_id {list.any_id memories} and tenant || '' = :tenant
group by tag
order by memories desc, tag
limit :limit;

-- name: found_tags
select tag, extractor
from memory_tag
where tenant || '' = :tenant and memory_id = :memory_id and extractor is not null
order by tag;

-- name: count
select
  count(*) as memories, count(enriched_at) as enriched, count(degraded) as degraded,
  count(awaits_model_since) as awaiting_model,
  count(case when coalesce(extractor, '') <> 'cluster' then archived_at end) as archived -- without summaries
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

-- name: ids
select id
from memory
where tenant = :tenant;

-- name: indexed_texts
-- What the text index holds of each memory, one row per tag. Tags that are found later are not indexed, and neither are
-- summaries of themes.
select m.id, m.body, m.project, m.source, m.section, m.actor, m.metadata, t.tag
from (
  select id, document_id, body, project, source, section, actor, metadata
  from memory
  where tenant = :tenant and id > :after and extractor is distinct from 'cluster'
  order by id
  limit :limit
) m
left join memory_tag t on t.memory_id = m.id and t.extractor is null
order by m.id, t.tag;

-- name: of_job
-- The tenant is concatenated so that planners use the number of the job.
select uuid
from memory
where tenant || '' = :tenant and job_id = :job_id;

-- name: by_project
-- From the index memory_project alone, in its order.
select
  project,
  count(*) as memories,
  min(coalesce(said_at, created_at)) as first,
  max(coalesce(said_at, created_at)) as last
from memory
where tenant = :tenant and project is not null
group by project;
