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
-- Unlike PostgreSQL, a text is one row, and a document may not be indexed yet.
delete from text_index
where rowid = :ref;

delete from text_index_waiting
where tenant = :tenant and document_id = -:ref;

-- name: merge_counts
-- Unlike PostgreSQL, the texts are not counted.
select 1 as merged;

-- name: forget_tenant
-- Unlike PostgreSQL, the texts are not counted.
select 1 as forgotten;

-- name: match_text
-- Unlike PostgreSQL, bm25 ranks, and its better scores are smaller, hence the minus. bm25 counts the texts of all
-- tenants, and gives no weight to a word that more than half of them contain. In a small file that affects most
-- words, so up to 2,000 texts each term is ranked alone and weighed by its rarity among this tenant's texts, as on
-- PostgreSQL. In a large file that takes twice as long and changes little.
--
-- bm25 is a sum over terms, and a text that has only frequent terms is hardly ever among the best. So in a file with
-- more than twice `budget` texts only those with the rarest terms are ranked, about `budget` of them, and the frequent
-- terms add to their scores. If fewer than `limit` of them are visible, all matches are ranked. All matches are
-- counted, which takes a tenth of the time of ranking them.
--
-- Visibility is not a join. If all texts belong to this tenant and the scope restricts nothing else, `hidden` lists the
-- few that are not visible. Otherwise each match is looked up in an index that covers the conditions. Documents that
-- are not chunked are few; their references are negative. The unary plus keeps the planner from evaluating the
-- subquery of `shares` once per row.
--
-- Of the texts that are not indexed yet, `waiting` has the references and scores of those that match, and `with_term` how
-- many contain each term. More subqueries of subqueries than there are exceed a limit of SQLite.
with few as materialized (
  select count(*) as number
  from (select 1 from text_index_docsize limit 2001)
),
single as materialized (
  select coalesce((select min(tenant) from memory), :tenant) = :tenant
    and coalesce((select max(tenant) from memory), :tenant) = :tenant
    and coalesce((select min(tenant) from document where cut_at is null), :tenant) = :tenant
    and coalesce((select max(tenant) from document where cut_at is null), :tenant) = :tenant as is_true
),
hit as materialized (
  select term.key as place, text_index.rowid as ref, -text_index.rank as rank,
    single.is_true
      or exists (select 1 from memory m where m.id = text_index.rowid and m.tenant = :tenant)
      or exists (select 1 from document d where d.id = -text_index.rowid and d.tenant = :tenant) as is_own
  from few
  cross join single
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
  from (
    select place, count(*) as every, sum(is_own) + coalesce(:with_term ->> place, 0) as own
    from hit
    group by place
  ) counted
  cross join texts
),
weighed as materialized (
  select hit.ref, round(sum(hit.rank * rarity.weight), 9) as score
  from hit
  join rarity on rarity.place = hit.place
  where hit.is_own
  group by hit.ref
),
alone as materialized (
  select :whole and is_true as is_true
  from single
),
hidden as materialized (
  select m.id as ref
  from alone
  cross join memory m indexed by memory_bounded
  where alone.is_true and m.tenant = :tenant
    and (m.superseded_at is not null or m.archived_at is not null or m.valid_from is not null or m.valid_until is not null)
    and not {visible.memory}
  union all
  select -d.id
  from alone
  cross join document d
  where alone.is_true and d.tenant = :tenant and d.cut_at is null and not {visible.document}
),
counted as materialized (
  select term.key as place, term.value as part, (
    select count(*)
    from (
      select 1
      from text_index
      where text_index match term.value
      limit :budget
    ) matched
  ) as texts
  from alone
  cross join json_each(:terms) term
  where alone.is_true and :shares is null and (select max(id) from text_index_docsize) > 2 * :budget
),
summed as materialized (
  select part, sum(texts) over (order by texts, place) as texts, row_number() over (order by texts, place) as place
  from counted
),
asked as materialized (
  select
    group_concat(iif(texts < :budget or place = 1, part, null), ' OR ') as rare,
    group_concat(iif(texts < :budget or place = 1, null, part), ' OR ') as frequent
  from summed
),
with_rare as materialized (
  select text_index.rowid as ref, -text_index.rank as score
  from asked
  cross join text_index
  where asked.frequent is not null and text_index match asked.rare
),
with_both as materialized (
  select text_index.rowid as ref, -text_index.rank as score
  from asked
  cross join text_index
  where asked.frequent is not null and text_index match '(' || asked.rare || ') AND (' || asked.frequent || ')'
),
enough as materialized (
  select count(*) >= :limit as is_true
  from with_rare
),
ranked as materialized (
  select r.ref, coalesce(b.score, r.score) as score
  from enough
  cross join with_rare r
  left join with_both b on b.ref = r.ref
  where enough.is_true
  union all
  select text_index.rowid,
    coalesce((select w.score from weighed w where w.ref = text_index.rowid), -text_index.rank)
  from enough
  cross join text_index
  where not enough.is_true and text_index match :match
    and (:shares is null or +text_index.rowid in (
      select w.rowid
      from json_each(:shares) share
      cross join text_index w
      where w.text_index match share.value ->> 0
      group by w.rowid
      having sum(share.value ->> 1) >= 100
    ))
),
added (ref, score) as materialized (
  {list.pairs waiting}
),
found as materialized (
  select ranked.ref, ranked.score, 0 as is_archived
  from alone
  cross join ranked
  where alone.is_true and ranked.ref not in (select ref from hidden)
  union all
  select ranked.ref, ranked.score, 0
  from alone
  cross join ranked
  cross join memory m indexed by memory_tenant
  where not alone.is_true and m.tenant = :tenant and m.id = ranked.ref and {visible.memory}
  union all
  select ranked.ref, ranked.score, 1
  from alone
  cross join ranked
  cross join memory m indexed by memory_tenant
  where (not alone.is_true or ranked.ref in (select ref from hidden))
    and m.tenant = :tenant and m.id = ranked.ref and {visible.context}
  union all
  select ranked.ref, ranked.score, 0
  from alone
  cross join ranked
  cross join document d
  where not alone.is_true and d.tenant = :tenant and d.id = -ranked.ref and {visible.document}
  union all
  select added.ref, added.score, 0
  from added
  cross join document d
  where d.tenant = :tenant and d.id = -added.ref and {visible.document}
)
select
  found.ref,
  found.score,
  found.is_archived,
  case
    when (select is_true from enough) then (
      select count(*)
      from text_index
      where text_index match :match and text_index.rowid not in (select ref from hidden)
    ) + (
      select count(*)
      from added
      cross join document d
      where d.tenant = :tenant and d.id = -added.ref and {visible.document}
    )
    else (select count(*) from found where not is_archived)
  end as total
from found
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

-- name: by_title
-- Unlike PostgreSQL, there are no lateral joins, and the planner evaluates the subquery once per title.
-- Memories with one of these titles: at most `most` and one more for each, so that the caller sees which are too
-- common.
with asked (slug) as materialized (
  {list.texts slugs}
)
select t.slug, t.memory_id as ref
from asked
cross join title t
where t.tenant = :tenant and t.slug = asked.slug
  and t.memory_id <= (
    select max(memory_id)
    from (
      select o.memory_id
      from title o
      where o.tenant = :tenant and o.slug = asked.slug
      order by o.memory_id
      limit cast(:most as bigint) + 1
    ) first
  );

-- name: mentioning_dates
-- Unlike PostgreSQL, min and max are scalar functions too, and the indexes are named because the planner would start with
-- the memories.
-- Memories that mention dates overlapping a time range; `part` is the share of the mentioned range inside it. Mentioned
-- ranges longer than `longest` are too vague to match. Short ones overlap only if they start at most 32 days before, and
-- long ones have an index of their own. Of each, the `budget` that start last are looked at.
with short as (
  select p.memory_id as ref, p.first, p.until
  from date_range p indexed by date_range_first
  cross join memory m indexed by memory_tenant
  where p.tenant = :tenant and p.first > :since - 2764800000 and p.first < :until and p.until > :since
    and p.until - p.first <= 2764800000
    and m.tenant = :tenant and m.id = p.memory_id and {visible.memory}
  order by p.first desc
  limit :budget
),
long as (
  select p.memory_id as ref, p.first, p.until
  from date_range p indexed by date_range_long
  cross join memory m indexed by memory_tenant
  where p.tenant = :tenant and p.first > :since - :longest and p.first < :until and p.until > :since
    and p.until - p.first > 2764800000 and p.until - p.first <= :longest
    and m.tenant = :tenant and m.id = p.memory_id and {visible.memory}
  order by p.first desc
  limit :budget
),
named as (
  select ref, first, until
  from short
  union all
  select ref, first, until
  from long
)
select ref, max((min(until, :until) - max(first, :since)) * 1.0 / (until - first)) as part
from named
group by ref
order by part desc, ref desc
limit :limit;

-- name: mentioned_dates
-- Unlike PostgreSQL, an expression keeps the planner from reading all dates of the tenant.
-- The dates that memories mention.
with asked (ref) as materialized (
  {list.ids refs}
)
select r.memory_id as ref, r.first, r.until
from asked
cross join date_range r
where r.memory_id = asked.ref and r.tenant || '' = :tenant;

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
  case when m.extractor = 'cluster' then null else m.archived_at end as archived_at,
  {summary.size} as summary_of,
  survivor.uuid as archived_by,
  exists (select 1 from memory o where o.superseded_by = m.id) as is_heir,
  coalesce(m.said_at, d.date, m.created_at, d.created_at) as date,
  parent.uuid as document,
  (select json_group_array(t.tag order by t.tag) from memory_tag t where t.memory_id = m.id) as tags
from asked
left join memory m on m.id = asked.ref and m.tenant = :tenant
left join memory successor on successor.id = m.superseded_by
left join memory survivor on survivor.id = m.archived_by
left join document parent on parent.id = m.document_id
left join document d on d.id = -asked.ref and d.tenant = :tenant and d.cut_at is null
where m.id is not null or d.id is not null;
