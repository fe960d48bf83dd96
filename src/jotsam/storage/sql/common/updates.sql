-- name: version
select version
from memory
where tenant = :tenant and uuid = :uuid;

-- name: keep_version
-- The memory as it was before an update.
insert into memory_version (
  tenant, memory_id, version, until, body, type, tags, importance, confidence, metadata, valid_from, valid_until
)
select
  tenant, id, version, :now, body, type, cast(:tags as text), importance, confidence, metadata, valid_from, valid_until
from memory
where tenant = :tenant and id = :id;

-- name: versions
select version, until, body, type, tags, importance, confidence, metadata, valid_from, valid_until
from memory_version
where tenant || '' = :tenant and memory_id = :memory_id
order by version;

-- name: forget_versions
delete from memory_version
where tenant || '' = :tenant and memory_id = :memory_id;

-- name: forget_replies
-- Those made of an earlier text.
delete from llm_cache
where tenant = :tenant and memory_id = :memory_id and created_at < :before;

-- name: forget_redactions
-- Those in an earlier text. A field, which has no line, keeps its own.
delete from redaction
where tenant = :tenant and memory_id = :memory_id and place like 'line %' and created_at < :before;

-- name: delete_old_judgements
-- Those of a text that neither the memory nor its history has any longer.
delete from triage
where tenant = :tenant and memory_id = :memory_id
  and text_version <> (select m.version from memory m where m.id = triage.memory_id and m.tenant = triage.tenant)
  and not exists (
    select 1
    from memory_version v
    where v.memory_id = triage.memory_id and v.version = triage.text_version and v.tenant = triage.tenant
  );

-- name: save
update memory
set
  body = :body, type = :type, type_by = :type_by, importance = :importance, importance_by = :importance_by,
  confidence = :confidence, confidence_by = :confidence_by, metadata = :metadata, valid_from = :valid_from,
  valid_until = :valid_until, version = version + 1, changed_at = :now
where tenant = :tenant and id = :id
returning version;

-- name: given_tags
-- Tags of a caller, without those that were found.
select tag
from memory_tag
where tenant || '' = :tenant and memory_id = :memory_id and extractor is null
order by tag;

-- name: set_tag
-- A tag that was found before is from now on one of a caller, which stays when the memory is enriched again.
insert into memory_tag (tenant, tag, memory_id)
values (:tenant, :tag, :memory_id)
on conflict (tenant, tag, memory_id) do update set extractor = null;

-- name: remove_tag
delete from memory_tag
where tenant = :tenant and tag = :tag and memory_id = :memory_id;

-- name: clear_metadata
delete from metadata_index
where tenant || '' = :tenant and memory_id = :memory_id;

-- name: drop_vector
delete from embedding
where tenant = :tenant and memory_id = :memory_id;
