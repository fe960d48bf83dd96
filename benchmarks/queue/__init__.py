"""The durable queue by itself: against a bare loop of SQL, and against other queues that live in one SQLite file."""
