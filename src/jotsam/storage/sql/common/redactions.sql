-- name: save
insert into redaction (tenant, document_id, memory_id, kind, place, fingerprint, created_at)
values (:tenant, :document_id, :memory_id, :kind, :place, :fingerprint, :now);

-- name: of_document
select kind, place, fingerprint, created_at
from redaction
where tenant || '' = :tenant and document_id = :document_id
order by id;

-- name: of_memory
select kind, place, fingerprint, created_at
from redaction
where tenant || '' = :tenant and memory_id = :memory_id
order by id;

-- name: latest
select r.kind, r.place, r.fingerprint, r.created_at,
  coalesce(d.uuid, m.uuid) as id, coalesce(d.source, m.source) as source
from redaction r
left join document d on d.id = r.document_id
left join memory m on m.id = r.memory_id
where r.tenant = :tenant
order by r.id desc
limit :limit;

-- name: find
select distinct fingerprint
from redaction
where tenant = :tenant and fingerprint >= :low and fingerprint < :high
limit 2;
