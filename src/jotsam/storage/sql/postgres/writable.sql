-- name: is_read_only
-- Unlike SQLite, a server can be a standby, or refuse all writes by a setting.
select
  cast(pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as int) as read_only;
