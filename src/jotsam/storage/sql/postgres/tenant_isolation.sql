-- Row-level security as the catalogue describes it; a file has one owner and no roles.

-- name: bypassing_role
-- Unlike SQLite, roles have attributes.
select rolname as role
from pg_roles
where rolname = current_user and (rolsuper or rolbypassrls);

-- name: tables
-- Unlike SQLite, tables have row-level security.
select
  c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced, pg_has_role(c.relowner, 'usage') as owned,
  p.relname as partition_of
from pg_class c
left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
left join pg_class p on p.oid = i.inhparent
where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p')
order by c.relname;

-- name: policies
-- Unlike SQLite, tables have policies. `drop` is the statement that drops one.
select
  tablename as "table", policyname as name, qual, with_check,
  permissive = 'PERMISSIVE' and roles = cast('{public}' as name []) as for_every_role, cmd as command,
  format('drop policy %I on %I', policyname, tablename) as "drop"
from pg_policies
where schemaname = current_schema()
order by tablename, policyname;

-- name: probe
-- Unlike SQLite, a table can hide its rows. The statement returns the names of those tables that show any row.
select string_agg(format('select %L as name where exists (select 1 from %I)', c.relname, c.relname), ' union all ') as sql
from pg_class c
left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
left join pg_class p on p.oid = i.inhparent
where c.relnamespace = cast(current_schema() as regnamespace)
  and (c.relname in ({list.texts tables}) or p.relname in ({list.texts tables}));
