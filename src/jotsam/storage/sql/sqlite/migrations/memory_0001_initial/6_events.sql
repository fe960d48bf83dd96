-- What happened lately, for programs that follow it: ids and numbers, no texts.
create table event (
  id integer primary key autoincrement,
  xact integer not null default 0, -- a file has one writer at a time, so the ids are in the order of the commits
  tenant text not null,
  at integer not null,
  type text not null,
  subject text, -- UUID of a memory or document
  job_id integer,
  data text not null -- JSON
) strict;

create index event_order on event (tenant, xact, id);
create index event_job on event (tenant, job_id, xact, id) where job_id is not null;

-- The last event of a tenant that was deleted because it was old. Later ones are complete.
create table event_pruned (
  tenant text primary key,
  xact integer not null,
  id integer not null
) strict, without rowid;

-- Events are recorded until this time, which a server that runs puts off. `run` rises when it begins after a pause.
create table recording (
  one integer primary key check (one = 1),
  until integer not null,
  run integer not null
) strict;
