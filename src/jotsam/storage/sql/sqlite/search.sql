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
    select json_group_array(part)
    from (
      select '{body context} : ("' || value || '")' as part
      from json_each(:words)
      union all
      select 'grams : (' || part || ')'
      from gram
    )
  ) as terms,
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
-- All that is found is looked up in an index that holds what decides whether it may be shown, and counted apart: with a
-- window, or in the table itself, that took half as long again. Documents that wait are few, below zero, and asked apart.
-- The plus keeps the planner from asking the index once for each row that has its shares.
-- bm25 counts the texts of all tenants, and a word that more than half of them have is worth nothing to it. While a file
-- holds few texts, that is most of what can be asked: then each term is ranked alone, and weighed by how few texts of
-- this tenant have it, as PostgreSQL does. Among many it takes twice as long, and such words say little.
with few as materialized (
  select count(*) as number
  from (select 1 from words_docsize limit 2001)
),
hit as materialized (
  select term.key as place, words.rowid as ref, -words.rank as rank,
    exists (select 1 from memory m where m.id = words.rowid and m.tenant = :tenant)
      or exists (select 1 from document d where d.id = -words.rowid and d.tenant = :tenant) as is_own
  from few
  cross join json_each(:terms) term
  cross join words
  where few.number <= 2000 and words match term.value
),
texts as materialized (
  select number as every,
    (select count(*) from memory where tenant = :tenant)
      + (select count(*) from document where tenant = :tenant and cut_at is null) as own
  from few
  where number <= 2000
),
rarity as materialized (
  select counted.place,
    ln(1 + (texts.own - counted.own + 0.5) / (counted.own + 0.5))
      / max(1e-6, ln((texts.every - counted.every + 0.5) / (counted.every + 0.5))) as weight
  from (select place, count(*) as every, sum(is_own) as own from hit group by place) counted
  cross join texts
),
weighed as materialized (
  select hit.ref, round(sum(hit.rank * rarity.weight), 9) as score
  from hit
  join rarity on rarity.place = hit.place
  where hit.is_own
  group by hit.ref
),
found as materialized (
  select words.rowid as ref, -words.rank as score
  from words
  cross join memory m indexed by memory_tenant
  where words match :match and words.rowid > 0 and m.tenant = :tenant and m.id = words.rowid
    and (:shares is null or +words.rowid in (
      select w.rowid
      from json_each(:shares) share
      cross join words w
      where w.words match share.value ->> 0
      group by w.rowid
      having sum(share.value ->> 1) >= 100
    ))
    and {shown.memory}
  union all
  select words.rowid, -words.rank
  from words
  cross join document d
  where words match :match and words.rowid < 0 and d.tenant = :tenant and d.id = -words.rowid
    and (:shares is null or +words.rowid in (
      select w.rowid
      from json_each(:shares) share
      cross join words w
      where w.words match share.value ->> 0
      group by w.rowid
      having sum(share.value ->> 1) >= 100
    ))
    and {shown.document}
)
select found.ref, coalesce(weighed.score, found.score) as score, (select count(*) from found) as total
from found
left join weighed on weighed.ref = found.ref
order by 2 desc, found.ref desc
limit :limit;

-- name: telling
-- Unlike PostgreSQL, min and max compare, and the index is named, for the planner would begin at the other end.
-- What names a time that overlaps with the one asked for, and which part of the time that it names lies within. What names
-- more than `longest` says too little of any time within that.
select ref, max(part) as part
from (
  select p.memory_id as ref, (min(p.until, :until) - max(p.first, :since)) * 1.0 / (p.until - p.first) as part
  from period p indexed by period_named
  where p.tenant = :tenant and p.named = 1 and p.first > :since - :longest and p.first < :until
    and p.until > :since and p.until - p.first <= :longest
)
join memory m on m.id = ref
where {shown.memory}
group by ref
order by part desc, ref desc
limit :limit;

-- name: said
-- Unlike PostgreSQL, the index is named, for the planner would take another.
-- What was said within a time, the latest first.
select m.id as ref
from memory m indexed by memory_said
where m.tenant = :tenant
  and coalesce(m.said_at, m.created_at) >= :since and coalesce(m.said_at, m.created_at) < :until
  and {shown.memory}
order by coalesce(m.said_at, m.created_at) desc
limit :limit;

-- name: named
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- The times that references name themselves.
select p.memory_id as ref, p.first, p.until
from json_each(:refs) asked
cross join period p
where p.memory_id = asked.value and p.named = 1;

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

-- name: narrow
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- All that has the tags, types, session and time asked for; what tells of a time is as good as what was said then. A tag
-- stands in a group, and of each group one must be there.
select m.id as ref
from memory m
where m.tenant = :tenant
  and (:types is null or lower(m.type) in (select lower(value) from json_each(:types)))
  and (:session is null or m.session = :session)
  and (
    ((:since is null or coalesce(m.said_at, m.created_at) >= :since)
      and (:until is null or coalesce(m.said_at, m.created_at) < :until))
    or exists (
      select 1
      from period p
      where p.memory_id = m.id and p.named = 1
        and (:since is null or p.until > :since) and (:until is null or p.first < :until)
    )
  )
  and (:tags is null or m.id in (
    select t.memory_id
    from json_each(:tags) wanted
    join memory_tag t on t.tenant = :tenant and lower(t.tag) = lower(wanted.value ->> 1)
    group by t.memory_id
    having count(distinct wanted.value ->> 0) = :groups
  ))
  and (:without is null or m.id not in (
    select t.memory_id
    from json_each(:without) unwanted
    join memory_tag t on t.tenant = :tenant and lower(t.tag) = lower(unwanted.value)
  ))
union all
select -d.id
from document d
where d.tenant = :tenant and d.cut_at is null
  and :types is null and :tags is null
  and (:session is null or d.session = :session)
  and (:since is null or coalesce(d.date, d.created_at) >= :since)
  and (:until is null or coalesce(d.date, d.created_at) < :until);

-- name: about
-- Unlike PostgreSQL, lists are unfolded by json_each. What memories, and documents that wait to be cut, are judged by;
-- those that may not be shown are left out.
select
  m.id as ref,
  m.body as body,
  m.project as project,
  m.actor as actor,
  m.session as session,
  m.document_id as document_id,
  coalesce(m.said_at, m.valid_from, m.created_at) as date
from json_each(:memories) asked
cross join memory m
where m.id = asked.value and m.tenant = :tenant and {shown.memory}
union all
select -d.id, null, d.project, d.actor, null, null, coalesce(d.date, d.created_at)
from json_each(:documents) asked
cross join document d
where d.id = asked.value and d.tenant = :tenant and d.cut_at is null and {shown.document};

-- name: beside
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What stands one and two steps before and after a reference in the order in which it was said; a memory that was
-- handed in alone has looser links to earlier ones, of less weight.
select
  asked.value as ref,
  second_before.target_id as second_before,
  before.target_id as before,
  after.source_id as after,
  second_after.source_id as second_after
from json_each(:refs) asked
left join link before on before.source_id = asked.value and before.type = 'PRECEDED_BY' and before.weight = 1
left join link second_before
  on second_before.source_id = before.target_id and second_before.type = 'PRECEDED_BY' and second_before.weight = 1
left join link after on after.target_id = asked.value and after.type = 'PRECEDED_BY' and after.weight = 1
left join link second_after
  on second_after.target_id = after.source_id and second_after.type = 'PRECEDED_BY' and second_after.weight = 1
where before.target_id is not null or after.source_id is not null;

-- name: sharing
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What shares an entity with a reference, whatever kind of thing each reader took it for; an entity that more memories
-- mention than `most` joins nothing.
with mine as materialized (
  select distinct n.memory_id as seed, e.slug, e.name
  from json_each(:refs) asked
  cross join mention n
  join entity e on e.id = n.entity_id
  where n.memory_id = asked.value
),
common as materialized (
  select mine.slug, (
    select count(*)
    from (
      select 1
      from entity e
      join mention c on c.entity_id = e.id
      where e.tenant = :tenant and e.slug = mine.slug
      limit :most + 1
    )
  ) as mentions
  from mine
  group by mine.slug
)
select mine.seed, mine.name as entity, common.mentions, other.memory_id as ref
from mine
join common on common.slug = mine.slug
join entity e on e.tenant = :tenant and e.slug = mine.slug
join mention other on other.entity_id = e.id and other.memory_id <> mine.seed
where common.mentions between 2 and :most;

-- name: titled
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What is called as an entity that a reference mentions, when at most `most` are.
with mine as materialized (
  select distinct n.memory_id as seed, e.slug, e.name
  from json_each(:refs) asked
  cross join mention n
  join entity e on e.id = n.entity_id
  where n.memory_id = asked.value
),
common as materialized (
  select mine.slug, (
    select count(*)
    from (
      select 1
      from title t
      where t.tenant = :tenant and t.slug = mine.slug
      limit :most + 1
    )
  ) as bearers
  from mine
  group by mine.slug
)
select mine.seed, mine.name as entity, common.bearers, t.memory_id as ref
from mine
join common on common.slug = mine.slug
join title t on t.tenant = :tenant and t.slug = mine.slug and t.memory_id <> mine.seed
where common.bearers between 1 and :most;

-- name: called
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What is called by one of these names; of a name that more bear than `most`, one more than that.
select t.slug, t.memory_id as ref
from json_each(:slugs) asked
cross join title t
where t.tenant = :tenant and t.slug = asked.value
  and t.memory_id <= (
    select max(memory_id)
    from (
      select o.memory_id
      from title o
      where o.tenant = :tenant and o.slug = asked.value
      order by o.memory_id
      limit :most + 1
    )
  );

-- name: related
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What a link joins to a reference, in either direction; the order in which things were said has a query of its own.
select l.source_id as seed, l.type, l.weight, l.target_id as ref, 0 as outgoing
from json_each(:refs) asked
cross join link l
where l.source_id = asked.value and l.type <> 'PRECEDED_BY' and l.weight >= :least
union all
select l.target_id, l.type, l.weight, l.source_id, 1
from json_each(:refs) asked
cross join link l
where l.target_id = asked.value and l.type <> 'PRECEDED_BY' and l.weight >= :least;

-- name: contradicting
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- Which of the references contradict each other, in both directions.
with pair as materialized (
  select l.source_id, l.target_id
  from json_each(:refs) asked
  cross join link l
  where l.source_id = asked.value and l.type = 'CONTRADICTS' and l.target_id in (select value from json_each(:refs))
)
select source_id as ref, target_id as other
from pair
union
select target_id, source_id
from pair;

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
  m.own_id as external_id,
  m.type as type,
  m.importance as importance,
  coalesce(m.session, d.session) as session,
  m.position as position,
  m.line as line,
  coalesce(m.job_id, d.job_id) as job_id,
  m.valid_from as valid_from,
  m.valid_until as valid_until,
  coalesce(m.superseded_at, d.superseded_at) as superseded_at,
  heir.uuid as superseded_by,
  exists (select 1 from memory o where o.superseded_by = m.id) as is_heir,
  coalesce(m.said_at, d.date, m.created_at, d.created_at) as date,
  parent.uuid as document,
  (select json_group_array(t.tag order by t.tag) from memory_tag t where t.memory_id = m.id) as tags
from json_each(:refs) asked
left join memory m on m.id = asked.value and m.tenant = :tenant
left join memory heir on heir.id = m.superseded_by
left join document parent on parent.id = m.document_id
left join document d on d.id = -asked.value and d.tenant = :tenant and d.cut_at is null
where m.id is not null or d.id is not null;

-- name: replaced
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- What the references have taken the place of, and what that had: nearest first, at most eight steps.
with recursive before (ref, old, step) as (
  select asked.value, m.id, 1
  from json_each(:refs) asked
  cross join memory m
  where m.superseded_by = asked.value
  union
  select b.ref, m.id, b.step + 1
  from before b
  join memory m on m.superseded_by = b.old
  where b.step < 8 and m.id <> b.ref
)
select b.ref, m.uuid, min(b.step) as step
from before b
join memory m on m.id = b.old and m.tenant || '' = :tenant
group by b.ref, m.uuid
order by step, m.uuid;
