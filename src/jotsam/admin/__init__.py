"""Operator tools: health checks, schema, database copy, text index, embedders."""
