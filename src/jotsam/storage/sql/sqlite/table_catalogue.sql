-- name: columns
-- Unlike PostgreSQL, the catalogue is read through pragmas. `place` is the column's position in the primary key,
-- from 1.
select t.name as "table", c.name as "column", c.pk as place
from pragma_table_list t
join pragma_table_info(t.name) c
where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\_%' escape '\'
order by t.name, c.cid;

-- name: references
-- Unlike PostgreSQL, the catalogue is read through pragmas. `clears`: a parent that is deleted leaves null.
select
  t.name as "table", f."from" as "column", f."table" as parent,
  f.on_delete = 'CASCADE' as follows, f.on_delete = 'SET NULL' as clears
from pragma_table_list t
join pragma_foreign_key_list(t.name) f
where t.schema = 'main' and t.type = 'table'
order by t.name, f."from";

-- name: forms
-- Unlike PostgreSQL, ids can be inserted like other values, a table is emptied with delete, there is one writer, and a
-- JSON list is expanded by json_each.
select
  'in (select value from json_each({list}))' as ids,
  'in (select value from json_each({list}))' as texts,
  'insert into {table} ({columns}) values {rows}' as "insert",
  'delete from {table}' as "truncate",
  'select 1' as "lock";
