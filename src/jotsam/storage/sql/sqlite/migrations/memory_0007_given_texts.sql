-- What hooks gave sessions, as it was sent. The latest texts of a session: a slot is used again.
create table given_text (
  tenant text not null,
  session text not null,
  slot integer not null,
  number integer not null, -- counts the texts of the session
  kind text not null check (kind in ('start', 'prompt')),
  body text not null,
  memories text not null, -- UUIDs of what is in it, separated by spaces
  created_at integer not null,
  primary key (tenant, session, slot)
) strict, without rowid;

create index given_text_created on given_text (tenant, created_at);
