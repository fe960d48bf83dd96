"""A database on a PostgreSQL server: connections, schema, wake-ups, replicas, roles and row-level security."""
