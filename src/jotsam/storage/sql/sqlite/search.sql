-- name: expression
-- Unlike PostgreSQL, the result is an FTS5 expression. Every term is quoted, so nothing in a question is an operator. A
-- single character is a prefix query. `shares` holds the weight of each part.
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
-- Unlike PostgreSQL, one FTS5 row holds a text of any length, and the table has no tenant column.
insert into text_index (rowid, body, context, grams)
values (:ref, :body, :context, :grams);

-- name: unindex
-- Unlike PostgreSQL, a text is one row.
delete from text_index
where rowid = :ref;

-- name: match_text
-- Unlike PostgreSQL, bm25 ranks, and its better scores are smaller, hence the minus. bm25 counts the texts of all
-- tenants, and gives no weight to a word that more than half of them contain. In a small file that affects most
-- words, so up to 2,000 texts each term is ranked alone and weighed by its rarity among this tenant's texts, as on
-- PostgreSQL. In a large file that takes twice as long and changes little. Matches are filtered with an index that
-- covers the visibility conditions. Counting them with a window function, or reading the table itself, took 1.5
-- times as long. Documents that are not chunked are few; their references are negative. The unary plus keeps the
-- planner from evaluating the subquery of `shares` once per row.
with few as materialized (
  select count(*) as number
  from (select 1 from text_index_docsize limit 2001)
),
hit as materialized (
  select term.key as place, text_index.rowid as ref, -text_index.rank as rank,
    exists (select 1 from memory m where m.id = text_index.rowid and m.tenant = :tenant)
      or exists (select 1 from document d where d.id = -text_index.rowid and d.tenant = :tenant) as is_own
  from few
  cross join json_each(:terms) term
  cross join text_index
  where few.number <= 2000 and text_index match term.value
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
  select text_index.rowid as ref, -text_index.rank as score
  from text_index
  cross join memory m indexed by memory_tenant
  where text_index match :match and text_index.rowid > 0 and m.tenant = :tenant and m.id = text_index.rowid
    and (:shares is null or +text_index.rowid in (
      select w.rowid
      from json_each(:shares) share
      cross join text_index w
      where w.text_index match share.value ->> 0
      group by w.rowid
      having sum(share.value ->> 1) >= 100
    ))
    and {visible.memory}
  union all
  select text_index.rowid, -text_index.rank
  from text_index
  cross join document d
  where text_index match :match and text_index.rowid < 0 and d.tenant = :tenant and d.id = -text_index.rowid
    and (:shares is null or +text_index.rowid in (
      select w.rowid
      from json_each(:shares) share
      cross join text_index w
      where w.text_index match share.value ->> 0
      group by w.rowid
      having sum(share.value ->> 1) >= 100
    ))
    and {visible.document}
)
select found.ref, coalesce(weighed.score, found.score) as score, (select count(*) from found) as total
from found
left join weighed on weighed.ref = found.ref
order by 2 desc, found.ref desc
limit :limit;

-- name: count_words
-- Unlike PostgreSQL, the index counts the texts of all tenants, at most :limit of each word.
select
  asked.key as place,
  (
    select count(*)
    from (
      select 1
      from text_index
      where text_index match '"' || asked.value || '"'
      limit :limit
    ) matched
  ) as texts,
  (select count(*) from text_index_docsize) as number
from json_each(:words) asked
order by asked.key;

-- name: mentioning_dates
-- Unlike PostgreSQL, min and max are scalar functions too, and the index is named because the planner would start with
-- the memories.
-- Memories that mention dates overlapping a time range; `part` is the share of the mentioned range inside it. Mentioned
-- ranges longer than `longest` are too vague to match.
select ref, max(part) as part
from (
  select p.memory_id as ref, (min(p.until, :until) - max(p.first, :since)) * 1.0 / (p.until - p.first) as part
  from date_range p indexed by date_range_named
  where p.tenant = :tenant and p.named = 1 and p.first > :since - :longest and p.first < :until
    and p.until > :since and p.until - p.first <= :longest
)
join memory m on m.id = ref
where {visible.memory}
group by ref
order by part desc, ref desc
limit :limit;

-- name: said_between
-- Unlike PostgreSQL, the index is named, because the planner would choose another.
-- Memories said in a time range, latest first.
select m.id as ref
from memory m indexed by memory_said
where m.tenant = :tenant
  and coalesce(m.said_at, m.created_at) >= :since and coalesce(m.said_at, m.created_at) < :until
  and {visible.memory}
order by coalesce(m.said_at, m.created_at) desc
limit :limit;

-- name: unmatched
-- Unlike PostgreSQL, the index is FTS5.
-- References that the search terms do not match. All of them belong to this tenant.
with asked (ref) as materialized (
  {list.ids refs}
)
select asked.ref
from asked
where not exists (
    select 1
    from text_index
    where text_index match :match and text_index.rowid = asked.ref
  )
  or (:shares is not null and asked.ref not in (
    select w.rowid
    from json_each(:shares) share
    cross join text_index w
    where w.text_index match share.value ->> 0
    group by w.rowid
    having sum(share.value ->> 1) >= 100
  ));

-- name: details
-- Unlike PostgreSQL, json_group_array makes a JSON list, and left joins by id use the index in any case.
-- The fields of a hit. The body of a document is left out: it can be very long, and most are not shown.
with asked (ref) as materialized (
  {list.ids refs}
)
select
  asked.ref,
  coalesce(m.uuid, d.uuid) as uuid,
  m.body as body,
  coalesce(m.project, d.project) as project,
  coalesce(m.source, d.source) as source,
  coalesce(m.section, '') as section,
  coalesce(m.actor, d.actor) as actor,
  m.external_id as external_id,
  m.type as type,
  m.importance as importance,
  coalesce(m.session, d.session) as session,
  m.position as position,
  m.line as line,
  coalesce(m.job_id, d.job_id) as job_id,
  m.valid_from as valid_from,
  m.valid_until as valid_until,
  coalesce(m.superseded_at, d.superseded_at) as superseded_at,
  successor.uuid as superseded_by,
  exists (select 1 from memory o where o.superseded_by = m.id) as is_heir,
  coalesce(m.said_at, d.date, m.created_at, d.created_at) as date,
  parent.uuid as document,
  (select json_group_array(t.tag order by t.tag) from memory_tag t where t.memory_id = m.id) as tags
from asked
left join memory m on m.id = asked.ref and m.tenant = :tenant
left join memory successor on successor.id = m.superseded_by
left join document parent on parent.id = m.document_id
left join document d on d.id = -asked.ref and d.tenant = :tenant and d.cut_at is null
where m.id is not null or d.id is not null;
