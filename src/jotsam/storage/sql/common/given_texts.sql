-- name: add
-- One statement, because an agent waits for it: the text takes the place of the oldest one beyond the most.
insert into given_text (tenant, session, slot, number, kind, body, memories, created_at)
select :tenant, :session, g.number % :most, g.number, :kind, :body, :memories, :now
from (
  select coalesce(max(t.number), 0) + 1 as number
  from given_text t
  where t.tenant = :tenant and t.session = :session
) g
where true
on conflict (tenant, session, slot) do update
set number = excluded.number, kind = excluded.kind, body = excluded.body, memories = excluded.memories,
  created_at = excluded.created_at;

-- name: of_session
select kind, body as text, created_at as at
from given_text
where tenant = :tenant and session = :session
order by number;

-- name: every
select session, slot, memories, created_at
from given_text
where tenant = :tenant
order by session, slot;

-- name: known
-- Those of these UUIDs that are stored, and when a memory was changed last.
select uuid, coalesce(changed_at, 0) as changed_at
from memory
where tenant || '' = :tenant and uuid in ({list.texts uuids})
union all
select uuid, 0 as changed_at
from document
where tenant || '' = :tenant and uuid in ({list.texts uuids})
union all
select uuid, 0 as changed_at
from fact
where tenant || '' = :tenant and uuid in ({list.texts uuids});

-- name: sessions
-- The sessions with something in them.
select t.session
from given_text t
where t.tenant = :tenant
  and exists (select 1 from memory m where m.tenant = :tenant and m.session = t.session)
group by t.session;

-- name: delete
delete from given_text
where tenant = :tenant and session = :session and slot = :slot;

-- name: remove_before
delete from given_text
where tenant = :tenant and (session, slot) in (
  select session, slot
  from given_text
  where tenant = :tenant and created_at < :before
  order by created_at
  limit :limit
)
returning slot;
