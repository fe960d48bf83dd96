-- What happened lately, for programs that follow it: ids and numbers, no texts. Ids are not in the order of the commits.
-- A reader that stops at the oldest transaction that still runs, and goes by (xact, id), misses none.
create table event (
  id bigint generated always as identity,
  xact bigint not null default cast(cast(pg_current_xact_id() as text) as bigint),
  tenant text not null,
  at bigint not null,
  type text not null,
  subject text, -- UUID of a memory or document
  job_id bigint,
  data text not null, -- JSON
  primary key (tenant, xact, id)
);

create index event_job on event (tenant, job_id, xact, id) where job_id is not null;

-- The last event of a tenant that was deleted because it was old. Later ones are complete.
create table event_pruned (
  tenant text primary key,
  xact bigint not null,
  id bigint not null
);

-- Events are recorded until this time, which a server that runs puts off. `run` rises when it begins after a pause.
create table recording (
  one bigint primary key check (one = 1),
  until bigint not null,
  run bigint not null
);

alter table event enable row level security, force row level security;
create policy tenant_isolation on event using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table event_pruned enable row level security, force row level security;
create policy tenant_isolation on event_pruned using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
