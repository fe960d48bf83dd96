-- name: position
-- Unlike SQLite, a transaction with a smaller number or id can commit later. `until`: the oldest that still runs.
select
  cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) as xact,
  cast(0 as bigint) as id,
  cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) as until;
