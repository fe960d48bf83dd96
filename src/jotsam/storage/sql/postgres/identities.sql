-- name: forget_sources
-- Texts that were made of one of some facts, or of one that is gone.
-- Unlike SQLite, PostgreSQL reads a JSON list by `jsonb_array_elements_text`.
delete from identity
where tenant = :tenant and exists (
  select 1
  from jsonb_array_elements_text(cast(identity.sources as jsonb)) s (value)
  where s.value in ({list.texts uuids}) or not exists (
    select 1
    from fact f
    where f.uuid = s.value and f.tenant || '' = :tenant
  )
);
