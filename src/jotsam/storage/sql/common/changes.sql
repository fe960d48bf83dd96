-- name: add_word
insert into change_word (tenant, word, at, memory_id)
values (:tenant, :word, :at, :memory_id)
on conflict (tenant, word, at, memory_id) do nothing;

-- name: clear_words
delete from change_word
where tenant = :tenant and memory_id = :memory_id;

-- name: any_later
select 1 as found
from change_word
where tenant = :tenant and at > :at
limit 1;

-- name: stating_later
-- Memories of a project said after a time that state a change of one of these words, those with most words first.
with asked (word) as materialized (
  {list.texts words}
)
select {row.statement}, count(*) as words
from asked
cross join change_word w
join memory m on m.id = w.memory_id
where w.tenant = :tenant and w.word = asked.word and w.at > :at
  and coalesce(m.project, '') = coalesce(cast(:project as text), '')
group by m.id, m.tenant
order by words desc, m.id
limit :limit;

-- name: earlier
-- Those of some memories that exist, are of a project and were said before a time.
with asked (ref) as materialized (
  {list.ids refs}
)
select {row.statement}
from asked
cross join memory m
where m.tenant = :tenant and m.id = asked.ref
  and coalesce(m.project, '') = coalesce(cast(:project as text), '')
  and coalesce(m.said_at, m.created_at) < :at;

-- name: link
-- A caller's link stays as it is. Of what rules and models say of one pair the stronger stays, of equals the first.
insert into link (tenant, source_id, target_id, type, weight, extractor, properties, created_at)
values (:tenant, :source_id, :target_id, 'INVALIDATED_BY', :weight, :extractor, :properties, :now)
on conflict (source_id, type, target_id, tenant) do update
set weight = excluded.weight, extractor = excluded.extractor, properties = excluded.properties
where link.extractor is not null and link.weight < excluded.weight;

-- name: linked
-- The memories that one of these replaces or casts doubt on, because of its text.
select source_id as id
from link
where tenant = :tenant and target_id = :id and type = 'INVALIDATED_BY'
  and (extractor = :extractor or extractor like 'llm:%' or extractor like 'agent%');

-- name: linked_to_document
-- The memories that a chunk of a document replaces or casts doubt on, because of its text.
select distinct l.source_id as id
from memory n
join link l on l.target_id = n.id
where n.tenant || '' = :tenant and n.document_id = :document_id and l.tenant || '' = :tenant
  and l.type = 'INVALIDATED_BY' and {link.by_text};

-- name: unlink
-- Both what a memory changes, and what changes it.
delete from link
where tenant = :tenant and (source_id = :id or target_id = :id) and type = 'INVALIDATED_BY' and extractor = :extractor;

-- name: unlink_judged
delete from link
where tenant = :tenant and (target_id = :id or (:both = 1 and source_id = :id)) and type = 'INVALIDATED_BY'
  and (extractor like 'llm:%' or (:whose >= 2 and extractor like 'agent%'));

-- name: ending
-- The earliest memory whose text replaces another one. One that was itself superseded for another reason replaces
-- nothing.
select n.id as by, coalesce(n.said_at, n.created_at) as at
from link l
join memory n on n.id = l.target_id
where l.tenant = :tenant and l.source_id = :id and l.type = 'INVALIDATED_BY' and {link.by_text} and l.weight = 1
  and (n.superseded_at is null or n.superseded_how in ('facts', 'change'))
order by at, n.id
limit 1;

-- name: reasons
-- For references, the memories said by a time whose text replaces them or casts doubt on them, with the sentence.
with asked (ref) as materialized (
  {list.ids refs}
)
select l.source_id as ref, n.id as other, n.uuid, l.weight, l.properties
from asked
cross join link l
join memory m on m.id = l.source_id
join memory n on n.id = l.target_id
where l.tenant = :tenant and l.source_id = asked.ref and l.type = 'INVALIDATED_BY' and {link.by_text}
  and coalesce(m.superseded_how, '') <> 'kept'
  and coalesce(n.said_at, n.created_at) <= :at
  and (n.superseded_at is null or n.superseded_how in ('facts', 'change'))
order by l.source_id, coalesce(n.said_at, n.created_at), n.id;

-- name: keep
-- A person decided that the memory still holds.
update memory
set superseded_how = 'kept'
where tenant = :tenant and id = :id and superseded_at is null;
