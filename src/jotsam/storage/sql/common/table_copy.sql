-- Copying one database to another. Statements that depend on the columns of a table are built by `table_copy.py`.

-- name: progress
select source, state, place
from jotsam_copy;

-- name: begin
insert into jotsam_copy (id, source, state, place)
values (1, :source, :state, null)
on conflict (id) do update set state = excluded.state, place = null;

-- name: advance
-- Compares the previous place, so that two processes never copy at once.
update jotsam_copy
set place = :place
where place is not distinct from cast(:before as text)
returning id;

-- name: end
drop table jotsam_copy;

-- name: forget_migration
delete from jotsam_migration
where schema = 'copying';
