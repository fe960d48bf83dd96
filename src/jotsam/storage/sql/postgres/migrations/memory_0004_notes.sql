-- What the turns of sessions say that lasts: rules, decisions, open ends, problems with their fix, and what was done.
-- A note is made of the text of its memory, and perhaps of the turns before and after it: it goes with each of them.
create table note (
  tenant text not null,
  memory_id bigint not null,
  position bigint not null, -- among the notes of the memory
  before_id bigint,
  after_id bigint,
  project text,
  kind text not null check (kind in ('rule', 'decision', 'open', 'fix', 'done')),
  scope text not null check (scope in ('project', 'person')),
  body text not null,
  problem text, -- of a fix
  old_names text, -- JSON: names and values that no longer hold because of it
  terms text not null, -- JSON: the stems and names by which notes are compared
  sure double precision not null,
  said_at bigint not null,
  ended_by bigint, -- the memory of the note that ended this one
  ended_position bigint,
  ended_how text check (ended_how in ('replaced', 'closed', 'repeated')),
  ended_names text, -- JSON: names and values that no longer hold
  verdict text check (verdict in ('wrong', 'old', 'keep')), -- of a person
  primary key (memory_id, position, tenant),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade,
  foreign key (before_id, tenant) references memory (id, tenant) on delete cascade,
  foreign key (after_id, tenant) references memory (id, tenant) on delete cascade,
  foreign key (ended_by, tenant) references memory (id, tenant) on delete set null (ended_by)
);

create index note_project on note (tenant, project, kind, said_at);
create index note_person on note (tenant, said_at) where scope = 'person';
create index note_before on note (before_id) where before_id is not null;
create index note_after on note (after_id) where after_id is not null;
create index note_reversal on note (tenant, said_at) where ended_names is not null or old_names is not null;
create index note_ended on note (ended_by) where ended_by is not null;

alter table note enable row level security, force row level security;
create policy tenant_isolation on note using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
