-- Memories that are compared with each other.

-- name: page
-- The next current memories whose text has been read, without those that were made of others: crystals and summaries.
select
  m.id, m.uuid, m.project, m.document_id, m.body, m.actor, m.session, m.valid_from, m.valid_until, m.importance,
  m.confidence, m.version, coalesce(m.said_at, m.created_at) as at, case when m.type_by is null then m.type end as type
from memory m
where m.tenant = :tenant and m.id > :after and m.enriched_at is not null and m.archived_at is null
  and m.superseded_at is null and (m.valid_until is null or m.valid_until > :now)
  and not exists (
    select 1 from memory_tag g where g.memory_id = m.id and g.tag = 'crystal' and g.tenant || '' = :tenant
  )
  and not exists (select 1 from theme h where h.summary_id = m.id and h.tenant || '' = :tenant)
order by m.id
limit :limit;

-- name: some
select
  m.id, m.uuid, m.project, m.document_id, m.body, m.actor, m.session, m.valid_from, m.valid_until, m.importance,
  m.confidence, m.version, coalesce(m.said_at, m.created_at) as at, case when m.type_by is null then m.type end as type
from memory m
where m.tenant || '' = :tenant and m.id {list.any_id refs} and m.enriched_at is not null and m.archived_at is null
  and m.superseded_at is null and (m.valid_until is null or m.valid_until > :now)
  and not exists (
    select 1 from memory_tag g where g.memory_id = m.id and g.tag = 'crystal' and g.tenant || '' = :tenant
  )
  and not exists (select 1 from theme h where h.summary_id = m.id and h.tenant || '' = :tenant)
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
