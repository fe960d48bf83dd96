-- name: save_entity
insert into entity (tenant, category, slug, name)
values (:tenant, :category, :slug, :name)
on conflict (tenant, category, slug) do update set name = entity.name
returning id;

-- name: mention
-- What a person said stays so; so does what an agent said when others read, and what a model said when rules do.
insert into mention (memory_id, entity_id, extractor, confidence)
values (:memory_id, :entity_id, :extractor, :confidence)
on conflict (entity_id, memory_id) do update set extractor = excluded.extractor, confidence = excluded.confidence
where (excluded.extractor like 'agent%' or mention.extractor not like 'agent%')
  and (excluded.extractor like 'agent%' or excluded.extractor like 'llm:%' or mention.extractor not like 'llm:%');

-- name: clear
delete from mention
where memory_id = :memory_id and extractor is not null
  and (:whose >= 2 or extractor not like 'agent%') and (:whose >= 1 or extractor not like 'llm:%');

-- name: clear_links
-- The order of a document's chunks was found when it was cut, and nobody would find it again.
delete from link
where (source_id = :memory_id or target_id = :memory_id) and extractor <> 'cut';

-- name: mentions
select e.category, e.slug, e.name, n.extractor, n.confidence
from mention n
join entity e on e.id = n.entity_id
where n.memory_id = :memory_id
order by e.category, e.slug;

-- name: link
insert into link (source_id, target_id, type, weight, extractor, created_at)
values (:source_id, :target_id, :type, :weight, :extractor, :now)
on conflict (source_id, type, target_id) do update set weight = excluded.weight
where link.extractor is not null or excluded.extractor is null;

-- name: links
select t.uuid as target, l.type, l.weight, l.extractor
from link l
join memory t on t.id = l.target_id
where l.source_id = :source_id
order by l.type, l.weight desc, t.id;

-- name: count
select count(*) as entities
from entity
where tenant = :tenant;

-- name: forget_tenant
delete from entity
where tenant = :tenant;
