-- name: bytes
-- Unlike PostgreSQL, the database is one file of pages.
select page_count * page_size as bytes
from pragma_page_count, pragma_page_size;
