"""The client, Jotsam, and its use cases. Every surface calls this package."""
