-- What the turns of sessions say that lasts: rules, decisions, open ends, problems with their fix, and what was done.
-- A note is made of the text of its memory, and perhaps of the turns before and after it: it goes with each of them.
create table note (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  position integer not null, -- among the notes of the memory
  before_id integer references memory (id) on delete cascade,
  after_id integer references memory (id) on delete cascade,
  project text,
  kind text not null check (kind in ('rule', 'decision', 'open', 'fix', 'done')),
  scope text not null check (scope in ('project', 'person')),
  body text not null,
  problem text, -- of a fix
  old_names text, -- JSON: names and values that no longer hold because of it
  terms text not null, -- JSON: the stems and names by which notes are compared
  sure real not null,
  said_at integer not null,
  ended_by integer references memory (id) on delete set null, -- the memory of the note that ended this one
  ended_position integer,
  ended_how text check (ended_how in ('replaced', 'closed', 'repeated')),
  ended_names text, -- JSON: names and values that no longer hold
  verdict text check (verdict in ('wrong', 'old', 'keep')), -- of a person
  primary key (memory_id, position, tenant)
) strict, without rowid;

create index note_project on note (tenant, project, kind, said_at);
create index note_person on note (tenant, said_at) where scope = 'person';
create index note_before on note (before_id) where before_id is not null;
create index note_after on note (after_id) where after_id is not null;
create index note_reversal on note (tenant, said_at) where ended_names is not null or old_names is not null;
create index note_ended on note (ended_by) where ended_by is not null;
