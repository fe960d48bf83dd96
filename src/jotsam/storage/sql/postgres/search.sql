-- name: expression
-- Unlike SQLite, the result is tsqueries, one for each term: lexemes with the tenant's prefix. Pairs of characters
-- are marked with a dot, as in `index`. A single character is a prefix query. Words of 2,000 bytes and more are not
-- indexed. `shares` holds the weight of each term.
with word as (
  select place, regexp_replace(
    cast(phraseto_tsquery('jotsam', normalize_text(value)) as text), '''([^'']+)''', '''' || tenant_prefix() || '\1''', 'g'
  ) as part
  from json_array_elements_text(cast(:words as json)) with ordinality asked (value, place)
  where octet_length(value) < 2000
),
gram as (
  select
    g.place,
    '''' || tenant_prefix() || '.' || g.value || case when length(g.value) = 1 then ''':*' else '''' end as part,
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
-- Unlike SQLite, a text is split into parts of 100,000 characters, because a tsvector holds at most 1 MB. Parts
-- overlap, so that a word on the border is whole in one of them. Pairs of characters are not parsed, because they
-- are not words of a language; a dot distinguishes them from words, which contain none. The texts are counted.
with added as (
  insert into text_index (ref, part, lexemes, length)
  select ref, part, lexemes, (select coalesce(sum(cardinality(positions)), 0) from unnest(lexemes))
  from (
    select
      cast(:ref as bigint) as ref,
      part,
      with_tenant_prefix(
        setweight(to_tsvector('jotsam', normalize_text(substr(:body, part * 100000 + 1, 100100))), 'A')
          || setweight(to_tsvector('jotsam', normalize_text(case when part = 0 then :context else '' end)), 'B')
      )
        || coalesce(
          (
            select cast(string_agg('''' || tenant_prefix() || '.' || gram || ''':' || least(place, 16383) || 'C', ' ') as tsvector)
            from unnest(string_to_array(substr(:grams, part * 99999 + 1, 99999), ' ')) with ordinality pair (gram, place)
            where gram <> ''
          ),
          ''
        ) as lexemes
    from generate_series(0, greatest((length(:body) - 1) / 100000, (length(:grams) - 1) / 99999, 0)) part
  ) made
  returning part, length
)
insert into text_count (tenant, memories, documents, words)
select :tenant, cast(cast(:ref as bigint) > 0 as integer), cast(cast(:ref as bigint) < 0 as integer), sum(length)
from added;

-- name: unindex
-- Unlike SQLite, a text has one row for each part, and the texts are counted, as in `index`.
with removed as (
  delete from text_index
  where ref = :ref and tenant = :tenant
  returning part, length
)
insert into text_count (tenant, memories, documents, words)
select :tenant, -cast(cast(:ref as bigint) > 0 as integer), -cast(cast(:ref as bigint) < 0 as integer), -sum(length)
from removed
having count(*) > 0;

-- name: merge_counts
-- Unlike SQLite, the texts are counted. Replaces the counts by their sum, except those that another transaction replaces.
with counted as materialized (
  select id
  from text_count
  where tenant = :tenant
  for update skip locked
),
replaced as (
  delete from text_count
  where tenant = :tenant and id in (select id from counted)
  returning memories, documents, words
)
insert into text_count (tenant, memories, documents, words)
select :tenant, sum(memories), sum(documents), sum(words)
from replaced
having count(*) > 0;

-- name: forget_tenant
-- Unlike SQLite, the texts are counted.
delete from text_count
where tenant = :tenant;

-- name: match_text
-- Unlike SQLite, which has bm25, it is computed here, with the same constants: of how often a text has a term, of the
-- length of the text, and of the rarity of the term among this tenant's texts, above 2,000 texts as FTS5 has it. Every
-- step is materialized, because the planner cannot estimate how much a question matches and would evaluate a step once
-- per row of the previous one. Numbers with a fraction are cast to double precision, because the type numeric takes ten
-- times as long.
--
-- Visibility is not a join. If the scope restricts nothing else, `hidden` lists the few that are not visible. Otherwise
-- each match is looked up in an index that covers the conditions.
with found as materialized (
  select ref, place, frequency, length
  from rank_terms(:terms)
),
texts as materialized (
  select cast(sum(memories + documents) as bigint) as number, cast(sum(words) as double precision) as words
  from text_count
  where tenant = :tenant
),
rarity as materialized (
  select
    counted.place,
    0.9 * t.number / t.words as per_word,
    cast(case
      when t.number <= 2000 then ln(1 + (t.number - counted.number + 0.5) / (counted.number + 0.5))
      else ln(greatest(1.000001, (t.number - counted.number + 0.5) / (counted.number + 0.5)))
    end as double precision) as weight
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
hidden as materialized (
  select m.id as ref
  from memory m
  where :whole = 1 and m.tenant = :tenant
    and (m.superseded_at is not null or m.archived_at is not null or m.valid_from is not null or m.valid_until is not null)
    and not {visible.memory}
  union all
  select -d.id
  from document d
  where :whole = 1 and d.tenant = :tenant and d.cut_at is null and not {visible.document}
),
visible as materialized (
  select m.id as ref
  from memory m
  where :whole = 0 and m.tenant = :tenant and m.id = any (array(select ref from found where ref > 0))
    and {visible.memory}
  union all
  select -d.id
  from document d
  where :whole = 0 and d.tenant = :tenant and d.id = any (array(select -ref from found where ref < 0))
    and {visible.document}
),
archived as materialized (
  select m.id as ref
  from memory m
  where m.tenant = :tenant and m.archived_at is not null and {visible.context}
),
ranked as materialized (
  select
    f.ref,
    f.ref in (select ref from archived) as is_archived,
    round(sum(2.2 * r.weight * f.frequency / (f.frequency + 0.3 + r.per_word * f.length)) * 1e9) / 1e9 as score
  from found f
  join rarity r on r.place = f.place
  where (
      case when :whole = 1 then f.ref not in (select ref from hidden) else f.ref in (select ref from visible) end
      or f.ref in (select ref from archived)
    )
    and (cast(:shares as text) is null or f.ref in (select ref from enough))
  group by f.ref
)
select ref, score, is_archived, (select count(*) from ranked where not is_archived) as total
from ranked
order by score desc, ref desc
limit :limit;

-- name: count_words
-- Unlike SQLite, a word is a tsquery, of the word itself or of a pair of characters.
-- Words of 2,000 bytes and more are not indexed.
with word as (
  select
    place,
    regexp_replace(
      cast(phraseto_tsquery('jotsam', normalize_text(value)) as text), '''([^'']+)''', '''' || tenant_prefix() || '\1''', 'g'
    ) as part,
    '''' || tenant_prefix() || '.' || value || '''' as pair
  from (
    select place, case when octet_length(value) < 2000 then value else '-' end as value
    from json_array_elements_text(cast(:words as json)) with ordinality given (value, place)
  ) asked
),
asked as (
  select cast(json_agg(case when part = '' then pair else part || ' | ' || pair end order by place) as text) as terms
  from word
),
found as materialized (
  select place, texts
  from count_terms((select terms from asked), cast(:limit as bigint))
),
every as materialized (
  select cast(coalesce(sum(memories + documents), 0) as bigint) as number
  from text_count
  where tenant = :tenant
)
select word.place - 1 as place, least(coalesce(found.texts, 0), :limit) as texts, every.number as number
from word
cross join every
left join found on found.place = word.place
order by word.place;

-- name: by_title
-- Unlike SQLite, a lateral join, because the planner would evaluate the limit of a title once for each of its memories.
-- Memories with one of these titles: at most `most` and one more for each, so that the caller sees which are too
-- common.
with asked (slug) as materialized (
  {list.texts slugs}
)
select asked.slug, first.ref
from asked
cross join lateral (
  select t.memory_id as ref
  from title t
  where t.tenant = :tenant and t.slug = asked.slug
  order by t.memory_id
  limit cast(:most as bigint) + 1
) first;

-- name: mentioning_dates
-- Unlike SQLite, the scalar functions are least and greatest.
-- Memories that mention dates overlapping a time range; `part` is the share of the mentioned range inside it. Mentioned
-- ranges longer than `longest` are too vague to match. Short ones overlap only if they start at most 32 days before, and
-- long ones have an index of their own. Of each, the `budget` that start last are looked at.
with short as (
  select p.memory_id as ref, p.first, p.until
  from date_range p
  cross join memory m
  where p.tenant = :tenant and p.first > cast(:since as bigint) - 2764800000
    and p.first < cast(:until as bigint) and p.until > cast(:since as bigint) and p.until - p.first <= 2764800000
    and m.tenant = :tenant and m.id = p.memory_id and {visible.memory}
  order by p.first desc
  limit :budget
),
long as (
  select p.memory_id as ref, p.first, p.until
  from date_range p
  cross join memory m
  where p.tenant = :tenant and p.first > cast(:since as bigint) - cast(:longest as bigint)
    and p.first < cast(:until as bigint) and p.until > cast(:since as bigint) and p.until - p.first > 2764800000 and p.until - p.first <= cast(:longest as bigint)
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
select
  ref,
  max(cast(least(until, cast(:until as bigint)) - greatest(first, cast(:since as bigint)) as double precision)
    / (until - first)) as part
from named
group by ref
order by part desc, ref desc
limit :limit;

-- name: mentioned_dates
-- Unlike SQLite, the planner looks up each memory without a hint.
-- The dates that memories mention.
with asked (ref) as materialized (
  {list.ids refs}
)
select r.memory_id as ref, r.first, r.until
from asked
cross join date_range r
where r.memory_id = asked.ref and r.tenant = :tenant;

-- name: said_between
-- Unlike SQLite, an index cannot be named, and need not be.
-- Memories said in a time range, latest first.
select m.id as ref
from memory m
where m.tenant = :tenant
  and coalesce(m.said_at, m.created_at) >= :since and coalesce(m.said_at, m.created_at) < :until
  and {visible.memory}
order by coalesce(m.said_at, m.created_at) desc
limit :limit;

-- name: unmatched
-- Unlike SQLite, the index takes a tsquery.
-- References that the search terms do not match. All of them belong to this tenant.
with asked (ref) as materialized (
  {list.ids refs}
)
select asked.ref
from asked
where not exists (
    select 1
    from text_index w
    where w.ref = asked.ref and w.tenant = :tenant and w.lexemes @@ cast(:match as tsquery)
  )
  or (cast(:shares as text) is not null and 100 > (
    select coalesce(sum(part.weight), 0)
    from (
      select distinct share.place, cast(share.value ->> 1 as bigint) as weight
      from json_array_elements(cast(:shares as json)) with ordinality share (value, place)
      join text_index w on w.ref = asked.ref and w.lexemes @@ cast(share.value ->> 0 as tsquery)
    ) part
  ));

-- name: details
-- Unlike SQLite, json_agg makes a JSON list, and lateral joins with offset 0 keep the planner from joining whole
-- tables. The fields of a hit. The body of a document is left out: it can be very long, and most are not shown.
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
left join memory successor on successor.id = m.superseded_by
left join memory survivor on survivor.id = m.archived_by
left join document parent on parent.id = m.document_id
left join lateral (
  select *
  from document d
  where d.id = -asked.ref and d.tenant = :tenant and d.cut_at is null
  offset 0
) d on true
where m.id is not null or d.id is not null;
