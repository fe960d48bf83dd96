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

-- name: definition
-- The statements that create such an index: the same columns, words and weights.
select sql
from sqlite_schema
where name = 'text_index'
union all
select format('insert into text_index (text_index, rank) values (%Q, %Q)', k, v)
from text_index_config
where k = 'rank';

-- name: totals
-- The record of FTS5 with the number of texts and the words of each column.
select block as totals
from text_index_data
where id = 1;

-- name: set_totals
update text_index_data
set block = :totals
where id = 1;

-- name: term_scores
-- The score of each text for each term alone.
select text_index.rowid as ref, term.key as place, -text_index.rank as score
from json_each(:terms) term
cross join text_index
where text_index match term.value;

-- name: term_counts
-- How many texts of the index have each term, and for a small file (see `search.match_text`) also how many of this
-- tenant, and how many texts it has. `indexed` is at most 2,001.
with few as materialized (
  select count(*) as number
  from (select 1 from text_index_docsize limit 2001) some
),
own as materialized (
  select
    (select count(*) from memory where tenant = :tenant)
      + (select count(*) from document where tenant = :tenant and cut_at is null) as number
  from few
  where few.number <= 2000
)
select
  few.number as indexed,
  own.number as own_texts,
  term.key as place,
  (select count(*) from text_index where text_index match term.value) as texts,
  (
    select count(*)
    from text_index
    where own.number is not null and text_index match term.value
      and (
        exists (select 1 from memory m where m.id = text_index.rowid and m.tenant = :tenant)
        or exists (select 1 from document d where d.id = -text_index.rowid and d.tenant = :tenant)
      )
  ) as own
from few
left join own on true
cross join json_each(:terms) term;

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
