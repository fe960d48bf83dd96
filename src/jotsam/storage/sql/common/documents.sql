-- name: save
insert into document (
  uuid, tenant, project, joined_from, source, key, actor, session, date, date_by, body, job_id, created_at
)
values (
  :uuid, :tenant, :project, :joined_from, :source, :key, :actor, :session, :date, :date_by, :body, :job_id, :now
)
returning id;

-- name: by_key
select id, uuid, job_id, cut_at as processed_at
from document
where tenant = :tenant and key = :key;

-- name: unchanged
-- The newest document of a source, if its text is the same.
select id, uuid, job_id, cut_at as processed_at
from document
where id = (
    select max(id)
    from document
    where tenant = :tenant and source = :source and project is not distinct from cast(:project as text)
      and actor is not distinct from cast(:actor as text)
  )
  and body = :body;

-- name: get
select
  id, uuid, tenant, project, source, actor, session, date, date_by, body, job_id, created_at, cut_at, superseded_at,
  superseded_by
from document
where tenant = :tenant and uuid = :uuid;

-- name: by_prefix
select uuid
from document
where tenant = :tenant and uuid >= :low and uuid < :high
limit 2;

-- name: by_number
select id, uuid, project, source, actor, date, body, created_at
from document
where tenant = :tenant and id = :id;

-- name: mark_chunked
update document
set cut_at = :now
where tenant = :tenant and id = :id;

-- name: adjacent
-- A chunked document with the chunked documents of its source just before and after it. The order is by date if callers
-- gave dates. A document without a date comes after all that were stored before it, and before all stored after it.
with known as (
  select id, date, created_at, cut_at, case when date_by is null then date end as given,
    max(case when date is null or date_by is not null then id else 0 end) over (order by id) as since
  from document
  where tenant = :tenant and source = :source and project is not distinct from cast(:project as text)
    and actor is not distinct from (select mine.actor from document mine where mine.tenant = :tenant and mine.id = :id)
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

-- name: successors
-- What supersedes a document, directly and indirectly, in at most 100 steps.
with recursive successor (id, step) as (
  select superseded_by, 1
  from document
  where tenant = :tenant and id = :id
  union
  select d.superseded_by, s.step + 1
  from successor s
  join document d on d.id = s.id
  where s.step < 100
)
select d.id, d.uuid
from successor s
join document d on d.id = s.id and d.tenant = :tenant
order by s.step;

-- name: count
select count(*) as documents
from document
where tenant = :tenant;

-- name: ids
select id
from document
where tenant = :tenant;

-- name: unchunked
-- Documents that are not chunked yet: the text index holds their whole text.
select id, body, project, source, actor
from document
where tenant = :tenant and cut_at is null and id > :after
order by id
limit :limit;

-- name: discarded
-- A page of documents that are not chunked and have no job that would do it, because it was discarded.
select d.id, d.uuid
from document d
where d.tenant = :tenant and d.cut_at is null and d.id > :after
  and not exists (select 1 from queue_job j where j.id = d.job_id)
  and (cast(:uuid as text) is null or d.uuid = :uuid)
  and (cast(:project as text) is null or d.project = :project)
  and (cast(:source as text) is null or d.source = :source)
order by d.id
limit :limit;

-- name: set_ingest_job
update document
set job_id = :job_id
where tenant = :tenant and id = :id;

-- name: newer
-- A newer document of the same source, which supersedes a memory or a document as soon as the whole source is chunked.
-- For a memory it must be unchunked; for an unchunked document it may be any. Dates count only if callers gave both.
with asked_memory (id) as materialized (
  {list.ids memories}
),
asked_document (id) as materialized (
  {list.ids documents}
)
select m.id as ref, n.uuid
from asked_memory asked
cross join memory m
join document o on o.id = m.document_id
join document n on n.tenant = :tenant and n.source = o.source and n.project is not distinct from o.project
  and n.actor is not distinct from o.actor
  and n.cut_at is null and n.superseded_at is null
where m.id = asked.id and m.tenant = :tenant and m.superseded_at is null
  and case when n.date_by is null and o.date_by is null and n.date <> o.date then n.date > o.date else n.id > o.id end
union all
select -d.id, n.uuid
from asked_document asked
cross join document d
join document n on n.tenant = :tenant and n.source = d.source and n.project is not distinct from d.project
  and n.actor is not distinct from d.actor
  and n.superseded_at is null
where d.id = asked.id and d.tenant = :tenant and d.cut_at is null
  and case when n.date_by is null and d.date_by is null and n.date <> d.date then n.date > d.date else n.id > d.id end;

-- name: of_job
-- The tenant is concatenated so that planners use the number of the job.
select uuid
from document
where tenant || '' = :tenant and job_id = :job_id;

-- name: by_project
select project, count(*) as documents, min(coalesce(date, created_at)) as first, max(coalesce(date, created_at)) as last
from document
where tenant = :tenant and project is not null
group by project;

-- name: listed
-- Documents among the `examined` ones stored before an id, the newest first, each with its state and the job that splits
-- it, if that exists. The text can be long, so it is read only of documents without a source, to name them.
select *
from (
  select
    d.id, d.uuid, d.project, d.source, d.actor, d.session, d.date, d.created_at, d.superseded_at, d.job_id,
    case when d.source is null then substr(d.body, 1, 200) end as beginning,
    case
      when d.cut_at is not null then 'ingested'
      when j.id is null then 'discarded'
      when j.state = 'dead' then 'dead'
      when j.failures > 0 then 'failed'
      else 'pending'
    end as state,
    j.error, j.wake_at
  from (
    select id
    from document
    where tenant = :tenant and id < :before and (:unchunked = 0 or cut_at is null)
    order by id desc
    limit :examined
  ) latest
  join document d on d.id = latest.id
  left join queue_job j on j.id = d.job_id
  where d.tenant || '' = :tenant
) found
where (cast(:project as text) is null or project = :project)
  and (cast(:words as text) is null or lower(source) like :words escape '\' or source like :spelled escape '\')
  and (cast(:state as text) is null or state = :state)
order by id desc
limit :limit;

-- name: last_examined
-- The oldest document that `listed` examines, if there are as many.
select id
from document
where tenant = :tenant and id < :before and (:unchunked = 0 or cut_at is null)
order by id desc
limit 1 offset :examined - 1;

-- name: progress
-- Of documents, how many chunks are memories, enriched, superseded, and not enriched because their job is dead.
select
  m.document_id, count(*) as chunks, count(m.enriched_at) as enriched, count(m.superseded_at) as superseded,
  count(case when j.state = 'dead' and m.enriched_at is null then 1 end) as dead
from memory m
left join queue_job j on j.id = m.job_id
where m.document_id {list.any_id ids} and m.tenant || '' = :tenant
group by m.document_id;
