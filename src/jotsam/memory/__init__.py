"""The client, Jotsam, in `api`, and its use cases, a folder for each. Every surface calls this package."""
