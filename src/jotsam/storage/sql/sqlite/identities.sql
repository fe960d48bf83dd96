-- name: forget_sources
-- Texts that were made of one of some facts, or of one that is gone.
-- Unlike PostgreSQL, SQLite reads a JSON list by `json_each`.
delete from identity
where tenant = :tenant and exists (
  select 1
  from json_each(identity.sources) s
  where s.value in ({list.texts uuids}) or not exists (
    select 1
    from fact f
    where f.uuid = s.value and f.tenant || '' = :tenant
  )
);
