-- name: tables
-- Unlike SQLite, tables have owners. Those that the role may analyze.
select quote_ident(nspname) || '.' || quote_ident(relname) as name
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = current_schema() and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')
order by relname;

-- name: clean_pending_lists
-- Unlike SQLite, new entries of an index wait in a list, which each search reads whole.
select cast(coalesce(sum(gin_clean_pending_list(i.indexrelid)), 0) as bigint) as pages
from pg_index i
join pg_class c on c.oid = i.indexrelid
join pg_namespace n on n.oid = c.relnamespace
join pg_am a on a.oid = c.relam
where n.nspname = current_schema() and a.amname = 'gin' and pg_has_role(c.relowner, 'usage');
