-- Items of the store: exact values by namespace and key. Values, namespaces and keys are JSON text, in which NUL is
-- escaped and numbers stay as they are.
create table item (
  id integer primary key,
  tenant text not null,
  address text not null, -- the SHA-256 of namespace and key, which may be longer than a key of an index
  place text not null, -- the first 200 characters of the namespace
  namespace text not null, -- JSON: its labels
  key text not null, -- JSON
  position integer, -- in its namespace, if it was appended
  value text not null, -- JSON
  size integer not null, -- of the value in bytes
  words text, -- what a search looks at; null: the texts in the value
  ttl_ms integer,
  expires_at integer,
  created_at integer not null,
  changed_at integer not null,
  version integer not null default 1 -- how often it was put
) strict;

create unique index item_address on item (tenant, address);
-- The last column keeps a search from reading the rows of all items.
create index item_place on item (tenant, place, id, expires_at);
create index item_position on item (tenant, place, position) where position is not null;
create index item_expires on item (tenant, expires_at) where expires_at is not null;

-- Fields of values that are objects, for filters. `sort` orders booleans, numbers and texts as their values.
create table item_field (
  tenant text not null,
  item_id integer not null references item (id) on delete cascade,
  name text not null,
  sort text not null,
  primary key (item_id, name, tenant)
) strict, without rowid;

create index item_field_sort on item_field (tenant, name, sort, item_id);

-- The stems by which items are found. Rows of a table and not of a text index, so that deleting an item is exact, and
-- leaves nothing to merge.
create table item_word (
  tenant text not null,
  item_id integer not null references item (id) on delete cascade,
  word text not null,
  weight real not null, -- 0 to 1: how much of the text it is
  primary key (item_id, word, tenant)
) strict, without rowid;

create index item_word_word on item_word (tenant, word, item_id, weight);
