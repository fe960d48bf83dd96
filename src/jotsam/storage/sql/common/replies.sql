-- name: find
select fingerprint, status, location, body
from kept_reply
where tenant = :tenant and key = :key and created_at >= :since;

-- name: save
insert into kept_reply (tenant, key, fingerprint, status, location, body, created_at)
values (:tenant, :key, :fingerprint, :status, :location, :body, :now)
on conflict (tenant, key) do update set
  fingerprint = excluded.fingerprint,
  status = excluded.status,
  location = excluded.location,
  body = excluded.body,
  created_at = excluded.created_at;

-- name: prune
delete from kept_reply
where tenant = :tenant and key in (
  select key
  from kept_reply
  where tenant = :tenant and created_at < :before
  order by created_at, key
  limit :limit
)
returning key;
