-- Whole tables, for a move from one database to another. What depends on a table's columns is made by `tables.py`.

-- name: move
-- How far a move into this database has come.
select source, state, place
from jotsam_move;

-- name: begin_move
insert into jotsam_move (one, source, state, place)
values (1, :source, :state, null)
on conflict (one) do update set state = excluded.state, place = null;

-- name: go_on
-- Only who knows how far it has come may say how far it comes next: two never move at once.
update jotsam_move
set place = :place
where place is not distinct from cast(:before as text)
returning one;

-- name: end_move
drop table jotsam_move;

-- name: forget_move
delete from jotsam_migration
where schema = 'moving';
