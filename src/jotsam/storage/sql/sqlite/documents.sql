-- name: lock_source
-- Unlike PostgreSQL, there is one writer at a time, so no row needs a lock.
select id
from document
where tenant = :tenant and false;
