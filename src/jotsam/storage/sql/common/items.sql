-- Items of the store. A namespace is JSON text: those below a path begin with the text of the path without its bracket,
-- so they are a range of `place`, which has the first 200 characters. Of a longer path, `head` has the whole text.

-- name: put
-- An item that has expired and is not deleted yet counts as new.
insert into item (
  tenant, address, place, namespace, key, version, position, value, size, words, ttl_ms, expires_at, created_at,
  changed_at
)
values (
  :tenant, :address, :place, :namespace, :key, :version, :position, :value, :size, :words, :ttl_ms, :expires_at,
  :created_at, :changed_at
)
on conflict (tenant, address) do update
set value = excluded.value, size = excluded.size, words = excluded.words, ttl_ms = excluded.ttl_ms,
  expires_at = excluded.expires_at, changed_at = excluded.changed_at, version = item.version + 1,
  position = case when item.expires_at <= :now then excluded.position else item.position end,
  created_at = case when item.expires_at <= :now then excluded.created_at else item.created_at end
returning id, version;

-- name: remove_fields
-- With the tenant as an expression, rows are looked up by their items.
delete from item_field
where tenant || '' = :tenant and item_id {list.any_id ids};

-- name: remove_words
delete from item_word
where tenant || '' = :tenant and item_id {list.any_id ids};

-- name: remove_vectors
delete from item_vector
where tenant || '' = :tenant and item_id {list.any_id ids};

-- name: add_vector
insert into item_vector (tenant, item_id, number, bytes)
values (:tenant, :item_id, :number, :bytes);

-- name: add_fields
with field (item_id, name, sort, none) as (
  {list.fours fields}
)
insert into item_field (tenant, item_id, name, sort)
select :tenant, cast(item_id as bigint), name, sort
from field;

-- name: add_words
with counted (item_id, word, weight, none) as (
  {list.fours words}
)
insert into item_word (tenant, item_id, word, weight)
select :tenant, cast(item_id as bigint), word, cast(weight as double precision)
from counted;

-- name: known
-- Which of these addresses have an item, expired or not.
select address
from item
where tenant = :tenant and address {list.any_text addresses};

-- name: found
select i.id, i.address
from item i
where i.tenant = :tenant and i.address {list.any_text addresses} and (i.expires_at is null or i.expires_at > :now);

-- name: size
-- Of the values of some items together. With the tenant as an expression, the items are looked up by their ids.
select coalesce(sum(size), 0) as size
from item
where tenant || '' = :tenant and id {list.any_id ids};

-- name: rows
select id, version, address, namespace, key, position, value, ttl_ms, expires_at, created_at, changed_at
from item
where tenant || '' = :tenant and id {list.any_id ids};

-- name: refresh
update item
set expires_at = :now + ttl_ms
where tenant = :tenant and address = :address and ttl_ms is not null and expires_at > :now;

-- name: delete
delete from item
where tenant = :tenant and address = :address
returning case when expires_at <= :now then 0 else 1 end as was_there;

-- name: next_position
select coalesce(max(position) + 1, 0) as position
from item
where tenant = :tenant and place = :place and namespace = :namespace and position is not null;

-- name: last
select i.id, i.address
from item i
where i.tenant = :tenant and i.place = :place and i.namespace = :namespace and i.position is not null
  and (i.expires_at is null or i.expires_at > :now)
order by i.position desc
limit 1;

-- name: clear
delete from item
where tenant = :tenant and place = :place and namespace = :namespace
returning case when expires_at <= :now then 0 else 1 end as was_there;

-- name: expired
select address
from item
where tenant = :tenant and expires_at <= :now
order by expires_at, id
limit :limit;

-- name: namespaces
select i.namespace, count(*) as items
from item i
where i.tenant = :tenant and i.place >= :low and i.place < :high
  and (cast(:head as text) is null or substr(i.namespace, 1, length(:head)) = :head)
  and (i.expires_at is null or i.expires_at > :now)
group by i.namespace;

-- name: below
-- The items below a path that meet all conditions, newest first.
with condition (name, low, high, negated) as materialized (
  {list.fours conditions}
)
select i.id, null as score
from item i
where {visible.item}
order by i.id desc
limit :limit offset :offset;

-- name: filtered
-- The same, beginning with the items of one condition, which the index of fields finds.
with condition (name, low, high, negated) as materialized (
  {list.fours conditions}
)
select i.id, null as score
from item_field f
cross join item i
where f.tenant = :tenant and f.name = :name and f.sort >= :least and f.sort < :most
  and i.id = f.item_id and {visible.item}
order by i.id desc
limit :limit offset :offset;

-- name: with_vectors
-- The items below a path that meet all conditions and have a vector of this many bytes.
with condition (name, low, high, negated) as materialized (
  {list.fours conditions}
)
select i.id
from item i
where {visible.item} and exists (
  select 1
  from item_vector v
  where v.tenant = :tenant and v.item_id = i.id and length(v.bytes) = :size
)
order by i.id;

-- name: vectors
-- Of some items. With the tenant as an expression, they are looked up by their ids.
select item_id, bytes
from item_vector
where tenant || '' = :tenant and item_id {list.any_id ids}
  and (cast(:size as bigint) is null or length(bytes) = cast(:size as bigint))
order by item_id, number;

-- name: matching
-- The same, those that have one of the words, best first. A word weighs the more the fewer items of the tenant have it.
-- Of a small part of the store each item is looked at, because a word can be in many items elsewhere.
with condition (name, low, high, negated) as materialized (
  {list.fours conditions}
),
asked (word) as materialized (
  {list.texts words}
),
counted as materialized (
  select asked.word, (select count(*) from item_word w where w.tenant = :tenant and w.word = asked.word) as number
  from asked
),
every as materialized (
  select count(*) as number
  from item
  where tenant = :tenant
),
rarity as materialized (
  select counted.word,
    ln(1 + cast(every.number - counted.number + 0.5 as double precision) / cast(counted.number + 0.5 as double precision))
      as weight
  from counted
  cross join every
),
near as materialized (
  select i.id
  from item i
  where {visible.item}
  limit 1001
),
part as materialized (
  select count(*) <= 1000 as is_small
  from near
),
matched as materialized (
  select w.item_id, sum(w.weight * rarity.weight) as score
  from part
  cross join near
  cross join rarity
  cross join item_word w
  where part.is_small and w.tenant = :tenant and w.item_id = near.id and w.word = rarity.word
  group by w.item_id
  union all
  select w.item_id, sum(w.weight * rarity.weight)
  from part
  cross join rarity
  cross join item_word w
  where not part.is_small and w.tenant = :tenant and w.word = rarity.word
  group by w.item_id
)
select i.id, matched.score / (select sum(weight) from rarity) as score
from matched
cross join item i
where i.id = matched.item_id and {visible.item}
order by matched.score desc, i.id desc
limit :limit offset :offset;

-- name: page
-- For an export.
select id, namespace, key, position, value, words, ttl_ms, expires_at, created_at, changed_at
from item
where tenant = :tenant and id > :after
order by id
limit :limit;

-- name: forget
delete from item
where tenant || '' = :tenant and id {list.any_id ids};
