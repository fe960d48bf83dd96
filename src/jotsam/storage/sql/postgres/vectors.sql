-- name: prepare
-- Unlike SQLite, pgvector may have been installed since: then the copy that it compares is begun.
select index_vectors() as prepared;

-- name: save
-- Unlike SQLite, pgvector compares a copy of its own type, which is kept beside it where there is pgvector.
with saved as (
  update embedding
  set embedder_id = :embedder_id, version = :version, bytes = :bytes, error = null, wanted = 0
  where memory_id = :memory_id
  returning memory_id
)
select index_vector(memory_id, cast(:embedder_id as bigint), :listed)
from saved;

-- name: index
-- Unlike SQLite, pgvector compares a copy.
select index_vector(cast(:id as bigint), cast(:embedder_id as bigint), :listed) as indexed;

-- name: nearest
-- Unlike SQLite, pgvector compares. Every vector of the tenant is looked at, and its memory by its id: a join, of which
-- the planner knows too little when much was just written, might go through all memories for each.
select v.memory_id as ref, 1 - (v.value <=> cast(:listed as vector)) as score
from embedding_index v
cross join lateral (
  select m.id
  from memory m
  where m.id = v.memory_id and m.tenant = :tenant
    and {shown.memory}
  offset 0
) m
where v.tenant = :tenant and v.embedder_id = :embedder_id
order by v.value <=> cast(:listed as vector), v.memory_id desc
limit :limit;

-- name: cosines
-- Unlike SQLite, a list is unfolded by json_array_elements_text, and pgvector compares.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select v.memory_id as ref, 1 - (v.value <=> cast(:listed as vector)) as score
from asked
join embedding_index v on v.memory_id = asked.ref
where v.tenant = :tenant and v.embedder_id = :embedder_id;

-- name: standing
-- Unlike SQLite, a list is unfolded by json_array_elements_text. Of these references those that still have a vector of
-- this embedder, and whether each may be shown.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select m.id as ref, m.shown
from asked
cross join lateral (
  select
    m.id,
    {shown.memory} as shown
  from memory m
  where m.id = asked.ref and m.tenant = :tenant
  offset 0
) m
cross join lateral (
  select 1
  from embedding v
  where v.memory_id = m.id and v.embedder_id = :embedder_id
  offset 0
) v;

-- name: shown
-- Unlike SQLite, a list is unfolded by json_array_elements_text. All that may be shown and have a vector of this
-- embedder.
select m.id as ref
from embedding v
cross join lateral (
  select m.id
  from memory m
  where m.id = v.memory_id and m.tenant = :tenant
    and {shown.memory}
  offset 0
) m
where v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null;

-- name: there
-- Unlike SQLite, a list is unfolded by json_array_elements_text.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select v.memory_id as ref, v.wanted
from asked
join embedding v on v.memory_id = asked.ref
where v.tenant = :tenant;
