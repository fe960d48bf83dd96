-- name: add
insert into api_token (id, tenant, name, scope, purpose, hash, rate, max_bytes, created_at, expires_at)
values (:id, :tenant, :name, :scope, :purpose, :hash, :rate, :max_bytes, :now, :expires_at)
returning id, tenant, name, scope, purpose, created_at, expires_at, revoked_at, last_used_at, rate, max_bytes;

-- name: list
-- The oldest first. Links are not listed: they end after minutes.
select id, tenant, name, scope, purpose, created_at, expires_at, revoked_at, last_used_at, rate, max_bytes
from api_token
where tenant = :tenant and purpose <> 'link'
order by created_at, id;

-- name: revoke
-- Called again, it keeps the first time.
update api_token
set revoked_at = coalesce(revoked_at, :now)
where tenant = :tenant and id = :id
returning id, tenant, name, scope, purpose, created_at, expires_at, revoked_at, last_used_at, rate, max_bytes;

-- name: use_up
-- Of two requests at once, one gets the row.
update api_token
set revoked_at = :now
where tenant = :tenant and id = :id and revoked_at is null
returning id;

-- name: forget_links
delete from api_token
where tenant = :tenant and purpose = 'link' and expires_at < :before;

-- name: mark_used
update api_token
set last_used_at = :now
where tenant = :tenant and id = :id and coalesce(last_used_at, 0) <= :now - :interval_ms;
