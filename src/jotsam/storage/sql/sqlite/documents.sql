-- name: hold_source
-- Unlike PostgreSQL, nobody else writes until this transaction ends, and so nothing needs to be held.
select id
from document
where false;

-- name: newer
-- Unlike PostgreSQL, lists are unfolded by json_each. What takes the place of a text as soon as all of its
-- source is cut: for a memory a text that waits, for a document that waits any. Dates count where callers gave both.
select m.id as ref, n.uuid
from json_each(:memories) asked
cross join memory m on m.id = asked.value
join document o on o.id = m.document_id
join document n on n.tenant = :tenant and n.source = o.source and n.project is not distinct from o.project
  and n.cut_at is null and n.superseded_at is null
where m.tenant = :tenant and m.superseded_at is null
  and case when n.date_by is null and o.date_by is null and n.date <> o.date then n.date > o.date else n.id > o.id end
union all
select -d.id, n.uuid
from json_each(:documents) asked
cross join document d on d.id = asked.value
join document n on n.tenant = :tenant and n.source = d.source and n.project is not distinct from d.project
  and n.superseded_at is null
where d.tenant = :tenant and d.cut_at is null
  and case when n.date_by is null and d.date_by is null and n.date <> d.date then n.date > d.date else n.id > d.id end;
