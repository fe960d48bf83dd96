-- name: columns
-- Unlike SQLite, the catalogue is a set of tables. `place` is the column's position in the primary key, from 1.
select c.relname as "table", a.attname as "column", coalesce(k.place, 0) as place
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
left join pg_index i on i.indrelid = c.oid and i.indisprimary
left join lateral unnest(cast(i.indkey as smallint[])) with ordinality k (attnum, place) on k.attnum = a.attnum
where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname, a.attnum;

-- name: parents
-- Unlike SQLite, the catalogue is a set of tables.
select c.relname as "table", a.attname as "column", p.relname as parent, pa.attname as parent_column
from pg_constraint f
join pg_class c on c.oid = f.conrelid
join pg_class p on p.oid = f.confrelid
join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
join pg_attribute pa on pa.attrelid = p.oid and pa.attnum = f.confkey[1]
where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = cast(current_schema() as regnamespace)
order by c.relname, a.attname;

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

-- name: forms
-- Unlike SQLite, inserting ids needs `overriding`; truncate removes the rows of all tenants, which row-level
-- security would hide from delete; and concurrent writers are kept out by a lock.
select
  'insert into {table} ({columns}) overriding system value values {rows}' as "insert",
  'truncate table {table} cascade' as "truncate",
  'lock table {tables} in share mode' as "lock";
