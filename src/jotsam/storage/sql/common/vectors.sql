-- Vectors of memories, and what has made them.

-- name: embedder
select id, name, dimension, place, version
from embedder
where name = :name;

-- name: save_embedder
insert into embedder (name, dimension, place, created_at)
values (:name, :dimension, :place, :now)
on conflict (name) do update set place = excluded.place
returning id, dimension;

-- name: turn
-- Whoever saves vectors changes this row first, and so they are committed in the order of their versions.
update embedder
set version = version + 1
where id = :id
returning version;

-- name: want
-- One that is there stays as it is.
insert into embedding (memory_id, tenant, wanted)
values (:memory_id, :tenant, 1)
on conflict (memory_id) do update set wanted = 1
where embedding.wanted = 1
returning memory_id;

-- name: want_again
update embedding
set wanted = 1
where memory_id = :memory_id;

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
select m.id, m.body, m.actor, m.section
from embedding v
join memory m on m.id = v.memory_id
where v.tenant = :tenant and v.wanted = 1
order by v.memory_id
limit :limit;

-- name: fail
update embedding
set error = :error, wanted = 0
where memory_id = :memory_id;

-- name: makers
-- Where there is none, this asks the index once for each embedder, and not once for each vector.
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

-- name: wanting
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

-- name: memories
select count(*) as memories
from memory
where tenant = :tenant;

-- name: lacking
-- What `want_missing` and `want_others` would ask for.
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

-- name: failed
select count(*) as failed
from embedding
where tenant = :tenant and error is not null;

-- name: seen
-- How far this transaction sees.
select coalesce(max(version), 0) as version
from embedding
where tenant = :tenant and embedder_id = :embedder_id and bytes is not null;

-- name: since
select memory_id, bytes
from embedding
where tenant = :tenant and embedder_id = :embedder_id and bytes is not null and version > :version
order by version, memory_id;

-- name: forget_tenant
delete from embedding
where tenant = :tenant;
