-- name: find
-- Unlike PostgreSQL, a file has no row-level security. The tenant of a request is not known before its token. One row of
-- nulls for an unknown id, which so takes as long as another.
select t.id, t.tenant, t.name, t.scope, t.purpose, t.hash, t.rate, t.max_bytes, t.last_used_at, t.revoked_at, t.expires_at
from (select :id as id) wanted
left join api_token t on t.id = wanted.id;

-- name: tenants
-- Unlike PostgreSQL, a file has no row-level security.
select distinct tenant
from api_token;
