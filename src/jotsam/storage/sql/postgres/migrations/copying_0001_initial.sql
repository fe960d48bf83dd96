-- Exists only while another database is copied into this one: its address, a description of its content, and the
-- progress.
create table jotsam_copy (
  id bigint primary key check (id = 1),
  source text not null,
  state text not null,
  place text
);
