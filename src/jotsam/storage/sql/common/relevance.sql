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
-- What relevance depends on, of the next memories that are not superseded. The order of a conversation is no link here,
-- because every turn has it, nor is a guess. The tenant of links and facts is concatenated so that planners use the id.
select
  m.id, m.uuid, m.confidence, coalesce(m.said_at, m.created_at) as at, c.recalled_at, r.relevance,
  m.importance as importance,
  case when coalesce(nullif(m.importance_by, ''), m.extractor) like 'rules/%' and m.importance_by is not null
    then 1 else 0 end as is_by_rules,
  substr(m.body, 1, cast(:characters as int)) as body,
  exists (
    select 1
    from fact f
    where f.memory_id = m.id and f.tenant || '' = :tenant
  ) as has_fact,
  exists (
    select 1
    from link l
    join memory p on p.id = l.target_id and p.tenant = l.tenant
    where l.source_id = m.id and l.tenant || '' = :tenant and l.type = 'PRECEDED_BY' and l.weight = 1
      and p.body like '%?'
  ) as is_reply,
  (
    select count(*)
    from (
      select l.target_id
      from link l
      where l.source_id = m.id and l.tenant || '' = :tenant
        and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH', 'SUMMARIZES')
      union
      select l.source_id
      from link l
      where l.target_id = m.id and l.tenant || '' = :tenant
        and l.type not in ('PRECEDED_BY', 'DISCOVERED', 'CONTRASTS_WITH', 'SUMMARIZES')
    ) linked
  ) as links
from memory m
left join recall_count c on c.memory_id = m.id and c.tenant = m.tenant
left join relevance r on r.memory_id = m.id and r.tenant = m.tenant
where m.tenant = :tenant and m.id > :after and m.superseded_at is null
order by m.id
limit :limit;
