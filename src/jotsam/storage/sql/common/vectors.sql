-- Vectors of memories and the embedders that made them.

-- name: embedder
select id, name, dimension, place, version
from embedder
where name = :name;

-- name: save_embedder
insert into embedder (name, dimension, place, created_at)
values (:name, :dimension, :place, :now)
on conflict (name) do update set place = excluded.place
returning id, dimension;

-- name: raise_version
-- Every transaction that saves vectors updates this row first, so that versions are committed in order.
update embedder
set version = version + 1
where id = :id
returning version;

-- name: want
-- A vector that exists is kept.
insert into embedding (memory_id, tenant, wanted)
values (:memory_id, :tenant, 1)
on conflict (memory_id, tenant) do update set wanted = 1
where embedding.wanted = 1
returning memory_id;

-- name: want_again
update embedding
set wanted = 1
where tenant = :tenant and memory_id = :memory_id;

-- name: want_missing
insert into embedding (memory_id, tenant, wanted)
select m.id, m.tenant, 1
from memory m
where m.tenant = :tenant and not exists (select 1 from embedding v where v.memory_id = m.id);

-- name: want_others
update embedding
set wanted = 1
where tenant = :tenant and wanted = 0
  and (embedder_id is null or embedder_id <> coalesce((select id from embedder where name = :name), 0));

-- name: wanted
select m.id, m.body, m.actor, m.section, m.version
from embedding v
join memory m on m.id = v.memory_id
where v.tenant = :tenant and v.wanted = 1
order by v.memory_id
limit :limit;

-- name: texts_changed
-- Of pairs of a memory and its version, those memories that have another version by now, or do not exist.
with read (id, version) as (
  {list.pairs versions}
)
select cast(r.id as bigint) as id
from read r
where not exists (
  select 1
  from memory m
  where m.tenant = :tenant and m.id = cast(r.id as bigint) and m.version = cast(r.version as bigint)
);

-- name: fail
update embedding
set error = :error, wanted = 0
where tenant = :tenant and memory_id = :memory_id;

-- name: embedders
-- An exists per embedder costs one index lookup each; a join would read every vector.
select e.id, e.name, e.dimension, e.place, e.version
from embedder e
where exists (
  select 1
  from embedding v
  where v.tenant = :tenant and v.embedder_id = e.id and v.bytes is not null
)
order by e.id;

-- name: count
select count(*) as embedded
from embedding
where tenant = :tenant and bytes is not null;

-- name: count_wanted
select count(*) as wanted
from embedding
where tenant = :tenant and wanted = 1;

-- name: counts
select e.id, e.name, e.dimension, e.place, e.version, count(*) as vectors
from embedding v
join embedder e on e.id = v.embedder_id
where v.tenant = :tenant and v.bytes is not null
group by e.id, e.name, e.dimension, e.place, e.version
order by e.id;

-- name: count_memories
select count(*) as memories
from memory
where tenant = :tenant;

-- name: missing
-- The number and size of the memories that `want_missing` and `want_others` would select.
select count(*) as memories, coalesce(sum(length(m.body)), 0) as characters
from memory m
left join embedding v on v.memory_id = m.id
where m.tenant = :tenant
  and (
    v.memory_id is null
    or (
      v.wanted = 0
      and (v.embedder_id is null or v.embedder_id <> coalesce((select id from embedder where name = :name), 0))
    )
  );

-- name: count_failed
select count(*) as failed
from embedding
where tenant = :tenant and error is not null;

-- name: newest_version
-- The newest version that this transaction can see.
select coalesce(max(version), 0) as version
from embedding
where tenant = :tenant and embedder_id = :embedder_id and bytes is not null;

-- name: since
select memory_id, bytes
from embedding
where tenant = :tenant and embedder_id = :embedder_id and bytes is not null and version > :version
order by version, memory_id;

-- name: some
with asked (ref) as materialized (
  {list.ids refs}
)
select asked.ref, v.bytes
from asked
cross join embedding v
where v.memory_id = asked.ref and v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null;

-- name: refs
-- The tenant is concatenated so that planners use the UUIDs and do not read all rows of the tenant.
select id as ref
from memory
where uuid {list.any_text uuids} and tenant || '' = :tenant;

-- name: is_large
-- Reads at most `limit` rows of the index of versions.
select count(*) as vectors
from (
  select 1 as one
  from embedding
  where tenant = :tenant and embedder_id = :embedder_id and bytes is not null
  limit :limit
) v;

-- name: visibility
-- Which of these memories still have a vector of this embedder, and whether each is visible. Scalar subqueries make
-- both planners look every reference up by its id: they overestimate how selective a join is after a large import.
with asked (ref) as materialized (
  {list.ids refs}
),
checked as (
  select
    asked.ref,
    (
      select case when {visible.memory} then 1 else 0 end
      from memory m
      where m.id = asked.ref and m.tenant = :tenant
    ) as shown,
    (select v.embedder_id from embedding v where v.memory_id = asked.ref) as embedder_id
  from asked
)
select ref, shown
from checked
where shown is not null and embedder_id = :embedder_id;

-- name: all_visible
-- All visible memories that have a vector of this embedder. A scalar subquery for the same reason.
select v.memory_id as ref
from embedding v
where v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null
  and (
    select case when {visible.memory} then 1 else 0 end
    from memory m
    where m.id = v.memory_id and m.tenant = :tenant
  ) = 1;

-- name: states
with asked (ref) as materialized (
  {list.ids refs}
)
select v.memory_id as ref, v.wanted
from asked
cross join embedding v
where v.memory_id = asked.ref and v.tenant = :tenant;
