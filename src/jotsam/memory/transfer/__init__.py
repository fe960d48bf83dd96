"""Exports, imports, backups, and the trash, which keeps what it holds as an export does."""
