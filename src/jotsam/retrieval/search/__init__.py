"""Retrievers: one module per source of candidates."""
