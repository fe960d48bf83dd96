-- name: list.ids
-- Unlike PostgreSQL, json_each expands a JSON list, and its values are numbers already.
select value
from json_each(:list);

-- name: list.texts
-- Unlike PostgreSQL, json_each expands a JSON list.
select value
from json_each(:list);

-- name: list.pairs
-- Unlike PostgreSQL, json_each expands a JSON list.
select value ->> 0, value ->> 1
from json_each(:list);

-- name: list.fours
-- Unlike PostgreSQL, json_each expands a JSON list.
select value ->> 0, value ->> 1, value ->> 2, value ->> 3
from json_each(:list);

-- name: list.any_id
-- Unlike PostgreSQL, a subquery is enough for the planner to use the index on the left-hand column.
in (select value from json_each(:list));

-- name: list.any_text
-- Unlike PostgreSQL, a subquery is enough, as for ids.
in (select value from json_each(:list));

-- name: chosen.place
-- Unlike PostgreSQL, the planner uses the index of a tenant's jobs for an equality, and only two columns of a row.
queue = :queue and tenant = :tenant and id < :before;

-- name: chosen.own
-- Unlike PostgreSQL, the tenant is concatenated, or the planner would read the index of a tenant before each row.
m.tenant || '' = :tenant;
