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
