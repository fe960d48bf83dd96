-- name: following
-- The summaries in scope of which at least two sources are among these, and all are current; most sources first. The
-- tenant is concatenated so that planners look up each id, and do not read all rows of the tenant.
with asked (id) as materialized (
  select id
  from memory
  where uuid {list.any_text uuids} and tenant || '' = :tenant
),
often (theme_id, sources) as materialized (
  select n.theme_id, count(*)
  from asked
  cross join theme_member n
  where n.memory_id = asked.id and n.tenant || '' = :tenant
  group by n.theme_id
  having count(*) >= 2
)
select t.summary_id as ref, often.sources
from often
cross join theme t
where t.id = often.theme_id and t.tenant || '' = :tenant
  and (
    select case when m.extractor = 'cluster' and {visible.memory} then 1 else 0 end
    from memory m
    where m.id = t.summary_id and m.tenant || '' = :tenant
  ) = 1
  and not exists (
    select 1
    from theme_member n
    cross join memory o
    where n.theme_id = t.id and n.tenant || '' = :tenant and o.id = n.memory_id and o.tenant || '' = :tenant
      and (o.superseded_at is not null or o.valid_until <= :at)
  )
order by often.sources desc, t.id
limit :limit;
