-- The scope `operator`. SQLite cannot change a check, so the table is made again.
alter table api_token rename to api_token_before;

create table api_token (
  id text primary key,
  tenant text not null,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin', 'operator')),
  purpose text not null check (purpose in ('api', 'link', 'dashboard')), -- a link signs in once, and makes a dashboard's
  hash blob not null, -- SHA-256 of the secret, which is random
  rate real, -- requests per second; null: not limited
  max_bytes integer, -- of a request's body; null: the limit of the server
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer -- accurate to a minute
) strict, without rowid;

insert into api_token (
  id, tenant, name, scope, purpose, hash, rate, max_bytes, created_at, expires_at, revoked_at, last_used_at
)
select id, tenant, name, scope, purpose, hash, rate, max_bytes, created_at, expires_at, revoked_at, last_used_at
from api_token_before;

drop table api_token_before;

create index api_token_tenant on api_token (tenant, created_at);

-- Until now an admin could do all of that. In a file with one tenant, who runs the server is its admin.
update api_token
set scope = 'operator'
where scope = 'admin'
  and (select count(*) from (select tenant from api_token union select tenant from queue_count)) = 1;
