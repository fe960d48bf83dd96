-- name: add
insert into audit (tenant, request, token, name, action, subject, address, created_at)
values (:tenant, :request, :token, :name, :action, :subject, :address, :now);

-- name: list
-- The newest first.
select id, tenant, request, token, name, action, subject, address, created_at
from audit
where tenant = :tenant and id < :before
order by id desc
limit :limit;

-- name: remove_before
delete from audit
where tenant = :tenant and id in (
  select id
  from audit
  where tenant = :tenant and created_at < :before
  order by created_at
  limit :limit
)
returning id;
