-- What is past the time for which the settings keep it.

-- name: texts
-- A page of documents whose chunks are saved and whose own text is old.
select id
from document
where tenant = :tenant and cut_at is not null and created_at < :before and id > :after and body <> ''
order by id
limit :limit;

-- name: remove_texts
update document
set body = ''
where tenant = :tenant and id {list.any_id documents};

-- name: remove_versions
delete from memory_version
where tenant = :tenant and (memory_id, version) in (
  select memory_id, version
  from memory_version
  where tenant = :tenant and until < :before
  order by until, memory_id, version
  limit :limit
)
returning body;

-- name: superseded
-- Stored and superseded long enough. One that still supersedes another goes after that one: if it went first, the other
-- would be valid again.
select m.uuid
from memory m
where m.tenant = :tenant and m.superseded_at < :before and m.created_at < :before
  and not exists (select 1 from memory o where o.superseded_by = m.id and o.tenant = m.tenant)
  and not exists (select 1 from document o where o.superseded_by = m.document_id and o.tenant = m.tenant)
order by m.superseded_at, m.id
limit :limit;

-- name: counts
-- How much there is before these times; none before 0.
select
  (
    select count(*)
    from document
    where tenant = :tenant and cut_at is not null and created_at < :texts and body <> ''
  ) as texts,
  (
    select count(*)
    from memory_version
    where tenant = :tenant and until < :versions
  ) as versions,
  (
    select count(*)
    from memory
    where tenant = :tenant and superseded_at < :superseded and created_at < :superseded
  ) as superseded,
  (
    select count(*)
    from trash
    where tenant = :tenant and created_at < :trash
  ) as trash,
  (
    select count(*)
    from audit
    where tenant = :tenant and created_at < :audit
  ) as audit,
  (
    select count(*)
    from given_text
    where tenant = :tenant and created_at < :given
  ) as given,
  (
    select count(*)
    from item
    where tenant = :tenant and expires_at <= :items
  ) as items;
