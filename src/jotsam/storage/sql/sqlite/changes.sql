-- name: holding
-- Unlike PostgreSQL, `terms` are FTS5 expressions. Memories of a project said before a time that match all of them, the
-- latest stored first: the index yields them in that order, so reading ends at the limit.
select {row.statement}
from text_index
cross join memory m
where text_index match (select '(' || group_concat(value, ') AND (') || ')' from json_each(:terms))
  and text_index.rowid > 0 and m.id = text_index.rowid and m.tenant = :tenant
  and coalesce(m.project, '') = coalesce(cast(:project as text), '')
  and coalesce(m.said_at, m.created_at) < :at
  and (cast(:below as bigint) is null or m.id < :below)
order by text_index.rowid desc
limit :limit;
