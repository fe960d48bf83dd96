-- name: lock_source
-- Unlike SQLite, two documents of one source may be chunked at once, and neither would see that the other supersedes
-- it.
select id
from document
where tenant = :tenant and source = :source and project is not distinct from cast(:project as text)
order by id
for update;
