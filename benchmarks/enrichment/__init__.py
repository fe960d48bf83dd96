"""Benchmarks of enrichment: cost and quality. Each module is a benchmark."""
