-- name: hold_source
-- Unlike SQLite, two texts of one source may be cut at once, and neither would see that the other supersedes it.
select id
from document
where tenant = :tenant and source = :source and project is not distinct from cast(:project as text)
order by id
for update;

-- name: newer
-- Unlike SQLite, lists are unfolded by json_array_elements_text. What takes the place of a text as soon as all of its
-- source is cut: for a memory a text that waits, for a document that waits any. Dates count where callers gave both.
with asked_memory as materialized (
  select cast(value as bigint) as id
  from json_array_elements_text(cast(:memories as json)) given (value)
),
asked_document as materialized (
  select cast(value as bigint) as id
  from json_array_elements_text(cast(:documents as json)) given (value)
)
select m.id as ref, n.uuid
from asked_memory asked
join memory m on m.id = asked.id
join document o on o.id = m.document_id
join document n on n.tenant = :tenant and n.source = o.source and n.project is not distinct from o.project
  and n.cut_at is null and n.superseded_at is null
where m.tenant = :tenant and m.superseded_at is null
  and case when n.date_by is null and o.date_by is null and n.date <> o.date then n.date > o.date else n.id > o.id end
union all
select -d.id, n.uuid
from asked_document asked
join document d on d.id = asked.id
join document n on n.tenant = :tenant and n.source = d.source and n.project is not distinct from d.project
  and n.superseded_at is null
where d.tenant = :tenant and d.cut_at is null
  and case when n.date_by is null and d.date_by is null and n.date <> d.date then n.date > d.date else n.id > d.id end;
