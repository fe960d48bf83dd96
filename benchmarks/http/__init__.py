"""Benchmarks of the HTTP API."""
