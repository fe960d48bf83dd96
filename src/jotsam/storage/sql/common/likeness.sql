-- Memories that are compared with each other.

-- name: page
-- The next current memories whose text has been read, without those that were made of others: crystals and summaries.
select {row.comparable}
from memory m
where m.tenant = :tenant and m.id > :after and {chosen.comparable}
order by m.id
limit :limit;

-- name: some
select {row.comparable}
from memory m
where m.tenant || '' = :tenant and m.id {list.any_id refs} and {chosen.comparable}
order by m.id;

-- name: opposed
-- A link that says that two memories are not the same, or that one follows the other in a conversation.
select type
from link
where tenant = :tenant
  and ((source_id = :first and target_id = :second) or (source_id = :second and target_id = :first))
  and (
    type in ('CONTRADICTS', 'INVALIDATED_BY', 'EVOLVED_INTO', 'PREFERS_OVER', 'CONTRASTS_WITH')
    or (type = 'PRECEDED_BY' and weight = 1 and exists (
      select 1
      from memory a
      join memory b on b.id = :second and b.tenant = a.tenant
      where a.tenant = :tenant and a.id = :first and a.actor is distinct from b.actor
    ))
  )
limit 1;

-- name: dates
-- The dates that memories mention.
select memory_id as id, first, until
from date_range
where tenant || '' = :tenant and memory_id {list.any_id refs}
order by memory_id, first, until;
