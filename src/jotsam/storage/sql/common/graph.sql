-- name: save_entity
insert into entity (tenant, category, slug, name)
values (:tenant, :category, :slug, :name)
on conflict (tenant, category, slug) do update set name = entity.name
returning id;

-- name: mention
insert into mention (memory_id, entity_id)
values (:memory_id, :entity_id)
on conflict do nothing;

-- name: mentions
select e.category, e.slug, e.name
from mention n
join entity e on e.id = n.entity_id
where n.memory_id = :memory_id
order by e.category, e.slug;

-- name: link
insert into link (source_id, target_id, type, weight, created_at)
values (:source_id, :target_id, :type, :weight, :now)
on conflict (source_id, type, target_id) do update set weight = excluded.weight;

-- name: unlink
delete from link
where type = :type and (source_id = :id or target_id = :id);

-- name: links
select t.uuid as target, l.type, l.weight
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
