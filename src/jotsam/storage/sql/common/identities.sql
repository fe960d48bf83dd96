-- Short texts about entities.

-- name: entities
-- The next entities, with the text of each. `rivals` have the same name in another category.
select
  e.id, e.category, e.slug, e.name, e.canonical_id, i.body, i.sources, i.hash, i.made_by, i.changed_at, (
    select count(*)
    from entity o
    where o.tenant = :tenant and o.slug = e.slug and o.canonical_id is null and o.id <> e.id
  ) as rivals
from entity e
left join identity i on i.entity_id = e.id and i.tenant = :tenant
where e.tenant = :tenant and (e.category, e.slug) > (:category, :slug)
order by e.category, e.slug
limit :limit;

-- name: first_rival
-- Of the entities with a name, the one that most memories mention.
select e.id
from entity e
where e.tenant = :tenant and e.slug = :slug and e.canonical_id is null
order by (
  select count(*)
  from mention n
  where n.entity_id = e.id and n.tenant || '' = :tenant
) desc, e.id
limit 1;

-- name: facts
-- The latest current facts whose subject or object is one of some names.
select f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.subject_key,
  coalesce(f.valid_from, m.said_at, m.created_at) as at
from (
  {select.named_facts}
) named
join fact f on f.id = named.id and f.tenant || '' = :tenant
join memory m on m.id = f.memory_id and m.archived_at is null
where {visible.fact}
order by f.id desc
limit :limit;

-- name: get
select body, sources, hash, made_by, changed_at
from identity
where tenant = :tenant and entity_id = :entity_id;

-- name: set
-- Of an entity that exists and is not merged into another.
insert into identity (tenant, entity_id, body, sources, hash, made_by, changed_at)
select e.tenant, e.id, :body, :sources, :hash, :made_by, coalesce(cast(:changed_at as bigint), :now)
from entity e
where e.tenant = :tenant and e.id = :entity_id and (e.canonical_id is null or cast(:changed_at as bigint) is not null)
on conflict (entity_id, tenant) do update set body = excluded.body, sources = excluded.sources, hash = excluded.hash,
  made_by = excluded.made_by, changed_at = excluded.changed_at
returning entity_id;

-- name: delete
delete from identity
where tenant = :tenant and entity_id = :entity_id;

-- name: fact_uuids
select f.uuid
from fact f
where f.tenant || '' = :tenant and f.memory_id {list.any_id memories};

-- name: alive
select uuid
from fact
where tenant || '' = :tenant and uuid {list.any_text uuids};

-- name: any
select 1 as found
from identity
where tenant = :tenant
limit 1;

-- name: kept_changes
-- What runs can restore.
select c.run_id, c.part, c.changes
from lifecycle_run r
join lifecycle_change c on c.run_id = r.id and c.tenant = :tenant
where r.tenant = :tenant and r.step = 'identity'
order by c.run_id, c.part;
