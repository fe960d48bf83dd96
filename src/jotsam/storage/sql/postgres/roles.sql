-- Roles of a server; a file has none.

-- name: role
-- Unlike SQLite, a role other than the owner may use the database. The owner of a schema that is not there yet is the
-- current role.
select
  r.rolsuper or r.rolbypassrls as bypasses,
  pg_has_role(r.oid, o.oid, 'member') as is_owner,
  o.rolname as owner,
  pg_has_role(o.oid, 'usage') as may_grant
from pg_roles r
join pg_roles o on o.oid = coalesce(
  (
    select c.relowner
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = :schema and c.relname = 'jotsam_migration'
  ),
  cast(cast(current_user as regrole) as oid)
)
where r.rolname = :role;

-- name: grants
-- Unlike SQLite, privileges are granted. Ids come from identity columns, for which no privilege on a sequence is needed.
select format(statement, cast(:schema as text), cast(:role as text), cast(:owner as text)) as sql
from unnest(array[
  'grant usage on schema %1$I to %2$I',
  'grant select, insert, update, delete on all tables in schema %1$I to %2$I',
  'revoke insert, update, delete on %1$I.jotsam_migration from %2$I',
  'grant execute on all functions in schema %1$I to %2$I',
  'alter default privileges for role %3$I in schema %1$I grant select, insert, update, delete on tables to %2$I',
  'alter default privileges for role %3$I in schema %1$I grant execute on functions to %2$I'
]) with ordinality listed (statement, place)
order by place;
