-- The server for clients of a tenant that has moved: `enter_tenant` tells it as the hint of its error.
alter table tenant_move add column server text; -- the address of its HTTP API; null: not known

create or replace function enter_tenant(wanted text, writes boolean) returns void
language plpgsql as $$
declare
  found tenant_move;
begin
  perform set_config('jotsam.tenant', wanted, true);
  if writes then
    perform pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ' tenant ' || wanted, 0));
  end if;
  select * into found
  from tenant_move m
  where m.tenant = wanted and m.state <> 'arrived' and (writes or m.state <> 'leaving')
    and m.move is distinct from current_setting('jotsam.move', true);
  if found.state = 'gone' and found.server is not null then
    raise exception using errcode = 'JM001', message = format('tenant %L has moved to %s', wanted, found.other),
      hint = found.server;
  elsif found.state = 'gone' then
    raise exception using errcode = 'JM001', message = format('tenant %L has moved to %s', wanted, found.other);
  elsif found.state = 'leaving' then
    raise exception using errcode = 'JM001', message = format('tenant %L is being moved to %s', wanted, found.other);
  elsif found.state = 'arriving' then
    raise exception using errcode = 'JM001', message = format('tenant %L is being moved here from %s', wanted, found.other);
  end if;
end
$$;
