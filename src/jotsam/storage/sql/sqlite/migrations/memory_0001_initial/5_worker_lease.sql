create table worker_lease (
  name text primary key,
  owner text not null,
  pid integer not null,
  host text not null,
  until integer not null
) strict, without rowid;
