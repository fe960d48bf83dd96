"""Exports, imports, backups, and the trash."""
