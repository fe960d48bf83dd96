-- name: lock_memories
-- Unlike SQLite, a job that saves its results may hold the rows.
select id, uuid, body, document_id, line, position, job_id, key, external_id
from memory
where tenant || '' = :tenant and id {list.any_id memories}
order by id
for update;

-- name: lock_documents
-- Unlike SQLite, a job that saves its results may hold the rows.
select id
from document
where tenant || '' = :tenant and id {list.any_id documents}
order by id
for update;

-- name: is_memory
-- Unlike SQLite, the row could be deleted before the commit.
select id
from memory
where tenant || '' = :tenant and id = :id
for key share;

-- name: is_document
-- Unlike SQLite, the row could be deleted before the commit.
select id
from document
where tenant || '' = :tenant and id = :id
for key share;

-- name: merge_index
-- Unlike SQLite, deleted words are removed by vacuum.
select 1 as merged;
