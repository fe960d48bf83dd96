-- Archived memories: hidden from recall until they are restored.

-- name: archive
-- A memory that is current; as merged only into one that recall finds, of the same project.
update memory
set archived_at = :now, archived_by = cast(:into_id as bigint)
where tenant = :tenant and id = :id and archived_at is null and superseded_at is null
  and (
    cast(:into_id as bigint) is null
    or exists (
      select 1
      from memory s
      where s.tenant = memory.tenant and s.id = :into_id and s.id <> memory.id
        and s.project is not distinct from memory.project and s.archived_at is null and s.superseded_at is null
    )
  )
returning uuid;

-- name: restore
-- One that was archived at this time for this reason.
update memory
set archived_at = null, archived_by = null
where tenant = :tenant and id = :id and archived_at = :at
  and archived_by is not distinct from cast(:into_id as bigint)
returning uuid;

-- name: archive_by_hand
update memory
set archived_at = :now, archived_by = null
where tenant = :tenant and id = :id and archived_at is null;

-- name: unarchive
update memory
set archived_at = null, archived_by = null
where tenant = :tenant and id = :id and archived_at is not null;

-- name: unarchive_merged
-- Those that were merged into memories that are removed while recall finds them.
update memory
set archived_at = null, archived_by = null
where tenant = :tenant and archived_by {list.any_id memories} and not id {list.any_id memories}
  and exists (
    select 1
    from memory s
    where s.id = memory.archived_by and s.tenant = memory.tenant and s.archived_at is null and s.superseded_at is null
  )
returning uuid;

-- name: merged_into
select uuid
from memory
where tenant || '' = :tenant and archived_by = :id
order by id;

-- name: archived_alone
-- An archived memory that is not a chunk of a document, and that no job is about to change.
select id
from memory
where tenant = :tenant and id = :id and archived_at is not null and document_id is null and enriched_at is not null;
