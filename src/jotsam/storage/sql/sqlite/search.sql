-- name: expression
-- Unlike PostgreSQL, the index is asked in the language of FTS5. Every term is in quotes, so nothing that somebody
-- types is ever an operator there. A single character is asked as a beginning. `shares` says what each part weighs.
with wanted as (
  select 0 as place, 0 as key, '{body context} : (' || group_concat('"' || value || '"', ' OR ' order by key) || ')' as part,
    100 as share
  from json_each(:words)
  having count(*) > 0
),
gram as (
  select 1 as place, g.key, '"' || g.value || iif(length(g.value) = 1, '" *', '"') as part, s.value as share
  from json_each(:grams) g
  left join json_each(:shares) s on s.key = g.key
)
select
  (
    select group_concat(part, ' OR ' order by place)
    from (
      select place, part
      from wanted
      union all
      select place, 'grams : (' || group_concat(part, ' OR ' order by key) || ')'
      from gram
      group by place
    )
  ) as "match",
  (
    select json_group_array(json_array(part, share) order by place, key)
    from (
      select place, key, 'grams : (' || part || ')' as part, share
      from gram
      union all
      select place, key, part, share
      from wanted
    )
    where json_array_length(:shares) > 0
    having count(*) > 0
  ) as shares;

-- name: index
-- Unlike PostgreSQL, the index is one of FTS5 and holds a text of any length in one row; it knows no tenant.
insert into words (rowid, body, context, grams)
values (:ref, :body, :context, :grams);

-- name: unindex
-- Unlike PostgreSQL, a text is one row.
delete from words
where rowid = :ref;

-- name: words
-- Unlike PostgreSQL, bm25 ranks what is found, and counts smaller as better, hence the minus.
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
-- Unlike PostgreSQL, the index is FTS5.
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
-- Unlike PostgreSQL, a list is unfolded by json_each.
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
-- Unlike PostgreSQL, a list is unfolded by json_each.
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
-- Unlike PostgreSQL, the index is FTS5.
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
-- Unlike PostgreSQL, a list is unfolded by json_each.
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
