-- name: holding
-- Unlike SQLite, `terms` are tsqueries. Memories of a project said before a time that match all of them, the latest
-- stored first.
with matching as materialized (
  select distinct w.ref
  from text_index w
  where w.tenant = :tenant
    and w.lexemes @@ cast((select '(' || string_agg(value, ') & (') || ')' from json_array_elements_text(cast(:terms as json))) as tsquery)
)
select {row.statement}
from matching
join memory m on m.id = matching.ref
where m.tenant = :tenant and matching.ref > 0
  and coalesce(m.project, '') = coalesce(cast(:project as text), '')
  and coalesce(m.said_at, m.created_at) < :at
  and (cast(:below as bigint) is null or m.id < :below)
order by m.id desc
limit :limit;
