-- name: place
-- Unlike SQLite, a server names its cluster; a database that was restored from a dump has another oid.
select s.system_identifier || ' ' || d.oid || ' ' || current_schema() as place
from pg_control_system() s
cross join pg_database d
where d.datname = current_database();

-- name: is_settled
-- Unlike SQLite, a transaction may still run that wrote before the engine was known, and logged nothing.
select case when cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) > :xact then 1 else 0 end as settled;
