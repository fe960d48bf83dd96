-- The scope `operator`.
alter table api_token drop constraint api_token_scope_check;
alter table api_token add constraint api_token_scope_check check (scope in ('read', 'write', 'admin', 'operator'));

-- The setting `jotsam.token` shows tokens of other tenants, and changes none: a policy of all commands would let a
-- statement delete or take over what it shows.
drop policy tenant_isolation on api_token;
create policy tenant_isolation on api_token
using (tenant = nullif(current_setting('jotsam.tenant', true), ''))
with check (tenant = nullif(current_setting('jotsam.tenant', true), ''));
create policy token_lookup on api_token
for select
using (
  id = nullif(current_setting('jotsam.token', true), '')
  or current_setting('jotsam.token', true) = '*'
);
