"""Projections of SQL in other databases. SQL is the truth: an engine can be removed and rebuilt at any time."""
