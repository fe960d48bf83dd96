-- name: columns
-- Unlike PostgreSQL, the catalogue is read through pragmas. `place` is the column's position in the primary key,
-- from 1.
select t.name as "table", c.name as "column", c.pk as place
from pragma_table_list t
join pragma_table_info(t.name) c
where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\_%' escape '\'
order by t.name, c.cid;

-- name: parents
-- Unlike PostgreSQL, the catalogue is read through pragmas.
select t.name as "table", f."from" as "column", f."table" as parent, f."to" as parent_column
from pragma_table_list t
join pragma_foreign_key_list(t.name) f
where t.schema = 'main' and t.type = 'table'
order by t.name, f."from";

-- name: counters
-- Unlike PostgreSQL, one table holds the highest id ever assigned in each table.
select name as "table", seq as highest
from sqlite_sequence
order by name;

-- name: raise_counter
-- Unlike PostgreSQL, a counter is a row, which is missing until the table gets its first row.
insert into sqlite_sequence (name, seq)
select :table, :highest
where not exists (select 1 from sqlite_sequence where name = :table);

-- name: raise_counter_further
-- Unlike PostgreSQL, a counter is a row.
update sqlite_sequence
set seq = :highest
where name = :table and seq < :highest;

-- name: forms
-- Unlike PostgreSQL, ids can be inserted like other values, a table is emptied with delete, and there is one writer.
select
  'insert into {table} ({columns}) values {rows}' as "insert",
  'delete from {table}' as "truncate",
  'select 1' as "lock";
