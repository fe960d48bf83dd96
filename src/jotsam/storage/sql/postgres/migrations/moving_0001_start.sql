-- Only while another database is moved into this one: from where, what that looked like, and how far it has come.
create table jotsam_move (
  one bigint primary key check (one = 1),
  source text not null,
  state text not null,
  place text
);
