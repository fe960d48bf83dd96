"""Storing memories and changing them: batches, turns, updates, links, blocks, superseding, archiving."""
