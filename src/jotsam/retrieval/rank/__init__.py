"""Fuse and rank candidates."""
