-- Tokens of the HTTP API and of the dashboard. A token that was revoked or has expired stays, because the audit refers to it.
create table api_token (
  id text primary key,
  tenant text not null,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  purpose text not null check (purpose in ('api', 'link', 'dashboard')), -- a link signs in once, and makes a dashboard's
  hash blob not null, -- SHA-256 of the secret, which is random
  rate real, -- requests per second; null: not limited
  max_bytes integer, -- of a request's body; null: the limit of the server
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer -- accurate to a minute
) strict, without rowid;

create index api_token_tenant on api_token (tenant, created_at);

-- One row for each request that changed something.
create table audit (
  id integer primary key autoincrement,
  tenant text not null,
  request text not null,
  token text not null, -- '' if it did not come over HTTP
  name text not null, -- of the token, or of the surface
  action text not null,
  subject text not null, -- the ids in the request
  address text not null, -- of the client
  created_at integer not null
) strict;

create index audit_tenant on audit (tenant, id);
create index audit_created on audit (tenant, created_at);
