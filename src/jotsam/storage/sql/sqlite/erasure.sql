-- name: lock_memories
-- Unlike PostgreSQL, there is one writer, so rows need no lock.
select id, uuid, body, document_id, line, position, job_id, key, external_id
from memory
where tenant || '' = :tenant and id {list.any_id memories}
order by id;

-- name: lock_documents
-- Unlike PostgreSQL, there is one writer, so rows need no lock.
select id
from document
where tenant || '' = :tenant and id {list.any_id documents}
order by id;

-- name: is_memory
-- Unlike PostgreSQL, there is one writer, so the row needs no lock.
select id
from memory
where tenant || '' = :tenant and id = :id;

-- name: is_document
-- Unlike PostgreSQL, there is one writer, so the row needs no lock.
select id
from document
where tenant || '' = :tenant and id = :id;

-- name: merge_index
-- Unlike PostgreSQL, where vacuum does it: FTS5 keeps the words of a deleted text until its segments are merged.
insert into text_index (text_index)
values ('optimize');
