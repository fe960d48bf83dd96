-- name: sizes
-- How many texts the index of words should hold, and how many it does. A file alone is asked.
select
  (select count(*) from memory) + (select count(*) from document where cut_at is null) as wanted,
  (select count(*) from words_docsize) as held;

-- name: sample
-- Some of the latest memories, whose words must be found.
select id, body
from memory
order by id desc
limit :limit;

-- name: remake
-- An empty index in the place of a damaged one. What says in which form it is written may be lost too, and without that
-- it cannot even be removed.
insert or ignore into words_config (k, v)
values ('version', 4);
drop table words;
