"""A database in one SQLite file: connections, schema, wake-ups, backups, and reading damaged or foreign files."""
