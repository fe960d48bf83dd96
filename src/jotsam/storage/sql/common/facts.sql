-- name: save
-- The same fact of the same memory is stored once. The more trusted extractor wins: an agent over a model, a model over
-- the rules. Otherwise extracting again by rules would overwrite what an agent submitted.
insert into fact (
  uuid, tenant, memory_id, subject, predicate, object, subject_key, object_key, confidence, valid_from, valid_until,
  extractor, created_at
)
values (
  :uuid, :tenant, :memory_id, :subject, :predicate, :object, :subject_key, :object_key, :confidence, :valid_from, :valid_until,
  :extractor, :now
)
on conflict (memory_id, subject_key, predicate, object_key, tenant) do update
set confidence = excluded.confidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
  extractor = excluded.extractor
where (excluded.extractor like 'agent%' or fact.extractor not like 'agent%')
  and (excluded.extractor like 'agent%' or excluded.extractor like 'llm:%' or fact.extractor not like 'llm:%');

-- name: of_memory
select f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until, f.extractor,
  m.uuid as memory, f.superseded_at, successor.uuid as superseded_by
from fact f
join memory m on m.id = f.memory_id
left join memory successor on successor.id = f.superseded_by
where f.tenant = :tenant and f.memory_id = :memory_id
order by f.id;

-- name: of_each
-- Those of several memories.
select m.id as number, f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, successor.uuid as superseded_by
from fact f
join memory m on m.id = f.memory_id
left join memory successor on successor.id = f.superseded_by
where f.tenant = :tenant and f.memory_id {list.any_id memories}
order by f.memory_id, f.id;

-- name: find
-- Facts valid now; with `history`, also others. Those of archived memories only with `archived`.
select f.id as number, f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, successor.uuid as superseded_by
from fact f
join memory m on m.id = f.memory_id
left join memory successor on successor.id = f.superseded_by
where f.tenant = :tenant
  and (:history = 1 or (
    (m.superseded_at is null or m.superseded_at > :now)
    and (f.superseded_at is null or f.superseded_at > :now)
    and (f.valid_from is null or f.valid_from <= :now)
    and (f.valid_until is null or f.valid_until > :now)
  ))
  and (:archived = 1 or m.archived_at is null)
  and f.id < :before
  and (cast(:subject as text) is null or f.subject_key like :subject escape '\')
  and (cast(:predicate as text) is null or f.predicate = :predicate)
  and (cast(:object as text) is null or f.object_key like :object escape '\')
  and (cast(:words as text) is null or f.subject_key like :words escape '\' or f.object_key like :words escape '\')
  and (cast(:project as text) is null or m.project = :project)
  and (cast(:actor as text) is null or m.actor = :actor)
order by f.id desc
limit :limit;

-- name: get
-- A fact with its memory and the date from which it counts.
select
  f.id, f.uuid, f.memory_id, m.uuid as memory, f.subject_key, f.predicate, f.object_key, f.subject, f.object, f.superseded_at, f.superseded_by, f.superseded_how,
  coalesce(f.valid_from, m.said_at, m.created_at) as date
from fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.uuid = :uuid;

-- name: by_prefix
-- The tenant is concatenated so that planners use the UUID and do not read all facts of the tenant.
select uuid
from fact
where tenant || '' = :tenant and uuid >= :low and uuid < :high
order by uuid
limit 2;

-- name: clear
-- A fact that was ended or restored manually stays when its memory is extracted again.
delete from fact
where superseded_how is null and tenant = :tenant and memory_id = :memory_id
  and (:whose >= 2 or extractor not like 'agent%') and (:whose >= 1 or extractor not like 'llm:%');

-- name: count
select count(*) as facts
from fact
where tenant = :tenant;

-- name: keys_of_memory
select distinct subject_key, predicate
from fact
where tenant = :tenant and memory_id = :memory_id
order by subject_key, predicate;

-- name: competing
-- All facts with a subject and predicate in one project. Memories that were superseded for another reason than their
-- facts are left out.
select
  f.id, f.memory_id, f.object_key, f.confidence, f.superseded_at, f.superseded_by, m.document_id,
  coalesce(f.superseded_how, m.superseded_how) as superseded_how,
  coalesce(f.valid_from, m.said_at, m.created_at) as date
from fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.subject_key = :subject_key and f.predicate = :predicate
  and coalesce(m.project, '') = coalesce(cast(:project as text), '')
  and (m.superseded_at is null or m.superseded_how in ('facts', 'change'))
order by f.id;

-- name: set_superseded
update fact
set superseded_at = :at, superseded_by = :by
where tenant = :tenant and id = :id;

-- name: set_superseded_manually
update fact
set superseded_at = :at, superseded_by = :by, superseded_how = :how
where tenant = :tenant and id = :id;

-- name: stated
-- All statements of one triple in the tenant, which a person judges together.
select
  f.id, f.memory_id, f.superseded_how, m.project, coalesce(f.valid_from, m.said_at, m.created_at) as date
from fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.subject_key = :subject_key and f.predicate = :predicate and f.object_key = :object_key
order by f.id
limit :limit;

-- name: statements_about
-- All that is said with one of some names as the subject or the object, the latest first, with who said it and when.
select f.uuid as id, f.subject, f.predicate, f.object, f.subject_key, f.object_key, f.confidence, f.valid_until,
  f.superseded_at, f.superseded_how, m.uuid as memory, coalesce(f.valid_from, m.said_at, m.created_at) as since,
  coalesce(m.said_at, m.created_at) as said_at, m.superseded_at as memory_superseded_at, m.actor, m.project
from (
  {select.named_facts}
) named
join fact f on f.id = named.id and f.tenant || '' = :tenant
join memory m on m.id = f.memory_id
where cast(:project as text) is null or m.project = :project
order by f.id desc
limit :limit;

-- name: memory_state
-- A memory with the number of its facts and of those that have ended. A `moved_to` fact stays true after the next
-- move, so it counts as ended only if that was decided manually.
select
  m.body, m.document_id, m.superseded_at, m.superseded_by, m.superseded_how, m.project,
  count(f.id) as facts, max(f.superseded_at) as at,
  count(case when f.predicate <> 'moved_to' or f.superseded_how in ('hand', 'wrong', 'ended') then f.superseded_at end) as ended
from memory m
left join fact f on f.memory_id = m.id
where m.tenant = :tenant and m.id = :id
group by m.id, m.tenant;

-- name: last_successor
-- The memory that superseded the last fact of another.
select superseded_by as heir
from fact
where tenant = :tenant and memory_id = :memory_id and superseded_by is not null
order by superseded_at desc, superseded_by desc
limit 1;

-- name: supersede_memory
update memory
set superseded_at = :at, superseded_by = :by, superseded_how = :how
where tenant = :tenant and id = :id;

-- name: by_terms
-- Facts of which a question names two of the three parts, or the whole subject in several words. Each of the four ways
-- uses an index.
with asked (key) as materialized (
  {list.texts keys}
),
asked_predicate (predicate) as materialized (
  {list.texts predicates}
),
asked_phrase (key) as materialized (
  {list.texts phrases}
),
hit as (
  select f.id
  from asked_predicate p
  cross join asked
  cross join fact f
  where f.tenant = :tenant and f.subject_key = asked.key and f.predicate = p.predicate
  union
  select f.id
  from asked_predicate p
  cross join asked
  cross join fact f
  where f.tenant = :tenant and f.object_key = asked.key and f.predicate = p.predicate
  union
  select f.id
  from asked
  cross join fact f
  where f.tenant = :tenant and f.object_key = asked.key and f.subject_key in (select key from asked)
  union
  select f.id
  from asked_phrase phrase
  cross join fact f
  where f.tenant = :tenant and f.subject_key = phrase.key
)
select
  f.uuid as id, f.memory_id as ref, f.subject_key, f.object_key, f.subject, f.predicate, f.object, f.confidence,
  f.valid_from, f.valid_until, f.extractor, m.uuid as memory,
  f.superseded_at, successor.uuid as superseded_by
from hit
cross join fact f
cross join memory m
left join memory successor on successor.id = f.superseded_by
where f.id = hit.id and m.id = f.memory_id and {visible.memory} and coalesce(f.superseded_how, '') <> 'wrong'
  and (cast(:history as bigint) = 1 or (
    (f.valid_from is null or f.valid_from <= :at)
    and (f.valid_until is null or f.valid_until > :at)
  ))
order by f.id desc
limit :limit;

-- name: valid_at
-- Facts of some memories with some predicates that are valid at a time. Those that were restored manually are left out.
with asked (ref) as materialized (
  {list.ids refs}
)
select f.memory_id as ref, f.subject_key, f.predicate, f.object_key, f.confidence, m.project, m.document_id
from asked
cross join fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.memory_id = asked.ref and f.predicate in ({list.texts predicates})
  and (f.superseded_at is null or f.superseded_at > :at)
  and (f.valid_from is null or f.valid_from <= :at)
  and (f.valid_until is null or f.valid_until > :at)
  and coalesce(f.superseded_how, m.superseded_how, '') <> 'kept'
order by f.id;

-- name: superseded
-- Facts of some memories that had ended at a time. Without those that never held.
with asked (ref) as materialized (
  {list.ids refs}
)
select
  f.uuid as id, f.memory_id as ref, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, successor.uuid as superseded_by
from asked
cross join fact f
join memory m on m.id = f.memory_id
left join memory successor on successor.id = f.superseded_by
where f.tenant = :tenant and f.memory_id = asked.ref and f.superseded_at <= :at
  and coalesce(f.superseded_how, '') <> 'wrong'
order by f.id;
