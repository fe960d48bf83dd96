"""Reads one text: chunks, type, importance, summary, topics, and all that a memory is enriched with."""
