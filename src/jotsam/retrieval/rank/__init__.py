"""Fuse the retrievers' scores into one ranking."""
