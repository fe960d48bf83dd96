-- name: hold_source
-- Unlike PostgreSQL, nobody else writes until this transaction ends, and so nothing needs to be held.
select id
from document
where false;
