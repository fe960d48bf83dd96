-- name: memory
-- Unlike SQLite, a list is unfolded by json_array_elements_text, and a parameter that may be null says its type.
-- Whether a memory `m` may be shown to who asks. Every query of recall says so by the name of this fragment alone, which
-- is put in where it stands: a condition that is added here is forgotten nowhere.
(
  (cast(:project as text) is null or m.project = :project)
  and (cast(:narrowed as text) is null or m.id in (
    select cast(value as bigint)
    from json_array_elements_text(cast(:narrowed as json)) allowed (value)
  ))
  and (cast(:history as bigint) = 1 or (
    (m.superseded_at is null or m.superseded_at > :at)
    and (m.valid_from is null or m.valid_from <= :at)
    and (m.valid_until is null or m.valid_until > :at)
  ))
  and (cast(:past as bigint) = 0 or coalesce(m.valid_from, m.said_at, m.created_at) <= :at)
);

-- name: document
-- Unlike SQLite, a list is unfolded by json_array_elements_text, and a parameter that may be null says its type.
-- The same of a document `d` that is not cut yet, whose reference is minus its number.
(
  (cast(:project as text) is null or d.project = :project)
  and (cast(:narrowed as text) is null or -d.id in (
    select cast(value as bigint)
    from json_array_elements_text(cast(:narrowed as json)) allowed (value)
  ))
  and (cast(:history as bigint) = 1 or d.superseded_at is null or d.superseded_at > :at)
  and (cast(:past as bigint) = 0 or coalesce(d.date, d.created_at) <= :at)
);
