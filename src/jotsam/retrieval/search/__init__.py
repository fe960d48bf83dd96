"""Retrievers: one module for each source of candidates."""
