-- name: prepare
-- Unlike SQLite, pgvector may have been installed after the tables were created: then the copy that it compares is
-- started.
select ensure_embedding_index() as prepared;

-- name: save
-- Unlike SQLite, pgvector compares a copy in its own type.
with saved as (
  update embedding
  set embedder_id = :embedder_id, version = :version, bytes = :bytes, error = null, wanted = 0
  where tenant = :tenant and memory_id = :memory_id
    and (cast(:text_version as bigint) is null or exists (
      select 1
      from memory m
      where m.id = :memory_id and m.tenant = :tenant and m.version = :text_version
    ))
  returning memory_id
)
select save_to_embedding_index(memory_id, cast(:embedder_id as bigint), :listed)
from saved;

-- name: index
-- Unlike SQLite, pgvector compares a copy.
select save_to_embedding_index(cast(:id as bigint), cast(:embedder_id as bigint), :listed) as indexed;

-- name: nearest
-- Unlike SQLite, pgvector compares. Every vector of the tenant is read, and its memory looked up by id: with a plain
-- join the planner, which knows too little after a large import, may read all memories for each vector.
select v.memory_id as ref, 1 - (v.value <=> cast(:listed as vector)) as score
from embedding_index v
cross join lateral (
  select m.id
  from memory m
  where m.id = v.memory_id and m.tenant = :tenant
    and {visible.memory}
  offset 0
) m
where v.tenant = :tenant and v.embedder_id = :embedder_id
order by v.value <=> cast(:listed as vector), v.memory_id desc
limit :limit;

-- name: cosines
-- Unlike SQLite, pgvector compares.
with asked (ref) as materialized (
  {list.ids refs}
)
select v.memory_id as ref, 1 - (v.value <=> cast(:listed as vector)) as score
from asked
join embedding_index v on v.memory_id = asked.ref
where v.tenant = :tenant and v.embedder_id = :embedder_id;
