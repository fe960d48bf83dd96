-- The history of events. A position in it is (xact, id).

-- name: recording
select until, run
from recording;

-- name: keep_recording
-- Puts off the end. A recording that has ended begins again, as another run.
insert into recording (one, until, run)
values (1, :until, 1)
on conflict (one) do update
set
  run = case when recording.until < :now then recording.run + 1 else recording.run end,
  until = case when recording.until < excluded.until then excluded.until else recording.until end;

-- name: record
insert into event (tenant, at, type, subject, job_id, data)
values (:tenant, :now, :type, :subject, :job_id, :data);

-- name: read
-- Events after a position. Those of transactions from `:until` on may still be incomplete.
select xact, id, at, type, subject, job_id, data
from event
where tenant = :tenant and (xact, id) > (:xact, :id) and xact < :until
order by xact, id
limit :limit;

-- name: read_job
select xact, id, at, type, subject, job_id, data
from event
where tenant = :tenant and job_id = :job_id and (xact, id) > (:xact, :id) and xact < :until
order by xact, id
limit :limit;

-- name: pruned
select xact, id
from event_pruned
where tenant = :tenant;

-- name: oldest
-- The oldest events.
select xact, id, at
from event
where tenant = :tenant
order by xact, id
limit :limit;

-- name: beyond
-- The newest event that is one too many.
select xact, id
from event
where tenant = :tenant
order by xact desc, id desc
limit 1 offset :kept;

-- name: prune
delete from event
where tenant = :tenant and (xact, id) <= (:xact, :id);

-- name: save_pruned
insert into event_pruned (tenant, xact, id)
values (:tenant, :xact, :id)
on conflict (tenant) do update
set xact = excluded.xact, id = excluded.id;

-- name: forget
-- Those of memories and documents that are removed in this transaction.
delete from event
where tenant = :tenant and (
  subject in (select uuid from memory where tenant || '' = :tenant and id {list.any_id memories})
  or subject in (select uuid from document where tenant || '' = :tenant and id {list.any_id documents})
);
