"""Runs of the lifecycle, and what its steps read and write."""
