-- name: save
insert into document (uuid, tenant, project, source, key, actor, session, date, date_by, body, job_id, created_at)
values (:uuid, :tenant, :project, :source, :key, :actor, :session, :date, :date_by, :body, :job_id, :now)
returning id;

-- name: by_key
select uuid, job_id
from document
where tenant = :tenant and key = :key;

-- name: unchanged
-- The newest document of a source, if it has this very text.
select uuid, job_id
from document
where id = (
    select max(id)
    from document
    where tenant = :tenant and source = :source and project is not distinct from cast(:project as text)
  )
  and body = :body;

-- name: get
select
  id, uuid, tenant, project, source, actor, session, date, date_by, body, job_id, created_at, cut_at, superseded_at,
  superseded_by
from document
where tenant = :tenant and uuid = :uuid;

-- name: find
select uuid
from document
where tenant = :tenant and uuid >= :low and uuid < :high
limit 2;

-- name: by_ids
select id, uuid, project, source, actor, date, body, created_at
from document
where tenant = :tenant and id = :id;

-- name: cut
update document
set cut_at = :now
where id = :id;

-- name: beside
-- A text, with those of its source that come just before and after it, of all that are cut: in order of their dates
-- where callers gave dates, and as they arrived where one has none; so a text without a date comes after all that were
-- there before it, and before all that came after it.
with known as (
  select id, date, created_at, cut_at, case when date_by is null then date end as given,
    max(case when date is null or date_by is not null then id else 0 end) over (order by id) as since
  from document
  where tenant = :tenant and source = :source and project is not distinct from cast(:project as text)
),
ordered as (
  select id, date, created_at, row_number() over (order by since, given is not null, given, id) as place
  from known
  where cut_at is not null
)
select o.id, coalesce(o.date, o.created_at) as date, o.created_at, o.place - mine.place as step
from ordered mine
join ordered o on o.place between mine.place - 1 and mine.place + 1
where mine.id = :id;

-- name: supersede
update document
set superseded_at = :at, superseded_by = :by
where tenant = :tenant and id = :id;

-- name: restore
update document
set superseded_at = null, superseded_by = null
where tenant = :tenant and id = :id;

-- name: heirs
-- What holds in the place of a document, and in the place of that, and so on: at most a hundred steps.
with recursive heir (id, step) as (
  select superseded_by, 1
  from document
  where tenant = :tenant and id = :id
  union
  select d.superseded_by, h.step + 1
  from heir h
  join document d on d.id = h.id
  where h.step < 100
)
select d.id, d.uuid
from heir h
join document d on d.id = h.id
order by h.step;

-- name: count
select count(*) as documents
from document
where tenant = :tenant;

-- name: forget_tenant
delete from document
where tenant = :tenant;

-- name: numbers
select id
from document
where tenant = :tenant;

-- name: uncut
-- Whose whole text stands in the index of words.
select id, body, project, source, actor
from document
where tenant = :tenant and cut_at is null and id > :after
order by id
limit :limit;
