-- The text index of SQLite: documents that it does not have yet, checks, and repair. Checks and repair cover all tenants,
-- because the file has one index.

-- name: add_waiting
insert into text_index_waiting (tenant, document_id)
values (:tenant, :id);

-- name: count_waiting
select count(*) as number
from (select 1 from text_index_waiting where tenant = :tenant limit :limit) some;

-- name: waiting
select d.id, d.body, d.project, d.source, d.actor
from text_index_waiting w
join document d on d.id = w.document_id
where w.tenant = :tenant and d.tenant || '' = :tenant
order by w.document_id
limit :limit;

-- name: remove_waiting
delete from text_index_waiting
where tenant = :tenant and document_id <= :last;

-- name: sizes
-- How many texts the index should hold, and how many it does. It does not hold summaries of themes.
select
  (select count(*) from memory where extractor is distinct from 'cluster')
    + (select count(*) from document where cut_at is null)
    - (select count(*) from text_index_waiting) as expected,
  (select count(*) from text_index_docsize) as indexed;

-- name: sample
-- The latest memories, whose words the index must find.
select id, body
from memory
where extractor is distinct from 'cluster'
order by id desc
limit :limit;

-- name: drop
-- Removes a damaged index. Without its format version FTS5 cannot even drop the table, so that is restored first.
create table if not exists text_index_config (
  k primary key,
  v
) without rowid;
insert or ignore into text_index_config (k, v)
values ('version', 4);
drop table text_index;

-- name: drop_leftovers
-- Removes the tables of an index whose own entry in the schema is gone.
drop table if exists text_index_data;
drop table if exists text_index_idx;
drop table if exists text_index_docsize;
drop table if exists text_index_config;
