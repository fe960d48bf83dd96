-- name: expression
-- Unlike SQLite, the index is asked by tsqueries, one for each term, of lexemes with the tenant's tag: words by their
-- stems, pairs of characters as they are behind a dot, as `index` has put them there. A single character is asked as a
-- beginning. A word of 2,000 bytes and more is not in the index. `shares` says what each term weighs.
with word as (
  select place, regexp_replace(
    cast(phraseto_tsquery('jotsam', bare(value)) as text), '''([^'']+)''', '''' || tag() || '\1''', 'g'
  ) as part
  from json_array_elements_text(cast(:words as json)) with ordinality asked (value, place)
  where octet_length(value) < 2000
),
gram as (
  select
    g.place,
    '''' || tag() || '.' || g.value || case when length(g.value) = 1 then ''':*' else '''' end as part,
    cast(s.value as bigint) as share
  from json_array_elements_text(cast(:grams as json)) with ordinality g (value, place)
  left join json_array_elements_text(cast(:shares as json)) with ordinality s (value, place) on s.place = g.place
),
every as (
  select part
  from word
  where part <> ''
  union
  select part
  from gram
)
select
  coalesce((select '(' || string_agg(part, ') | (' order by part) || ')' from every), '') as "match",
  coalesce((select cast(json_agg(part order by part) as text) from every), '[]') as terms,
  (
    select cast(json_agg(json_build_array(part, share)) as text)
    from (
      select part, share
      from gram
      union all
      select distinct part, 100
      from word
      where part <> ''
    ) both_kinds
    where json_array_length(cast(:shares as json)) > 0
    having count(*) > 0
  ) as shares;

-- name: index
-- Unlike SQLite, a text is cut into parts of a hundred thousand characters, for a tsvector holds at most a megabyte.
-- They overlap, so that a word on the border is whole in one of them. Pairs of characters are no words of any language,
-- and so no parser is asked about them; a dot keeps them apart from words, which have none.
insert into words (ref, part, lexemes)
select
  :ref,
  part,
  tagged(
    setweight(to_tsvector('jotsam', bare(substr(:body, part * 100000 + 1, 100100))), 'A')
      || setweight(to_tsvector('jotsam', bare(case when part = 0 then :context else '' end)), 'B')
  )
    || coalesce(
      (
        select cast(string_agg('''' || tag() || '.' || gram || ''':' || least(place, 16383) || 'C', ' ') as tsvector)
        from unnest(string_to_array(substr(:grams, part * 99999 + 1, 99999), ' ')) with ordinality pair (gram, place)
        where gram <> ''
      ),
      ''
    )
from generate_series(0, greatest((length(:body) - 1) / 100000, (length(:grams) - 1) / 99999, 0)) part;

-- name: unindex
-- Unlike SQLite, the row-level security of the table adds the tenant.
delete from words
where ref = :ref;

-- name: words
-- Unlike SQLite, where bm25 does it all, ts_rank knows how often a word occurs and nothing of how rare it is: so each
-- part of the question is ranked alone, and weighed by how few texts of this tenant have it, as bm25 does.
-- Each step is kept, for the planner does not know how much a question finds, and would take every step anew for each
-- row of the one before. For the same reason what may be shown is not joined: it is added up with the scores, which
-- takes as long as there are rows, whatever the planner thinks.
with found as materialized (
  select ref, place, max(rank) as rank
  from fitting(:terms)
  group by ref, place
),
texts as materialized (
  select
    (select count(*) from memory where tenant = :tenant)
      + (select count(*) from document where tenant = :tenant and cut_at is null) as number
),
rarity as materialized (
  select counted.place, ln(1 + (t.number - counted.number + 0.5) / (counted.number + 0.5)) as weight
  from (
    select place, count(*) as number
    from found
    group by place
  ) counted
  cross join texts t
),
enough as materialized (
  select f.ref
  from found f
  join (
    select t.place, cast(share.value ->> 1 as bigint) as weight
    from json_array_elements(cast(:shares as json)) share (value)
    join json_array_elements_text(cast(:terms as json)) with ordinality t (value, place) on t.value = share.value ->> 0
  ) part on part.place = f.place
  group by f.ref
  having sum(part.weight) >= 100
),
ranked as materialized (
  select ref, round(sum(score) * 1e9) / 1e9 as score
  from (
    select f.ref, f.rank * r.weight as score, 0 as shown
    from found f
    join rarity r on r.place = f.place
    union all
    select m.id, 0, 1
    from memory m
    where m.tenant = :tenant and m.id = any (array(select ref from found where ref > 0)) and {shown.memory}
    union all
    select -d.id, 0, 1
    from document d
    where d.tenant = :tenant and d.id = any (array(select -ref from found where ref < 0)) and {shown.document}
  ) added
  where cast(:shares as text) is null or ref in (select ref from enough)
  group by ref
  having max(shown) = 1
)
select ref, score, (select count(*) from ranked) as total
from ranked
order by score desc, ref desc
limit :limit;

-- name: telling
-- Unlike SQLite, least and greatest compare.
-- What names a time that overlaps with the one asked for, and which part of the time that it names lies within. What names
-- more than `longest` says too little of any time within that.
select
  m.id as ref,
  max(cast(least(p.until, cast(:until as bigint)) - greatest(p.first, cast(:since as bigint)) as double precision)
    / (p.until - p.first)) as part
from period p
join memory m on m.id = p.memory_id
where p.tenant = :tenant and p.named = 1
  and p.first > cast(:since as bigint) - cast(:longest as bigint) and p.first < :until
  and p.until > :since and p.until - p.first <= :longest
  and {shown.memory}
group by m.id
order by part desc, ref desc
limit :limit;

-- name: said
-- Unlike SQLite, no index can be named, and none has to be.
-- What was said within a time, the latest first.
select m.id as ref
from memory m
where m.tenant = :tenant
  and coalesce(m.said_at, m.created_at) >= :since and coalesce(m.said_at, m.created_at) < :until
  and {shown.memory}
order by coalesce(m.said_at, m.created_at) desc
limit :limit;

-- name: named
-- Unlike SQLite, a list is unfolded by json_array_elements_text.
-- The times that references name themselves.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select p.memory_id as ref, p.first, p.until
from asked
join period p on p.memory_id = asked.ref and p.named = 1;

-- name: unmatched
-- Unlike SQLite, the index is asked by a tsquery. Which of these references, all of them this tenant's, the words do
-- not find.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select asked.ref
from asked
where not exists (
    select 1
    from words w
    where w.ref = asked.ref and w.lexemes @@ cast(:match as tsquery)
  )
  or (cast(:shares as text) is not null and 100 > (
    select coalesce(sum(part.weight), 0)
    from (
      select distinct share.place, cast(share.value ->> 1 as bigint) as weight
      from json_array_elements(cast(:shares as json)) with ordinality share (value, place)
      join words w on w.ref = asked.ref and w.lexemes @@ cast(share.value ->> 0 as tsquery)
    ) part
  ));

-- name: narrow
-- Unlike SQLite, a list is unfolded by json_array_elements_text. All that has the tags, types, session and time asked
-- for; what tells of a time is as good as what was said then. A tag stands in a group, and of each group one must be there.
select m.id as ref
from memory m
where m.tenant = :tenant
  and (cast(:types as text) is null or lower(m.type) in (
    select lower(value)
    from json_array_elements_text(cast(:types as json)) asked (value)
  ))
  and (cast(:session as text) is null or m.session = :session)
  and (
    ((cast(:since as bigint) is null or coalesce(m.said_at, m.created_at) >= :since)
      and (cast(:until as bigint) is null or coalesce(m.said_at, m.created_at) < :until))
    or exists (
      select 1
      from period p
      where p.memory_id = m.id and p.named = 1
        and (cast(:since as bigint) is null or p.until > :since) and (cast(:until as bigint) is null or p.first < :until)
    )
  )
  and (cast(:tags as text) is null or m.id in (
    select t.memory_id
    from json_array_elements(cast(:tags as json)) wanted (value)
    join memory_tag t on t.tenant = :tenant and lower(t.tag) = lower(wanted.value ->> 1)
    group by t.memory_id
    having count(distinct wanted.value ->> 0) = :groups
  ))
  and (cast(:without as text) is null or m.id not in (
    select t.memory_id
    from json_array_elements_text(cast(:without as json)) unwanted (value)
    join memory_tag t on t.tenant = :tenant and lower(t.tag) = lower(unwanted.value)
  ))
union all
select -d.id
from document d
where d.tenant = :tenant and d.cut_at is null
  and cast(:types as text) is null and cast(:tags as text) is null
  and (cast(:session as text) is null or d.session = :session)
  and (cast(:since as bigint) is null or coalesce(d.date, d.created_at) >= :since)
  and (cast(:until as bigint) is null or coalesce(d.date, d.created_at) < :until);

-- name: about
-- Unlike SQLite, lists are unfolded by json_array_elements_text, into arrays, of which the planner takes no guess for a
-- reason to read the whole table. What memories, and documents that wait to be cut, are judged by; those that may not be
-- shown are left out.
select
  m.id as ref,
  m.body as body,
  m.project as project,
  m.actor as actor,
  m.session as session,
  m.document_id as document_id,
  coalesce(m.said_at, m.valid_from, m.created_at) as date
from memory m
where m.id = any (array(
    select cast(value as bigint)
    from json_array_elements_text(cast(:memories as json)) asked (value)
  ))
  and m.tenant = :tenant and {shown.memory}
union all
select -d.id, null, d.project, d.actor, null, null, coalesce(d.date, d.created_at)
from document d
where d.id = any (array(
    select cast(value as bigint)
    from json_array_elements_text(cast(:documents as json)) asked (value)
  ))
  and d.tenant = :tenant and d.cut_at is null and {shown.document};

-- name: beside
-- Unlike SQLite, a list is unfolded by json_array_elements_text. What stands one and two steps before and after a
-- reference in the order in which it was said; a memory that was handed in alone has looser links to earlier ones, of
-- less weight.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select
  asked.ref,
  second_before.target_id as second_before,
  before.target_id as before,
  after.source_id as after,
  second_after.source_id as second_after
from asked
left join link before on before.source_id = asked.ref and before.type = 'PRECEDED_BY' and before.weight = 1
left join link second_before
  on second_before.source_id = before.target_id and second_before.type = 'PRECEDED_BY' and second_before.weight = 1
left join link after on after.target_id = asked.ref and after.type = 'PRECEDED_BY' and after.weight = 1
left join link second_after
  on second_after.target_id = after.source_id and second_after.type = 'PRECEDED_BY' and second_after.weight = 1
where before.target_id is not null or after.source_id is not null;

-- name: sharing
-- Unlike SQLite, a list is unfolded by json_array_elements_text. What shares an entity with a reference, whatever kind
-- of thing each reader took it for; an entity that more memories mention than `most` joins nothing.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
),
mine as materialized (
  select distinct n.memory_id as seed, e.slug, e.name
  from asked
  join mention n on n.memory_id = asked.ref
  join entity e on e.id = n.entity_id
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
    ) counted
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
-- Unlike SQLite, a list is unfolded by json_array_elements_text.
-- What is called as an entity that a reference mentions, when at most `most` are.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
),
mine as materialized (
  select distinct n.memory_id as seed, e.slug, e.name
  from asked
  join mention n on n.memory_id = asked.ref
  join entity e on e.id = n.entity_id
),
common as materialized (
  select mine.slug, (
    select count(*)
    from (
      select 1
      from title t
      where t.tenant = :tenant and t.slug = mine.slug
      limit :most + 1
    ) counted
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
-- Unlike SQLite, a subquery may look at what stands before it, and a list is unfolded by json_array_elements_text.
-- What is called by one of these names; of a name that more bear than `most`, one more than that.
select t.slug, t.memory_id as ref
from json_array_elements_text(cast(:slugs as json)) asked (value)
cross join lateral (
  select o.slug, o.memory_id
  from title o
  where o.tenant = :tenant and o.slug = asked.value
  order by o.memory_id
  limit cast(:most as bigint) + 1
) t;

-- name: related
-- Unlike SQLite, a list is unfolded by json_array_elements_text. What a link joins to a reference, in either direction;
-- the order in which things were said has a query of its own.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select l.source_id as seed, l.type, l.weight, l.target_id as ref, 0 as outgoing
from asked
join link l on l.source_id = asked.ref and l.type <> 'PRECEDED_BY' and l.weight >= :least
union all
select l.target_id, l.type, l.weight, l.source_id, 1
from asked
join link l on l.target_id = asked.ref and l.type <> 'PRECEDED_BY' and l.weight >= :least;

-- name: contradicting
-- Unlike SQLite, a list is unfolded by json_array_elements_text. Which of the references contradict each other, in both
-- directions.
with asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
),
pair as materialized (
  select l.source_id, l.target_id
  from asked
  join link l on l.source_id = asked.ref and l.type = 'CONTRADICTS'
  where l.target_id in (select ref from asked)
)
select source_id as ref, target_id as other
from pair
union
select target_id, source_id
from pair;

-- name: rows
-- Unlike SQLite, lists are unfolded and folded by functions of other names. What a hit shows. The body of a document is
-- left out: it can be very long, and most are not shown.
with asked as materialized (
  select cast(value as bigint) as ref, -cast(value as bigint) as document_id
  from json_array_elements_text(cast(:refs as json)) given (value)
)
select
  asked.ref,
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
  coalesce(
    (select cast(json_agg(t.tag order by t.tag) as text) from memory_tag t where t.memory_id = m.id), '[]'
  ) as tags
from asked
left join lateral (
  select *
  from memory m
  where m.id = asked.ref and m.tenant = :tenant
  offset 0
) m on true
left join memory heir on heir.id = m.superseded_by
left join document parent on parent.id = m.document_id
left join lateral (
  select *
  from document d
  where d.id = asked.document_id and d.tenant = :tenant and d.cut_at is null
  offset 0
) d on true
where m.id is not null or d.id is not null;

-- name: replaced
-- Unlike SQLite, a list is unfolded by json_array_elements_text. What the references have taken the place of, and what
-- that had: nearest first, at most eight steps.
with recursive asked as materialized (
  select cast(value as bigint) as ref
  from json_array_elements_text(cast(:refs as json)) given (value)
),
before (ref, old, step) as (
  select asked.ref, m.id, 1
  from asked
  join memory m on m.superseded_by = asked.ref
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
