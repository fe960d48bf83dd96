-- name: position
-- Unlike PostgreSQL, the ids are in the order of the commits. `until`: all that can be seen is complete.
select 0 as xact, coalesce(max(seq), 0) as id, 1 as until
from sqlite_sequence
where name = 'event';
