-- name: allow
insert into allowed_secret (tenant, fingerprint, reason, created_at)
values (:tenant, :fingerprint, :reason, :now)
on conflict (tenant, fingerprint) do update set reason = excluded.reason;

-- name: list
select fingerprint, reason, created_at
from allowed_secret
where tenant = :tenant
order by created_at, fingerprint;

-- name: forbid
delete from allowed_secret
where tenant = :tenant and fingerprint >= :low and fingerprint < :high
returning fingerprint;
