-- name: visible.memory
-- Whether the memory `m` is in scope. Every recall query uses this fragment instead of its own conditions, so a new
-- condition applies everywhere.
(
  (cast(:project as text) is null or m.project = :project)
  and (cast(:narrowed as text) is null or m.id in ({list.ids narrowed}))
  and (cast(:history as bigint) = 1 or (
    (m.superseded_at is null or m.superseded_at > :at)
    and (m.valid_from is null or m.valid_from <= :at)
    and (m.valid_until is null or m.valid_until > :at)
  ))
  and (cast(:past as bigint) = 0 or coalesce(m.valid_from, m.said_at, m.created_at) <= :at)
);

-- name: visible.document
-- The same for the document `d`, which is not chunked yet. Its reference is its negative id.
(
  (cast(:project as text) is null or d.project = :project)
  and (cast(:narrowed as text) is null or -d.id in ({list.ids narrowed}))
  and (cast(:history as bigint) = 1 or d.superseded_at is null or d.superseded_at > :at)
  and (cast(:past as bigint) = 0 or coalesce(d.date, d.created_at) <= :at)
);
