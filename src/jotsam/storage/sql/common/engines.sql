-- The engines of the database, which all its tenants share.

-- name: every
select name, address, place, version, xact, created_at, error, error_at
from engine
order by name;

-- name: save
insert into engine (name, address, place, version, created_at)
values (:name, :address, :place, :version, :now);

-- name: remove
delete from engine
where name = :name
returning name;

-- name: set_version
update engine
set version = :version
where name = :name;

-- name: set_error
update engine
set error = :error, error_at = :now
where name = :name;
