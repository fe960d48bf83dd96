-- name: prepare
-- Unlike PostgreSQL, nothing has to be installed on a server.
select 1 as prepared;

-- name: save
-- Unlike PostgreSQL, there is one copy, and the function that compares reads it as it is.
update embedding
set embedder_id = :embedder_id, version = :version, bytes = :bytes, error = null, wanted = 0
where memory_id = :memory_id;

-- name: index
-- Unlike PostgreSQL, the vectors themselves are compared.
select :id as indexed;

-- name: nearest
-- Unlike PostgreSQL, vec1 compares, an extension that comes with the library. Every vector is looked at.
select v.memory_id as ref, 1 - vec1_cos_distance(v.bytes, :vector) as score
from embedding v
cross join memory m on m.id = v.memory_id
where v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null
  and {shown.memory}
order by score desc, v.memory_id desc
limit :limit;

-- name: cosines
-- Unlike PostgreSQL, a list is unfolded by json_each.
select v.memory_id as ref, 1 - vec1_cos_distance(v.bytes, :vector) as score
from json_each(:refs) asked
cross join embedding v on v.memory_id = asked.value
where v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null;

-- name: standing
-- Unlike PostgreSQL, a list is unfolded by json_each, and the joins say their order, for the planner takes the list for
-- a long one. Of these references those that still have a vector of this embedder, and whether each may be shown.
select
  m.id as ref,
  {shown.memory} as shown
from json_each(:refs) asked
cross join memory m on m.id = asked.value and m.tenant = :tenant
cross join embedding v on v.memory_id = m.id and v.embedder_id = :embedder_id;

-- name: shown
-- Unlike PostgreSQL, a list is unfolded by json_each. All that may be shown, and have a vector of this embedder.
select m.id as ref
from embedding v
cross join memory m on m.id = v.memory_id
where v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null
  and {shown.memory};

-- name: there
-- Unlike PostgreSQL, a list is unfolded by json_each.
select v.memory_id as ref, v.wanted
from json_each(:refs) asked
cross join embedding v on v.memory_id = asked.value
where v.tenant = :tenant;
