-- name: prepare
-- Unlike PostgreSQL, no extension has to be created.
select 1 as prepared;

-- name: save
-- Unlike PostgreSQL, there is no second copy for an extension.
update embedding
set embedder_id = :embedder_id, version = :version, bytes = :bytes, error = null, wanted = 0
where tenant = :tenant and memory_id = :memory_id
  and (cast(:text_version as bigint) is null or exists (
    select 1
    from memory m
    where m.id = :memory_id and m.tenant = :tenant and m.version = :text_version
  ));

-- name: index
-- Unlike PostgreSQL, the vectors themselves are compared.
select :id as indexed;

-- name: nearest
-- Unlike PostgreSQL, the extension vec1 compares; it is bundled with apsw. Every vector of the tenant is read.
select v.memory_id as ref, 1 - vec1_cos_distance(v.bytes, :vector) as score
from embedding v
cross join memory m on m.id = v.memory_id
where v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null
  and {visible.memory}
order by score desc, v.memory_id desc
limit :limit;

-- name: cosines
-- Unlike PostgreSQL, the extension vec1 compares.
with asked (ref) as materialized (
  {list.ids refs}
)
select v.memory_id as ref, 1 - vec1_cos_distance(v.bytes, :vector) as score
from asked
cross join embedding v
where v.memory_id = asked.ref and v.tenant = :tenant and v.embedder_id = :embedder_id and v.bytes is not null;
