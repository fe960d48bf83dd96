-- name: lock_type
insert into pattern_lock (tenant, type, locked_at)
values (:tenant, :type, :now)
on conflict (tenant, type) do update set locked_at = excluded.locked_at;

-- name: set_terms
insert into pattern_terms (memory_id, tenant, type, terms)
values (:memory_id, :tenant, :type, :terms)
on conflict (memory_id, tenant) do update set type = excluded.type, terms = excluded.terms;

-- name: latest_terms
-- Only the latest memories of a type, so that the cost does not grow with their number.
select t.memory_id, t.terms, coalesce(m.said_at, m.created_at) as at
from pattern_terms t
join memory m on m.id = t.memory_id
where t.tenant = :tenant and t.type = :type and m.superseded_at is null and m.archived_at is null
order by t.memory_id desc
limit :limit;

-- name: find
select id
from pattern
where tenant = :tenant and type = :type and slug = :slug;

-- name: save
insert into pattern (tenant, type, slug, terms, created_at)
values (:tenant, :type, :slug, :terms, :now)
on conflict (tenant, type, slug) do update set terms = excluded.terms
returning id;

-- name: add_example
insert into pattern_example (tenant, pattern_id, memory_id, at)
values (:tenant, :pattern_id, :memory_id, :at)
on conflict do nothing;

-- name: of_memory
select p.type, p.slug, p.terms, count(*) as occurrences, min(e.at) as first_seen, max(e.at) as last_seen
from pattern_example own
join pattern p on p.id = own.pattern_id
join pattern_example e on e.pattern_id = p.id
where own.memory_id = :memory_id and p.tenant || '' = :tenant
  and (cast(:actor as text) is null or exists (
    select 1
    from memory m
    where m.id = e.memory_id and m.tenant || '' = :tenant and m.actor = :actor
  ))
group by p.id, p.type, p.slug, p.terms
order by occurrences desc, p.slug;

-- name: list
select p.type, p.slug, p.terms, count(*) as occurrences, min(e.at) as first_seen, max(e.at) as last_seen
from pattern p
join pattern_example e on e.pattern_id = p.id
where p.tenant = :tenant and (cast(:type as text) is null or p.type = :type)
  and (cast(:actor as text) is null or exists (
    select 1
    from memory m
    where m.id = e.memory_id and m.tenant || '' = :tenant and m.actor = :actor
  ))
group by p.id, p.type, p.slug, p.terms
order by occurrences desc, p.type, p.slug
limit :limit;

-- name: held_by_memory
select p.id, p.slug, p.type
from pattern_example e
join pattern p on p.id = e.pattern_id
where e.memory_id = :memory_id and p.tenant || '' = :tenant
order by p.id;

-- name: delete_example
delete from pattern_example
where tenant = :tenant and pattern_id = :pattern_id and memory_id = :memory_id;

-- name: clear_terms
delete from pattern_terms
where tenant = :tenant and memory_id = :memory_id;
