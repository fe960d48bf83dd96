-- Tokens of the HTTP API and of the dashboard. A token that was revoked or has expired stays, because the audit refers to it.
create table api_token (
  id text primary key,
  tenant text not null,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  purpose text not null check (purpose in ('api', 'link', 'dashboard')), -- a link signs in once, and makes a dashboard's
  hash bytea not null, -- SHA-256 of the secret, which is random
  rate double precision, -- requests per second; null: not limited
  max_bytes bigint, -- of a request's body; null: the limit of the server
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint -- accurate to a minute
);

create index api_token_tenant on api_token (tenant, created_at);

-- A request names its token before its tenant is known: row-level security shows the one row of that id to this
-- function, and of any other transaction the rows of its tenant.
create function look_up_token(wanted text) returns setof api_token
language plpgsql rows 1 as $$
begin
  perform set_config('jotsam.token', wanted, true);
  return query select t.* from api_token t where t.id = wanted;
  perform set_config('jotsam.token', '', true);
end
$$;

create function token_tenants() returns setof text
language plpgsql as $$
begin
  perform set_config('jotsam.token', '*', true);
  return query select distinct t.tenant from api_token t;
  perform set_config('jotsam.token', '', true);
end
$$;

-- One row for each request that changed something.
create table audit (
  id bigint generated always as identity,
  tenant text not null,
  request text not null,
  token text not null, -- '' if it did not come over HTTP
  name text not null, -- of the token, or of the surface
  action text not null,
  subject text not null, -- the ids in the request
  address text not null, -- of the client
  created_at bigint not null,
  primary key (id, tenant)
);

create index audit_tenant on audit (tenant, id);
create index audit_created on audit (tenant, created_at);
