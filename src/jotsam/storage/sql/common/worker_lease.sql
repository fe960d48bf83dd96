-- name: get
select owner, pid, host, until
from worker_lease
where name = :name;

-- name: take
insert into worker_lease (name, owner, pid, host, until)
values (:name, :owner, :pid, :host, :until)
on conflict (name) do update
set owner = excluded.owner, pid = excluded.pid, host = excluded.host, until = excluded.until;

-- name: renew
update worker_lease
set until = :until
where name = :name and owner = :owner
returning owner;

-- name: release
delete from worker_lease
where name = :name and owner = :owner
returning owner;
