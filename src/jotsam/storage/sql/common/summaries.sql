-- name: following
-- The summaries in scope of which at least two sources are among these, and all are current; most sources first.
with shown (id, theme_id) as materialized (
  select m.id, n.theme_id
  from memory m
  join theme_member n on n.memory_id = m.id and n.tenant = m.tenant
  where m.uuid {list.any_text uuids} and m.tenant || '' = :tenant
)
select t.summary_id as ref, count(*) as sources
from shown
join theme t on t.id = shown.theme_id and t.tenant = :tenant
where t.summary_id is not null
  and exists (select 1 from memory m where m.id = t.summary_id and m.tenant = :tenant and m.extractor = 'cluster' and {visible.memory})
  and not exists (
    select 1
    from theme_member n
    join memory o on o.id = n.memory_id and o.tenant = n.tenant
    where n.theme_id = t.id and n.tenant = :tenant and (o.superseded_at is not null or o.valid_until <= :at)
  )
group by t.id, t.tenant, t.summary_id
having count(*) >= 2
order by sources desc, t.id
limit :limit;
