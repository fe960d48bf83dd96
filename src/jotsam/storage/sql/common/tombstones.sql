-- name: key
select key
from tombstone_key
where tenant = :tenant and version = 1;

-- name: create_key
insert into tombstone_key (tenant, version, key)
values (:tenant, 1, :key)
on conflict (tenant, version) do nothing;

-- name: save
with wanted (hash) as (
  {list.texts hashes}
)
insert into tombstone (tenant, hash, created_at)
select cast(:tenant as text), hash, :now
from wanted
where true
on conflict (tenant, hash) do nothing
returning hash;

-- name: find
select hash
from tombstone
where tenant = :tenant and hash in ({list.texts hashes})
order by hash;

-- name: remove
delete from tombstone
where tenant = :tenant and hash in ({list.texts hashes})
returning hash;
