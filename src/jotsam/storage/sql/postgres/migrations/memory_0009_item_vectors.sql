-- Vectors of items of the store, as their caller gave them: little-endian float32, of length 1.
create table item_vector (
  tenant text not null,
  item_id bigint not null,
  number bigint not null, -- of one item, from 0
  bytes bytea not null,
  primary key (item_id, number, tenant),
  foreign key (item_id, tenant) references item (id, tenant) on delete cascade
);

alter table item_vector enable row level security, force row level security;
create policy tenant_isolation on item_vector using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
