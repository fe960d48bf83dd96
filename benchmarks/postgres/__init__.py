"""The queue on a PostgreSQL server: against a bare loop of SQL, and against other queues for Python that live there."""
