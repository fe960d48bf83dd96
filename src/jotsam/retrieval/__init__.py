"""Recall: parse a question, retrieve, fuse, rank, pack and render."""
