-- What the search for lasting knowledge decided about memories, and the crystals that were made of them.

-- name: untriaged
-- With `asks` there is a model, and what only the rules have judged is judged again. A crystal and the summary of a
-- theme say nothing of their own. A chunk of a document belongs to no session, unless the
-- document is a long turn of one.
select
  m.id, m.uuid, m.version, m.body, m.project, m.actor, m.session, m.type, m.importance, m.confidence,
  coalesce(m.said_at, m.created_at) as at, t.state, t.text_version, t.crystal_id, t.reason, t.judged_by
from memory m
left join triage t on t.memory_id = m.id and t.tenant = m.tenant
where m.tenant = :tenant and m.id > :after and m.superseded_at is null
  and (m.document_id is null or m.session is not null)
  and (
    t.memory_id is null or t.version <> :version or t.text_version <> m.version
    or (cast(:asks as integer) = 1 and t.judged_by = 'rules' and t.state in ('none', 'candidate', 'refused'))
  )
  and not exists (select 1 from memory_tag g where g.memory_id = m.id and g.tag = 'crystal' and g.tenant = m.tenant)
  and not exists (select 1 from theme h where h.summary_id = m.id and h.tenant = m.tenant)
order by m.id
limit :limit;

-- name: judged
select
  m.id, m.uuid, m.version, m.body, m.project, m.actor, m.session, m.type, m.importance, m.confidence,
  coalesce(m.said_at, m.created_at) as at, t.state, t.text_version, t.crystal_id, t.reason, t.kind, t.title,
  t.confidence as sure, t.judged_by
from memory m
join triage t on t.memory_id = m.id and t.tenant = m.tenant
where m.tenant = :tenant and t.state <> 'none' and t.memory_id > :after and m.superseded_at is null
  and t.text_version = m.version
  and ((cast(:project as text) is null and m.project is null) or m.project = :project)
order by m.id
limit :limit;

-- name: next_project
select min(project) as project
from memory
where tenant = :tenant and project > :after;

-- name: triage_of
select version, text_version, kind, title, confidence, state, reason, crystal_id, judged_by
from triage
where tenant = :tenant and memory_id = :memory_id;

-- name: set_triage
insert into triage (
  tenant, memory_id, version, text_version, kind, title, confidence, state, reason, crystal_id,
  judged_by
)
select
  m.tenant, m.id, cast(:version as bigint), cast(:text_version as bigint), cast(:kind as text), cast(:title as text),
  cast(:confidence as double precision), cast(:state as text), cast(:reason as text), cast(:crystal_id as bigint),
  cast(:judged_by as text)
from memory m
where m.tenant = :tenant and m.id = :memory_id
on conflict (memory_id, tenant) do update set
  version = excluded.version, text_version = excluded.text_version, kind = excluded.kind, title = excluded.title,
  confidence = excluded.confidence, state = excluded.state, reason = excluded.reason, crystal_id = excluded.crystal_id,
  judged_by = excluded.judged_by;

-- name: delete_triage
delete from triage
where tenant = :tenant and memory_id = :memory_id;

-- name: of_project
select m.id, m.uuid, m.version, m.body, m.metadata, m.superseded_at
from memory m
join memory_tag g on g.memory_id = m.id and g.tenant = m.tenant
where m.tenant = :tenant and lower(g.tag) = 'crystal'
  and ((cast(:project as text) is null and m.project is null) or m.project = :project)
order by m.id;

-- name: sources
select l.source_id as crystal_id, m.id, m.uuid, m.session
from link l
join memory m on m.id = l.target_id and m.tenant = l.tenant
where l.tenant || '' = :tenant and l.source_id {list.any_id crystals} and l.type = 'DERIVED_FROM'
order by l.source_id, m.id;

-- name: made_of
-- An update of a source removes its link to the crystal, until the next run.
select c.id as crystal_id, c.body as crystal, m.id, m.body
from memory c
join memory_tag g on g.memory_id = c.id and g.tag = 'crystal' and g.tenant = c.tenant
join memory m on m.tenant = c.tenant and (
  m.id in (
    select l.target_id
    from link l
    where l.source_id = c.id and l.type = 'DERIVED_FROM' and l.tenant || '' = :tenant
  )
  or m.id in (select t.memory_id from triage t where t.crystal_id = c.id and t.tenant || '' = :tenant)
)
where c.tenant = :tenant and c.id in (
  select l.source_id
  from link l
  where l.target_id {list.any_id memories} and l.type = 'DERIVED_FROM' and l.tenant || '' = :tenant
  union
  select t.crystal_id
  from triage t
  where t.memory_id {list.any_id memories} and t.crystal_id is not null and t.tenant || '' = :tenant
)
order by c.id, m.id;

-- name: every
select
  m.id, m.uuid, m.project, m.body, m.confidence, m.metadata, m.created_at, m.superseded_at
from memory m
join memory_tag g on g.memory_id = m.id and g.tenant = m.tenant
where m.tenant = :tenant and lower(g.tag) = 'crystal' and m.id < :before
  and (cast(:project as text) is null or m.project = :project)
order by m.id desc
limit :limit;

-- name: listed
select m.id, m.uuid, m.project, m.body, m.session, m.created_at, t.kind, t.title, t.confidence, t.state, t.reason,
  t.judged_by, t.version
from triage t
join memory m on m.id = t.memory_id and m.tenant = t.tenant
where t.tenant = :tenant and t.state = :state and (cast(:project as text) is null or m.project = :project)
order by t.confidence desc, m.id desc
limit :limit;

-- name: current
select
  id, uuid, version, body, project, actor, session, type, importance, confidence,
  coalesce(said_at, created_at) as at
from memory
where tenant = :tenant and id = :id and superseded_at is null;

-- name: hide
update memory
set superseded_at = :now
where tenant = :tenant and id = :id and superseded_at is null
returning id;

-- name: show_again
update memory
set superseded_at = null
where tenant = :tenant and id = :id and superseded_at is not null and superseded_by is null
returning id;

-- name: set_state
update triage
set state = :state
where tenant = :tenant and crystal_id = :crystal_id;

-- name: unlink
delete from link
where tenant = :tenant and source_id = :crystal_id and target_id = :source_id and type = 'DERIVED_FROM'
returning source_id;
