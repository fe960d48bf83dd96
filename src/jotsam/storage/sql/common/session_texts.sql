-- name: latest
-- What was said in sessions, the latest first.
select m.id, m.uuid, m.session, m.actor, m.body, coalesce(m.said_at, m.created_at) as at, coalesce(m.position, 0) as position
from memory m
where m.tenant = :tenant and m.id < :before and m.session is not null and m.archived_at is null
  and (cast(:project as text) is null or m.project = :project)
  and (cast(:since as bigint) is null or coalesce(m.said_at, m.created_at) >= :since)
order by m.id desc
limit :limit;
