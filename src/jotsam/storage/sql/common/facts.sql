-- name: save
-- Said again by the same memory, it is the same fact, and whoever is trusted more has the word: an agent before a
-- model, and a model before the rules. Else what an agent handed in would be lost when the rules read anew.
insert into fact (
  tenant, memory_id, subject, predicate, object, subject_key, object_key, confidence, valid_from, valid_until,
  extractor, created_at
)
values (
  :tenant, :memory_id, :subject, :predicate, :object, :subject_key, :object_key, :confidence, :valid_from, :valid_until,
  :extractor, :now
)
on conflict (memory_id, subject_key, predicate, object_key) do update
set confidence = excluded.confidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
  extractor = excluded.extractor
where (excluded.extractor like 'agent%' or fact.extractor not like 'agent%')
  and (excluded.extractor like 'agent%' or excluded.extractor like 'llm:%' or fact.extractor not like 'llm:%');

-- name: of_memory
select f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until, f.extractor, m.uuid as memory
from fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant and f.memory_id = :memory_id
order by f.id;

-- name: find
-- The current ones first: what a later text has superseded is not listed.
select f.id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until, f.extractor, m.uuid as memory
from fact f
join memory m on m.id = f.memory_id
where f.tenant = :tenant
  and m.superseded_at is null
  and f.id < :before
  and (cast(:subject as text) is null or f.subject_key like :subject escape '\')
  and (cast(:predicate as text) is null or f.predicate = :predicate)
  and (cast(:object as text) is null or f.object_key like :object escape '\')
  and (cast(:words as text) is null or f.subject_key like :words escape '\' or f.object_key like :words escape '\')
  and (cast(:project as text) is null or m.project = :project)
order by f.id desc
limit :limit;

-- name: clear
delete from fact
where tenant = :tenant and memory_id = :memory_id
  and (:whose >= 2 or extractor not like 'agent%') and (:whose >= 1 or extractor not like 'llm:%');

-- name: count
select count(*) as facts
from fact
where tenant = :tenant;

-- name: forget_tenant
delete from fact
where tenant = :tenant;
