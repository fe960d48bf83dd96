-- name: versions
-- Unlike PostgreSQL, SQLite has one writer at a time.
select version, address, case when expires_at <= :now then 1 else 0 end as has_expired
from item
where tenant = :tenant and address {list.any_text addresses};
