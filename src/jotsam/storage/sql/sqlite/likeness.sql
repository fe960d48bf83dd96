-- name: sharing_words
-- Unlike PostgreSQL, `match` is an FTS5 expression. Current memories with some of these words, best first. The index has
-- the texts of all tenants, so those of others are left out after the limit.
select found.ref
from (
  select rowid as ref, rank as score
  from text_index
  where text_index match :match
  order by rank
  limit 4 * :limit
) found
cross join memory m
where m.id = found.ref and m.tenant = :tenant and m.archived_at is null and m.superseded_at is null
  and m.project is not distinct from cast(:project as text)
order by found.score, found.ref
limit :limit;
