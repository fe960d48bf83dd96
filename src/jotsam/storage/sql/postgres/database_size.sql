-- name: bytes
-- Unlike SQLite, the server knows the sizes of its files.
select pg_database_size(current_database()) as bytes;
