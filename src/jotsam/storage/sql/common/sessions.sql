-- name: listed
-- The sessions whose latest turn was said before a place, the latest first. The names are read one by one from an index,
-- so that the number of turns does not count.
with recursive name (session) as (
  {select.session_names}
)
select m.session, m.project, coalesce(m.said_at, m.created_at) as at
from name
join memory m on m.id = (
  select l.id
  from memory l
  where l.tenant = :tenant and l.session = name.session
  order by coalesce(l.said_at, l.created_at) desc, coalesce(l.position, 0) desc, l.id desc
  limit 1
)
where m.tenant = :tenant and (m.source is null or m.source <> 'git')
  and (cast(:project as text) is null or m.project = :project)
  and (
    cast(:at as bigint) is null or coalesce(m.said_at, m.created_at) < :at
    or (coalesce(m.said_at, m.created_at) = :at and m.session < :before)
  )
order by coalesce(m.said_at, m.created_at) desc, m.session desc
limit :limit;

-- name: starting
-- At most two sessions whose names start with a text.
with recursive name (session) as (
  {select.session_names}
)
select session
from name
where substr(session, 1, length(:prefix)) = :prefix
limit 2;

-- name: latest
-- Where a session ends.
select m.session, m.project, coalesce(m.said_at, m.created_at) as at
from memory m
where m.tenant = :tenant and m.session = :session
order by coalesce(m.said_at, m.created_at) desc, coalesce(m.position, 0) desc, m.id desc
limit 1;

-- name: sizes
select
  m.session, min(coalesce(m.said_at, m.created_at)) as first, max(m.source) as agent,
  count(distinct case when m.document_id is null then m.id else -m.document_id end) as turns,
  count(case when m.enriched_at is null then 1 end) as pending
from memory m
where m.tenant = :tenant and m.session {list.any_text sessions}
group by m.session;

-- name: titles
-- The beginning of what a person said first, or else of the first turn.
with wanted (session) as (
  {list.texts sessions}
)
select
  w.session,
  coalesce(
    (
      select substr(m.body, 1, 1000)
      from memory m
      where m.tenant = :tenant and m.session = w.session and m.actor = 'user'
      order by coalesce(m.said_at, m.created_at), coalesce(m.position, 0), m.id
      limit 1
    ),
    (
      select substr(m.body, 1, 1000)
      from memory m
      where m.tenant = :tenant and m.session = w.session
      order by coalesce(m.said_at, m.created_at), coalesce(m.position, 0), m.id
      limit 1
    )
  ) as body
from wanted w;

-- name: notes
select m.session, count(*) as notes
from memory m
join note n on n.memory_id = m.id and n.tenant || '' = :tenant
where m.tenant = :tenant and m.session {list.any_text sessions}
group by m.session;

-- name: facts
select m.session, count(*) as facts
from memory m
join fact f on f.memory_id = m.id and f.tenant || '' = :tenant
where m.tenant = :tenant and m.session {list.any_text sessions}
group by m.session;

-- name: costs
select
  j.session, cast(sum(l.tokens_in + l.tokens_out) as bigint) as tokens, sum(l.cost) as cost
from (
  select distinct m.session, m.job_id
  from memory m
  where m.tenant = :tenant and m.session {list.any_text sessions}
) j
join ledger l on l.tenant = :tenant and l.job_id = j.job_id and l.job_id > 0
group by j.session;

-- name: turns
-- The turns of a session from a place on, in order. Of a long turn it is the first chunk, with the text of its document.
select
  m.id, m.uuid, m.actor, m.enriched_at, m.superseded_at, m.archived_at, m.document_id, d.uuid as document,
  coalesce(m.said_at, m.created_at) as at, coalesce(m.position, 0) as place, coalesce(d.body, m.body) as text
from memory m
left join document d on d.id = m.document_id and d.tenant || '' = :tenant
where m.tenant = :tenant and m.session = :session
  and coalesce(m.said_at, m.created_at) >= :at
  and (coalesce(m.said_at, m.created_at), coalesce(m.position, 0), m.id) > (:at, :place, :id)
  and (
    m.document_id is null
    or m.position = (
      select min(c.position)
      from memory c
      where c.document_id = m.document_id and c.tenant || '' = :tenant
    )
  )
order by coalesce(m.said_at, m.created_at), coalesce(m.position, 0), m.id
limit :limit;

-- name: chunks
select id, uuid, document_id, enriched_at
from memory
where tenant || '' = :tenant and document_id {list.any_id documents}
order by document_id, position;
