-- Checks and repair of the text index of SQLite. They cover all tenants, because the file has one index.

-- name: sizes
-- How many texts the index should hold, and how many it does.
select
  (select count(*) from memory) + (select count(*) from document where cut_at is null) as expected,
  (select count(*) from text_index_docsize) as indexed;

-- name: sample
-- The latest memories, whose words the index must find.
select id, body
from memory
order by id desc
limit :limit;

-- name: drop
-- Removes a damaged index. Without its format version FTS5 cannot even drop the table, so that is restored first.
insert or ignore into text_index_config (k, v)
values ('version', 4);
drop table text_index;
