-- name: list.ids
-- Unlike SQLite, json_array_elements_text expands a JSON list, and its values are text.
select cast(value as bigint)
from json_array_elements_text(cast(:list as json)) element (value);

-- name: list.texts
-- Unlike SQLite, json_array_elements_text expands a JSON list.
select value
from json_array_elements_text(cast(:list as json)) element (value);

-- name: list.pairs
-- Unlike SQLite, json_array_elements expands a JSON list.
select value ->> 0, value ->> 1
from json_array_elements(cast(:list as json)) element (value);

-- name: list.fours
-- Unlike SQLite, json_array_elements expands a JSON list.
select value ->> 0, value ->> 1, value ->> 2, value ->> 3
from json_array_elements(cast(:list as json)) element (value);

-- name: list.any_id
-- Unlike SQLite, an array is needed: the planner guesses the length of a list, and for a subquery of that length it may
-- read the whole table.
= any (array(select cast(value as bigint) from json_array_elements_text(cast(:list as json)) element (value)));

-- name: list.any_text
-- Unlike SQLite, an array is needed, as for ids.
= any (array(select value from json_array_elements_text(cast(:list as json)) element (value)));

-- name: chosen.place
-- Unlike SQLite, with equalities the planner may walk the primary key, past the jobs of all others. It does not if a
-- row is compared, and the jobs are read in the order of all its columns.
(queue, tenant, id) < (:queue, :tenant, :before) and (queue, tenant, id) > (:queue, :tenant, -1);

-- name: chosen.own
-- Unlike SQLite, the primary key contains the tenant, and partitions are chosen by it.
m.tenant = :tenant;
