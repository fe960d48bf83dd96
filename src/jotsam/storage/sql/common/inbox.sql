-- name: learned
-- What was stored since a time, the latest first: of the latest memories.
select
  m.id, m.uuid, coalesce(m.summary, substr(m.body, 1, 300)) as text, m.actor, m.session, m.source, m.project,
  m.created_at as at
from (
  select id, uuid, summary, body, actor, session, source, project, created_at
  from memory
  where tenant = :tenant
  order by id desc
  limit :latest
) m
where m.created_at >= :since and (cast(:project as text) is null or m.project = :project)
order by m.id desc;

-- name: notes_of
-- What turns say that lasts, without what was ended or is wrong.
select memory_id, kind, body
from note
where tenant = :tenant and memory_id {list.any_id memories} and ended_by is null and coalesce(verdict, 'keep') = 'keep'
order by said_at desc, memory_id desc, position;

-- name: facts_of
select memory_id, subject, predicate, object
from fact
where memory_id {list.any_id memories} and tenant || '' = :tenant and superseded_at is null and confidence >= 0.6
order by id desc
limit :limit;

-- name: single_values
-- Facts that hold, of predicates with one value at a time: of the latest facts. The tenant is concatenated so that
-- planners walk the ids backwards and do not sort all facts of the tenant.
select f.uuid as id, f.subject, f.predicate, f.object, f.subject_key, f.object_key, m.uuid as memory,
  coalesce(m.said_at, m.created_at) as said_at
from (
  select uuid, memory_id, subject, predicate, object, subject_key, object_key, confidence, valid_until, superseded_at
  from fact
  where tenant || '' = :tenant
  order by id desc
  limit :latest
) f
join memory m on m.id = f.memory_id
where f.predicate in ({list.texts predicates}) and f.confidence >= 0.5
  and f.superseded_at is null and (f.valid_until is null or f.valid_until > :now)
  and m.superseded_at is null and m.archived_at is null
  and (cast(:project as text) is null or m.project = :project)
order by said_at desc, f.uuid;
