"""Commands of operators: queue, worker, settings and servers."""
