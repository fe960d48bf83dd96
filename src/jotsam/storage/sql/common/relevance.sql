-- How relevant memories still are.

-- name: set
insert into relevance (tenant, memory_id, relevance)
select m.tenant, m.id, :relevance
from memory m
where m.tenant = :tenant and m.id = :memory_id
on conflict (memory_id, tenant) do update set relevance = excluded.relevance;

-- name: delete
delete from relevance
where tenant = :tenant and memory_id = :memory_id;

-- name: of_memory
select relevance
from relevance
where tenant = :tenant and memory_id = :memory_id;

-- name: inputs
-- What relevance depends on, of the next current memories. Guessed links say nothing about their use.
select
  m.id, m.uuid, m.importance, m.confidence, coalesce(m.said_at, m.created_at) as at, c.recalled_at, r.relevance, (
    select count(*)
    from link l
    where l.source_id = m.id and l.tenant || '' = :tenant
      and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH', 'SUMMARIZES')
  ) + (
    select count(*)
    from link l
    where l.target_id = m.id and l.tenant || '' = :tenant
      and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH', 'SUMMARIZES')
  ) as links
from memory m
left join recall_count c on c.memory_id = m.id and c.tenant = m.tenant
left join relevance r on r.memory_id = m.id and r.tenant = m.tenant
where m.tenant = :tenant and m.id > :after and m.superseded_at is null
order by m.id
limit :limit;
