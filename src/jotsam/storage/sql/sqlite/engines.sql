-- name: place
-- Unlike PostgreSQL, the file is the database.
select null as place;

-- name: is_settled
-- Unlike PostgreSQL, there is one writer, so no transaction is left that does not know of the engine.
select 1 as settled;
