-- name: visible.memory
-- Whether the memory `m` is in scope. Every recall query uses this fragment instead of its own conditions, so a new
-- condition applies everywhere.
(
  (cast(:project as text) is null or m.project = :project)
  and (cast(:actor as text) is null or m.actor = :actor)
  and (cast(:narrowed as text) is null or m.id in ({list.ids narrowed}))
  and (cast(:history as bigint) = 1 or (
    (m.superseded_at is null or m.superseded_at > :at)
    and (m.valid_from is null or m.valid_from <= :at)
    and (m.valid_until is null or m.valid_until > :at)
  ))
  and (cast(:archived as bigint) = 1 or m.archived_at is null or m.archived_at > :at)
  and (cast(:past as bigint) = 0 or coalesce(m.valid_from, m.said_at, m.created_at) <= :at)
);

-- name: visible.context
-- Whether the archived memory `m` is a turn that would be in scope. It is never an answer, but the turns around it are
-- found by its words.
(
  cast(:with_archived as bigint) = 1 and cast(:archived as bigint) = 0 and m.archived_at <= :at and m.session is not null and m.document_id is null
  and (cast(:project as text) is null or m.project = :project)
  and (cast(:actor as text) is null or m.actor = :actor)
  and (cast(:narrowed as text) is null or m.id in ({list.ids narrowed}))
  and (cast(:history as bigint) = 1 or (
    (m.superseded_at is null or m.superseded_at > :at)
    and (m.valid_from is null or m.valid_from <= :at)
    and (m.valid_until is null or m.valid_until > :at)
  ))
  and (cast(:past as bigint) = 0 or coalesce(m.said_at, m.created_at) <= :at)
);

-- name: visible.document
-- The same for the document `d`, which is not chunked yet. Its reference is its negative id.
(
  (cast(:project as text) is null or d.project = :project)
  and (cast(:actor as text) is null or d.actor = :actor)
  and (cast(:narrowed as text) is null or -d.id in ({list.ids narrowed}))
  and (cast(:history as bigint) = 1 or d.superseded_at is null or d.superseded_at > :at)
  and (cast(:past as bigint) = 0 or coalesce(d.date, d.created_at) <= :at)
);

-- name: visible.fact
-- Whether the fact `f` of the memory `m` was stated before a time and is valid at it.
(
  coalesce(f.valid_from, m.said_at, m.created_at) <= :at
  and (m.superseded_at is null or m.superseded_at > :at)
  and (m.valid_from is null or m.valid_from <= :at)
  and (m.valid_until is null or m.valid_until > :at)
  and (m.archived_at is null or m.archived_at > :at)
  and (f.superseded_at is null or f.superseded_at > :at)
  and (f.valid_until is null or f.valid_until > :at)
);

-- name: visible.item
-- Whether the item `i` is below a path, has not expired, and meets all conditions. A condition is a range of values of a
-- field; a negated one is met if the item has none in it.
(
  i.tenant = :tenant and i.place >= :low and i.place < :high
  and (cast(:head as text) is null or substr(i.namespace, 1, length(:head)) = :head)
  and (i.expires_at is null or i.expires_at > :now)
  and not exists (
    select 1
    from condition c
    where c.negated = case
      when exists (
        select 1
        from item_field o
        where o.tenant = :tenant and o.item_id = i.id and o.name = c.name and o.sort >= c.low and o.sort < c.high
      ) then '1'
      else '0'
    end
  )
);

-- name: summary.size
-- How many memories the memory `m` summarises; 0: it is no summary. A summary is archived only to be no candidate.
case
  when m.extractor = 'cluster' then (
    select count(*)
    from link l
    where l.tenant = m.tenant and l.source_id = m.id and l.type = 'SUMMARIZES' and l.extractor = 'cluster'
  )
  else 0
end;

-- name: brief.candidate
-- The columns of a memory `m` that may become a line of a brief.
  m.id as ref,
  m.uuid,
  substr(m.body, 1, 1000) as body,
  m.summary,
  m.type,
  case m.type_by when '' then m.extractor else m.type_by end as type_by,
  m.importance,
  m.confidence,
  m.source,
  m.actor,
  m.session,
  m.document_id,
  m.project,
  (select 1 from memory_tag g where g.memory_id = m.id and g.tag = 'crystal' and g.tenant = m.tenant) as is_crystal,
  coalesce(m.said_at, m.created_at) as date;

-- name: chosen.memory
-- Whether the memory `m` is in a selection. Lists are in lower case.
(
  (cast(:document as bigint) is null or m.document_id = :document)
  and (cast(:source as text) is null or m.source = :source)
  and (cast(:project as text) is null or m.project = :project)
  and (cast(:session as text) is null or m.session = :session)
  and (cast(:actor as text) is null or m.actor = :actor)
  and (cast(:types as text) is null or lower(m.type) in ({list.texts types}))
  and (cast(:since as bigint) is null or coalesce(m.said_at, m.created_at) >= :since)
  and (cast(:until as bigint) is null or coalesce(m.said_at, m.created_at) < :until)
  and (cast(:before as bigint) is null or m.created_at < :before)
  and (cast(:min_importance as double precision) is null or m.importance >= :min_importance)
  and (cast(:history as bigint) = 1 or (
    (m.superseded_at is null or m.superseded_at > :now)
    and (m.valid_from is null or m.valid_from <= :now)
    and (m.valid_until is null or m.valid_until > :now)
  ))
  and (cast(:archived as bigint) = 1 or m.archived_at is null)
  and (cast(:tags as text) is null or (
    with wanted_tag (place, tag) as (
      {list.pairs tags}
    )
    select count(distinct w.place)
    from memory_tag t
    join wanted_tag w on w.tag = lower(t.tag)
    where t.memory_id = m.id and t.tenant || '' = :tenant
  ) >= :groups)
);

-- name: chosen.document
-- The same for the document `d`, which has neither tags nor a type, an importance or metadata.
(
  cast(:compares as bigint) = 0 and cast(:tags as text) is null and cast(:types as text) is null and cast(:min_importance as double precision) is null
  and (cast(:documents as text) is null or d.id in ({list.ids documents}))
  and (cast(:document as bigint) is null or d.id = :document)
  and (cast(:source as text) is null or d.source = :source)
  and (cast(:project as text) is null or d.project = :project)
  and (cast(:session as text) is null or d.session = :session)
  and (cast(:actor as text) is null or d.actor = :actor)
  and (cast(:since as bigint) is null or coalesce(d.date, d.created_at) >= :since)
  and (cast(:until as bigint) is null or coalesce(d.date, d.created_at) < :until)
  and (cast(:before as bigint) is null or d.created_at < :before)
  and (cast(:history as bigint) = 1 or d.superseded_at is null or d.superseded_at > :now)
);

-- name: chosen.job
-- Whether the job `j` has a text in its error, and is about a document or memory of a project, or with a text in its
-- source or at its beginning. A scalar subquery is looked up for one job at a time; `exists` may read a whole table.
(
  (cast(:error as text) is null or replace(lower(j.error), lower(:error), '') <> lower(j.error))
  and (
    (cast(:project as text) is null and cast(:text as text) is null)
    or (
      select 1
      from document d
      where d.tenant || '' = :tenant and d.job_id = j.id
        and (cast(:project as text) is null or d.project = :project)
        and (
          cast(:text as text) is null
          or replace(lower(coalesce(d.source, '') || ' ' || substr(d.body, 1, 1000)), lower(:text), '')
            <> lower(coalesce(d.source, '') || ' ' || substr(d.body, 1, 1000))
        )
      limit 1
    ) = 1
    or (
      select 1
      from memory m
      where m.tenant || '' = :tenant and m.job_id = j.id
        and (cast(:project as text) is null or m.project = :project)
        and (
          cast(:text as text) is null
          or replace(lower(coalesce(m.source, '') || ' ' || substr(m.body, 1, 1000)), lower(:text), '')
            <> lower(coalesce(m.source, '') || ' ' || substr(m.body, 1, 1000))
        )
      limit 1
    ) = 1
  )
);

-- name: row.statement
-- The columns of a memory `m` that is compared with a change.
  m.id, m.uuid, m.body, m.actor, m.session, m.document_id, m.superseded_how, m.superseded_by,
  coalesce(m.said_at, m.created_at) as date;

-- name: link.by_text
-- Whether rules, a model or an agent found the link `l` in a text.
(l.extractor = :extractor or l.extractor like 'llm:%' or l.extractor like 'agent%');

-- name: row.run
-- The columns of a run `r` of the lifecycle and of its job `j`.
  r.id, r.uuid, r.step, r.origin, r.state, r.job_id, r.place, r.parts, r.examined, r.changed, r.reverted, r.kept,
  r.error, r.options, r.created_at, r.started_at, r.ended_at, r.undone_at, j.state as job_state, j.error as job_error;

-- name: row.comparable
-- The columns of a memory `m` that is compared with others.
  m.id, m.uuid, m.project, m.document_id, m.body, m.actor, m.session, m.valid_from, m.valid_until, m.importance,
  m.confidence, m.version, coalesce(m.said_at, m.created_at) as at, case when m.type_by is null then m.type end as type;

-- name: chosen.comparable
-- Whether the memory `m` is compared with others: it is current, its text was read, and it was not made of others, as
-- crystals and summaries are.
(
  m.enriched_at is not null and m.archived_at is null and m.superseded_at is null
  and (m.valid_until is null or m.valid_until > :now)
  and not exists (
    select 1 from memory_tag g where g.memory_id = m.id and g.tag = 'crystal' and g.tenant || '' = :tenant
  )
  and not exists (select 1 from theme h where h.summary_id = m.id and h.tenant || '' = :tenant)
);

-- name: chosen.entity
-- Whether these memories mention the entity `e`, and no others.
(
  e.id in (
    select n.entity_id
    from mention n
    where n.tenant || '' = :tenant and n.memory_id {list.any_id memories}
  )
  and not exists (
    select 1
    from mention n
    where n.tenant || '' = :tenant and n.entity_id = e.id and not n.memory_id {list.any_id memories}
  )
);

-- name: note.compared
-- The columns of a row of `note` that is compared with others.
  memory_id, position, project, kind, scope, body, problem, terms, sure, said_at, ended_by, ended_position, ended_how,
  ended_names, verdict,
  (
    select e.said_at
    from note e
    where e.memory_id = note.ended_by and e.position = note.ended_position and e.tenant || '' = :tenant
  ) as ended_at;

-- name: note.read_since
-- When a database that an earlier release made got its notes: what was enriched before that was not read for them. A new
-- database gets all its tables within seconds, and may hold copies of what another one has read.
  (
    select later.applied_at
    from jotsam_migration later
    join jotsam_migration first on first.schema = later.schema and first.version = 1
    where later.schema = 'memory' and later.version = 4 and later.applied_at > first.applied_at + 600000
  );

-- name: note.read
-- Notes `n` of memories `m`, each with the note `e` that ended it.
select
  n.memory_id, n.memory_id as ref, n.position, n.project, n.kind, n.scope, n.body, n.problem, n.terms, n.sure,
  n.said_at, n.ended_how, n.ended_by, n.ended_position, n.ended_names, n.verdict, e.body as ended_body,
  e.said_at as ended_at, m.uuid, m.actor, m.source, m.session,
  (select b.uuid from memory b where b.id = n.before_id and b.tenant || '' = :tenant) as before_uuid,
  (select a.uuid from memory a where a.id = n.after_id and a.tenant || '' = :tenant) as after_uuid,
  m.project as memory_project
from note n
join memory m on m.id = n.memory_id and m.tenant || '' = :tenant
left join note e on e.memory_id = n.ended_by and e.position = n.ended_position and e.tenant || '' = :tenant;

-- name: select.session_names
-- The part of a recursive query `name (session)` that reads the names of all sessions one by one from an index.
  select (
    select m.session
    from memory m
    where m.tenant = :tenant and m.session is not null
    order by m.session
    limit 1
  )
  union all
  select (
    select m.session
    from memory m
    where m.tenant = :tenant and m.session > name.session
    order by m.session
    limit 1
  )
  from name
  where name.session is not null;

-- name: select.named_facts
-- The ids of the facts whose subject or object is one of some names.
  select id
  from fact
  where tenant = :tenant and subject_key {list.any_text keys}
  union
  select id
  from fact
  where tenant = :tenant and object_key {list.any_text keys};

-- name: select.latest_mentions
-- The latest memories that mention an entity.
  select memory_id
  from mention
  where entity_id = :id and tenant || '' = :tenant
  order by memory_id desc
  limit :latest;
