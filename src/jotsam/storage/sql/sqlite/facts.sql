-- name: named
-- Unlike PostgreSQL, a list is unfolded by json_each, and cross joins keep the planner from walking all facts.
-- Facts of which a question names two of the three parts, or the whole subject in several words. Each of the four ways
-- goes through an index; what may not be shown is left out.
with asked as materialized (
  select value as key
  from json_each(:keys)
),
hit as (
  select f.id
  from json_each(:predicates) p
  cross join asked
  cross join fact f
  where f.tenant = :tenant and f.subject_key = asked.key and f.predicate = p.value
  union
  select f.id
  from json_each(:predicates) p
  cross join asked
  cross join fact f
  where f.tenant = :tenant and f.object_key = asked.key and f.predicate = p.value
  union
  select f.id
  from asked
  cross join fact f
  where f.tenant = :tenant and f.object_key = asked.key and f.subject_key in (select key from asked)
  union
  select f.id
  from json_each(:phrases) phrase
  cross join fact f
  where f.tenant = :tenant and f.subject_key = phrase.value
)
select
  f.uuid as id, f.memory_id as ref, f.subject_key, f.object_key, f.subject, f.predicate, f.object, f.confidence,
  f.valid_from, f.valid_until, f.extractor, m.uuid as memory,
  f.superseded_at, heir.uuid as superseded_by
from hit
cross join fact f on f.id = hit.id
cross join memory m on m.id = f.memory_id
left join memory heir on heir.id = f.superseded_by
where {shown.memory}
  and (:history = 1 or (
    (f.valid_from is null or f.valid_from <= :at)
    and (f.valid_until is null or f.valid_until > :at)
  ))
order by f.id desc
limit :limit;

-- name: standing
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What memories say with some predicates, as far as it holds at a time and nobody has brought it back.
select f.memory_id as ref, f.subject_key, f.predicate, f.object_key, f.confidence, m.project, m.document_id
from json_each(:refs) asked
cross join fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.memory_id = asked.value and f.predicate in (select value from json_each(:predicates))
  and (f.superseded_at is null or f.superseded_at > :at)
  and (f.valid_from is null or f.valid_from <= :at)
  and (f.valid_until is null or f.valid_until > :at)
  and coalesce(f.superseded_how, m.superseded_how, '') <> 'kept'
order by f.id;

-- name: ended
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What memories say that held no more at a time, because something else did.
select
  f.uuid as id, f.memory_id as ref, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, heir.uuid as superseded_by
from json_each(:refs) asked
cross join fact f
join memory m on m.id = f.memory_id
left join memory heir on heir.id = f.superseded_by
where f.tenant = :tenant and f.memory_id = asked.value and f.superseded_at <= :at
order by f.id;
