-- Vectors of items of the store, as their caller gave them: little-endian float32, of length 1.
create table item_vector (
  tenant text not null,
  item_id integer not null references item (id) on delete cascade,
  number integer not null, -- of one item, from 0
  bytes blob not null,
  primary key (item_id, number, tenant)
) strict;
