"""Databases that hold a copy of the memories. SQL is the truth: an engine can be removed and rebuilt at any time."""
