-- name: index
-- Unlike PostgreSQL, where a column of the row holds its lexemes, the index is a table beside both kinds of rows.
insert into words (rowid, body, context, grams)
values (:ref, :body, :context, :grams);

-- name: unindex
delete from words
where rowid = :ref;

-- name: words
-- Unlike PostgreSQL, the words come as an FTS5 expression, and bm25 ranks them; smaller is better, hence the minus.
-- The plus keeps the planner from asking the index once for each row that has its shares.
select words.rowid as ref, -words.rank as score
from words
left join memory m on m.id = words.rowid and m.tenant = :tenant
left join document d on d.id = -words.rowid and d.tenant = :tenant
where words match :match
  and (m.id is not null or d.id is not null)
  and (:shares is null or +words.rowid in (
    select w.rowid
    from json_each(:shares) share
    cross join words w
    where w.words match share.value ->> 0
    group by w.rowid
    having sum(share.value ->> 1) >= 100
  ))
  and (:project is null or coalesce(m.project, d.project) = :project)
  and (:tags is null or exists (
    select 1
    from json_each(:tags) wanted
    join memory_tag t on t.tenant = :tenant and t.tag = wanted.value and t.memory_id = m.id
  ))
  and m.superseded_at is null
  and (m.valid_from is null or m.valid_from <= :now)
  and (m.valid_until is null or m.valid_until > :now)
order by words.rank
limit :limit;

-- name: total
select count(*) as total
from words
left join memory m on m.id = words.rowid and m.tenant = :tenant
left join document d on d.id = -words.rowid and d.tenant = :tenant
where words match :match
  and (m.id is not null or d.id is not null)
  and (:shares is null or +words.rowid in (
    select w.rowid
    from json_each(:shares) share
    cross join words w
    where w.words match share.value ->> 0
    group by w.rowid
    having sum(share.value ->> 1) >= 100
  ))
  and (:project is null or coalesce(m.project, d.project) = :project)
  and (:tags is null or exists (
    select 1
    from json_each(:tags) wanted
    join memory_tag t on t.tenant = :tenant and t.tag = wanted.value and t.memory_id = m.id
  ))
  and m.superseded_at is null
  and (m.valid_from is null or m.valid_from <= :now)
  and (m.valid_until is null or m.valid_until > :now);

-- name: newest
-- What has these tags, or simply the newest, when nothing is asked in words.
select m.id as ref, 1.0 as score
from memory m
where m.tenant = :tenant
  and (:project is null or m.project = :project)
  and (:tags is null or m.id in (
    select t.memory_id
    from json_each(:tags) wanted
    join memory_tag t on t.tenant = :tenant and t.tag = wanted.value
  ))
  and m.superseded_at is null
  and (m.valid_from is null or m.valid_from <= :now)
  and (m.valid_until is null or m.valid_until > :now)
order by m.id desc
limit :limit;

-- name: current
-- How many there are, when nothing is asked in words.
select count(*) as total
from memory m
where m.tenant = :tenant
  and (:project is null or m.project = :project)
  and (:tags is null or m.id in (
    select t.memory_id
    from json_each(:tags) wanted
    join memory_tag t on t.tenant = :tenant and t.tag = wanted.value
  ))
  and m.superseded_at is null
  and (m.valid_from is null or m.valid_from <= :now)
  and (m.valid_until is null or m.valid_until > :now);

-- name: unmatched
-- Which of these references, all of them this tenant's, the words do not find.
select asked.value as ref
from json_each(:refs) asked
where not exists (
    select 1
    from words
    where words match :match and words.rowid = asked.value
  )
  or (:shares is not null and asked.value not in (
    select w.rowid
    from json_each(:shares) share
    cross join words w
    where w.words match share.value ->> 0
    group by w.rowid
    having sum(share.value ->> 1) >= 100
  ));

-- name: rows
-- What a hit shows. The body of a document is left out: it can be very long, and most are not shown.
select
  asked.value as ref,
  coalesce(m.uuid, d.uuid) as uuid,
  m.body as body,
  coalesce(m.project, d.project) as project,
  coalesce(m.source, d.source) as source,
  coalesce(m.section, '') as section,
  coalesce(m.actor, d.actor) as actor,
  m.own_id as own_id,
  coalesce(m.said_at, d.date, m.created_at, d.created_at) as date,
  (select json_group_array(t.tag order by t.tag) from memory_tag t where t.memory_id = m.id) as tags
from json_each(:refs) asked
left join memory m on m.id = asked.value and m.tenant = :tenant
left join document d on d.id = -asked.value and d.tenant = :tenant and d.cut_at is null
where (m.id is not null or d.id is not null)
  and (:project is null or coalesce(m.project, d.project) = :project)
  and (:tags is null or exists (
    select 1
    from json_each(:tags) wanted
    join memory_tag t on t.tenant = :tenant and t.tag = wanted.value and t.memory_id = m.id
  ))
  and m.superseded_at is null
  and (m.valid_from is null or m.valid_from <= :now)
  and (m.valid_until is null or m.valid_until > :now);
