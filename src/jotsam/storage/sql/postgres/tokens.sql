-- name: find
-- Unlike SQLite, row-level security hides the row, because the tenant of a request is not known before its token. One
-- row of nulls for an unknown id, which so takes as long as another.
select t.id, t.tenant, t.name, t.scope, t.purpose, t.hash, t.rate, t.max_bytes, t.last_used_at, t.revoked_at, t.expires_at
from (select cast(:id as text) as id) wanted
left join look_up_token(wanted.id) t on true;

-- name: tenants
-- Unlike SQLite, row-level security hides the tokens of other tenants.
select tenant
from token_tenants() listed (tenant);
