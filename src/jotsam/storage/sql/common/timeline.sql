-- name: first_said
select coalesce(said_at, created_at) as at
from memory
where tenant = :tenant and coalesce(said_at, created_at) is not null
order by coalesce(said_at, created_at), id
limit 1;

-- name: last_said
select coalesce(said_at, created_at) as at
from memory
where tenant = :tenant and coalesce(said_at, created_at) is not null
order by coalesce(said_at, created_at) desc, id desc
limit 1;

-- name: count_later
-- How many memories were said after a time, at most `most`.
select count(*) as memories
from (
  select 1
  from memory
  where tenant = :tenant and coalesce(said_at, created_at) is not null and coalesce(said_at, created_at) > :at
  limit :most
) later;

-- name: facts_at
-- Facts that are valid at a time, of the latest memories that were said before it.
select f.id as number, f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, successor.uuid as superseded_by
from (
  select id, uuid, said_at, created_at, valid_from, valid_until, superseded_at, archived_at
  from memory
  where tenant = :tenant and coalesce(said_at, created_at) is not null and coalesce(said_at, created_at) <= :at
  order by coalesce(said_at, created_at) desc, id desc
  limit :latest
) m
join fact f on f.memory_id = m.id and f.tenant || '' = :tenant
left join memory successor on successor.id = f.superseded_by
where {visible.fact}
order by coalesce(f.valid_from, m.said_at, m.created_at) desc, f.id desc
limit :limit;

-- name: facts_about
-- Facts whose subject or object is one of some names: those valid at a time, or all of them with a null.
select f.id as number, f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, successor.uuid as superseded_by
from (
  {select.named_facts}
) named
join fact f on f.id = named.id and f.tenant || '' = :tenant
join memory m on m.id = f.memory_id
left join memory successor on successor.id = f.superseded_by
where cast(:at as bigint) is null or {visible.fact}
order by f.id desc
limit :limit;

-- name: facts_ended
-- Facts that were known at a time and were superseded until now, the first of them first: of those superseded next.
-- `now` is what the memory that replaces it says instead.
select f.id as number, f.uuid as id, f.subject, f.predicate, f.object, f.confidence, f.valid_from, f.valid_until,
  f.extractor, m.uuid as memory, f.superseded_at, successor.uuid as superseded_by, (
    select min(n.object)
    from fact n
    where n.memory_id = f.superseded_by and n.subject_key = f.subject_key and n.predicate = f.predicate
      and n.object_key <> f.object_key and n.tenant || '' = :tenant
  ) as now
from (
  select *
  from fact
  where tenant = :tenant and superseded_at is not null and superseded_at > :at and superseded_at <= :now
  order by superseded_at
  limit :examined
) f
join memory m on m.id = f.memory_id
left join memory successor on successor.id = f.superseded_by
where coalesce(f.valid_from, m.said_at, m.created_at) <= :at
  and (cast(:keys as text) is null or f.subject_key in ({list.texts keys}) or f.object_key in ({list.texts keys}))
order by f.superseded_at, f.id
limit :limit;

-- name: superseded
-- Memories that were valid at a time and were superseded until now, the first of them first: of those superseded next.
select m.id
from (
  select id, said_at, created_at, valid_from, valid_until, superseded_at
  from memory
  where tenant = :tenant and superseded_at is not null and superseded_at > :at and superseded_at <= :now
  order by superseded_at
  limit :examined
) m
where coalesce(m.valid_from, m.said_at, m.created_at) <= :at and (m.valid_until is null or m.valid_until > :at)
order by m.superseded_at, m.id
limit :limit;
