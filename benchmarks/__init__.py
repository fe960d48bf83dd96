"""What Jotsam costs, measured against the least that could do the same work. `python -m benchmarks.run` runs all."""
