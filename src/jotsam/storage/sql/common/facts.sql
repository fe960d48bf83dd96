-- name: save
-- Said again by the same memory, it is the same fact, and whoever is trusted more has the word: an agent before a
-- model, and a model before the rules. Else what an agent handed in would be lost when the rules read anew.
insert into fact (
  uuid, tenant, memory_id, subject, predicate, object, subject_key, object_key, confidence, valid_from, valid_until,
  extractor, created_at
)
values (
  :uuid, :tenant, :memory_id, :subject, :predicate, :object, :subject_key, :object_key, :confidence, :valid_from, :valid_until,
  :extractor, :now
)
on conflict (memory_id, subject_key, predicate, object_key) do update
set confidence = excluded.confidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
  extractor = excluded.extractor
where (excluded.extractor like 'agent%' or fact.extractor not like 'agent%')
  and (excluded.extractor like 'agent%' or excluded.extractor like 'llm:%' or fact.extractor not like 'llm:%');

-- name: of_memory
select f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until, f.extractor,
  m.uuid as memory, f.superseded_at, heir.uuid as superseded_by
from fact f
join memory m on m.id = f.memory_id
left join memory heir on heir.id = f.superseded_by
where f.tenant = :tenant and f.memory_id = :memory_id
order by f.id;

-- name: find
-- What holds, and with `history` what does not, or not now.
select f.id as number, f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, heir.uuid as superseded_by
from fact f
join memory m on m.id = f.memory_id
left join memory heir on heir.id = f.superseded_by
where f.tenant = :tenant
  and (:history = 1 or (
    (m.superseded_at is null or m.superseded_at > :now)
    and (f.superseded_at is null or f.superseded_at > :now)
    and (f.valid_from is null or f.valid_from <= :now)
    and (f.valid_until is null or f.valid_until > :now)
  ))
  and f.id < :before
  and (cast(:subject as text) is null or f.subject_key like :subject escape '\')
  and (cast(:predicate as text) is null or f.predicate = :predicate)
  and (cast(:object as text) is null or f.object_key like :object escape '\')
  and (cast(:words as text) is null or f.subject_key like :words escape '\' or f.object_key like :words escape '\')
  and (cast(:project as text) is null or m.project = :project)
order by f.id desc
limit :limit;

-- name: get
-- A fact, with what says it, and since when.
select
  f.id, f.uuid, f.memory_id, m.uuid as memory, f.subject_key, f.predicate, f.superseded_at, f.superseded_by, f.superseded_how,
  coalesce(f.valid_from, m.said_at, m.created_at) as date
from fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.uuid = :uuid;

-- name: matching
-- The tenant is hidden from planners, so that they go by the id and do not walk all that a tenant has.
select uuid
from fact
where tenant || '' = :tenant and uuid >= :low and uuid < :high
order by uuid
limit 2;

-- name: clear
-- What somebody decided about a fact stays, whoever reads its memory again, and so the fact does.
delete from fact
where superseded_how is null and tenant = :tenant and memory_id = :memory_id
  and (:whose >= 2 or extractor not like 'agent%') and (:whose >= 1 or extractor not like 'llm:%');

-- name: count
select count(*) as facts
from fact
where tenant = :tenant;

-- name: forget_tenant
delete from fact
where tenant = :tenant;

-- name: keys_of_memory
select distinct subject_key, predicate
from fact
where tenant = :tenant and memory_id = :memory_id
order by subject_key, predicate;

-- name: rivals
-- All that is said of a subject with a predicate in one project, by memories that hold but for what facts did to them.
select
  f.id, f.memory_id, f.object_key, f.confidence, f.superseded_at, f.superseded_by, m.document_id,
  coalesce(f.superseded_how, m.superseded_how) as superseded_how,
  coalesce(f.valid_from, m.said_at, m.created_at) as date
from fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.subject_key = :subject_key and f.predicate = :predicate
  and coalesce(m.project, '') = coalesce(cast(:project as text), '')
  and (m.superseded_at is null or m.superseded_how = 'facts')
order by f.id;

-- name: succeed
update fact
set superseded_at = :at, superseded_by = :by
where tenant = :tenant and id = :id;

-- name: decide
update fact
set superseded_at = :at, superseded_by = :by, superseded_how = :how
where tenant = :tenant and id = :id;

-- name: state
-- What a memory says, and how much of it holds no more. That somebody moved stays true wherever they live now, unless
-- somebody has decided otherwise.
select
  m.body, m.document_id, m.superseded_at, m.superseded_by, m.superseded_how, m.project,
  count(f.id) as facts, max(f.superseded_at) as at,
  count(case when f.predicate <> 'moved_to' or f.superseded_how = 'hand' then f.superseded_at end) as ended
from memory m
left join fact f on f.memory_id = m.id
where m.tenant = :tenant and m.id = :id
group by m.id;

-- name: heir
-- Which memory ended the last of what another says.
select superseded_by as heir
from fact
where tenant = :tenant and memory_id = :memory_id and superseded_by is not null
order by superseded_at desc, superseded_by desc
limit 1;

-- name: end_memory
update memory
set superseded_at = :at, superseded_by = :by, superseded_how = :how
where tenant = :tenant and id = :id;
