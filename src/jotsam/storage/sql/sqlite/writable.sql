-- name: is_read_only
-- Unlike PostgreSQL, a file is read-only by the permissions of the system, which a query does not know.
select 0 as read_only;
