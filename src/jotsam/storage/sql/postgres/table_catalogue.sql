-- name: columns
-- Unlike SQLite, the catalogue is a set of tables. `place` is the column's position in the primary key, from 1.
select c.relname as "table", a.attname as "column", coalesce(k.place, 0) as place
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
left join pg_index i on i.indrelid = c.oid and i.indisprimary
left join lateral unnest(cast(i.indkey as smallint[])) with ordinality k (attnum, place) on k.attnum = a.attnum
where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname, a.attnum;

-- name: references
-- Unlike SQLite, the catalogue is a set of tables. `clears`: a parent that is deleted leaves null.
select
  c.relname as "table", a.attname as "column", p.relname as parent,
  f.confdeltype = 'c' as follows, f.confdeltype = 'n' as clears
from pg_constraint f
join pg_class c on c.oid = f.conrelid
join pg_class p on p.oid = f.confrelid
join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = cast(current_schema() as regnamespace)
order by c.relname, a.attname;

-- name: forms
-- Unlike SQLite, inserting ids needs `overriding`; truncate removes the rows of all tenants, which row-level
-- security would hide from delete; concurrent writers are kept out by a lock; and a JSON list becomes an array, for which
-- the planner uses an index.
select
  '= any (array(select cast(value as bigint) from json_array_elements_text(cast({list} as json)) e (value)))' as ids,
  '= any (array(select value from json_array_elements_text(cast({list} as json)) e (value)))' as texts,
  'insert into {table} ({columns}) overriding system value values {rows}' as "insert",
  'truncate table {table} cascade' as "truncate",
  'lock table {tables} in share mode' as "lock";
