-- name: counters
-- Unlike SQLite, every counter is a sequence owned by its column. It is null for a role that may not read it.
select
  c.relname as "table",
  case when has_sequence_privilege(q.oid, 'usage, select') then coalesce(s.last_value, 0) end as highest
from pg_sequences s
join pg_class q on q.relname = s.sequencename and q.relnamespace = cast(current_schema() as regnamespace)
join pg_depend d on d.objid = q.oid and d.classid = cast('pg_class' as regclass) and d.deptype in ('a', 'i')
join pg_class c on c.oid = d.refobjid
where s.schemaname = current_schema()
order by c.relname;

-- name: raise_counter
-- Unlike SQLite, a counter is a sequence, which always exists.
select setval(cast(pg_get_serial_sequence(quote_ident(:table), 'id') as regclass), :highest)
where :highest > coalesce(pg_sequence_last_value(cast(pg_get_serial_sequence(quote_ident(:table), 'id') as regclass)), 0);

-- name: raise_counter_further
-- Unlike SQLite, `raise_counter` did everything.
select 1;
