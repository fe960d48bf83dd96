"""Commands for whoever runs Jotsam: queue, worker, settings and servers."""
