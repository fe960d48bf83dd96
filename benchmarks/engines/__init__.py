"""Engines: what mirroring costs, and what they answer, beside SQL and beside the bare server."""
