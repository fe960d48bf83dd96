-- name: memory
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- Whether a memory `m` may be shown to who asks. Every query of recall says so by the name of this fragment alone, which
-- is put in where it stands: a condition that is added here is forgotten nowhere.
(
  (:project is null or m.project = :project)
  and (:narrowed is null or m.id in (select value from json_each(:narrowed)))
  and (:history = 1 or (
    (m.superseded_at is null or m.superseded_at > :at)
    and (m.valid_from is null or m.valid_from <= :at)
    and (m.valid_until is null or m.valid_until > :at)
  ))
  and (:past = 0 or coalesce(m.valid_from, m.said_at, m.created_at) <= :at)
);

-- name: document
-- Unlike PostgreSQL, a list is unfolded by json_each.
-- The same of a document `d` that is not cut yet, whose reference is minus its number.
(
  (:project is null or d.project = :project)
  and (:narrowed is null or -d.id in (select value from json_each(:narrowed)))
  and (:history = 1 or d.superseded_at is null or d.superseded_at > :at)
  and (:past = 0 or coalesce(d.date, d.created_at) <= :at)
);
