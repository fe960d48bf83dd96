"""Other queues for Python that live on a PostgreSQL server, each used in the way its own documentation shows.

What they promise differs: neither refuses the acknowledgement of who has lost his job. procrastinate knows no batch: a
worker claims one job at a time, and done jobs are deleted, as ours are; pgqueuer claims and acknowledges in batches.
"""

from __future__ import annotations

import asyncio
from typing import Any

BODY = "x" * 198


class Procrastinate:
    """One worker process with one job at a time: more of them at once made it slower."""

    table = "procrastinate_jobs"

    def __init__(self, url: str) -> None:
        import procrastinate

        self._url = url
        connector = procrastinate.PsycopgConnector(conninfo=url, min_size=1, max_size=4)
        self._runner = asyncio.Runner()
        self._app = procrastinate.App(connector=connector)
        self._task = self._app.task(queue="default", name="work")(_work)
        self._runner.run(self._open())

    async def _open(self) -> None:
        await self._app.open_async()

    def install(self) -> None:
        self._runner.run(self._app.schema_manager.apply_schema_async())

    def fill(self, count: int) -> None:
        for start in range(0, count, 1_000):
            jobs = [{"body": BODY}] * min(1_000, count - start)
            self._runner.run(self._task.batch_defer_async(*jobs))

    def prepare(self, batch: int) -> None:
        """It knows no batch."""

    def drain(self) -> None:
        options: dict[str, Any] = {"delete_jobs": "always", "install_signal_handlers": False, "listen_notify": False}
        self._runner.run(self._app.run_worker_async(wait=False, concurrency=1, **options))

    def claim(self) -> Any:
        job = self._runner.run(self._app.job_manager.fetch_job(queues=None, worker_id=self._worker()))
        assert job is not None
        return job

    def acknowledge(self, job: Any) -> None:
        from procrastinate.jobs import Status

        self._runner.run(self._app.job_manager.finish_job(job, status=Status.SUCCEEDED, delete_job=True))

    def close(self) -> None:
        self._runner.run(self._app.close_async())
        self._runner.close()

    def _worker(self) -> int:
        if not hasattr(self, "_worker_id"):
            self._worker_id = self._runner.run(self._app.job_manager.register_worker())
        return self._worker_id


class Pgqueuer:
    """`driver` is asyncpg or psycopg."""

    table = "pgqueuer"

    def __init__(self, url: str, driver: str) -> None:
        from pgqueuer.queries import Queries

        self._runner = asyncio.Runner()
        self._driver = self._runner.run(self._connect(url, driver))
        self._queries = Queries(self._driver)

    async def _connect(self, url: str, driver: str) -> Any:
        from pgqueuer import db

        if driver == "asyncpg":
            import asyncpg

            return db.AsyncpgDriver(await asyncpg.connect(url))
        import psycopg

        return db.PsycopgDriver(await psycopg.AsyncConnection.connect(url, autocommit=True))

    def install(self) -> None:
        self._runner.run(self._queries.install())

    def fill(self, count: int) -> None:
        body = BODY.encode()
        for start in range(0, count, 1_000):
            size = min(1_000, count - start)
            self._runner.run(self._queries.enqueue(["work"] * size, [body] * size, [0] * size))

    def prepare(self, batch: int) -> None:
        from pgqueuer import PgQueuer

        self._batch = batch
        self._pgq = PgQueuer(self._driver)
        self._pgq.entrypoint("work")(_work)

    def drain(self) -> None:
        from pgqueuer.types import QueueExecutionMode

        self._runner.run(self._pgq.run(batch_size=self._batch, mode=QueueExecutionMode.drain))

    def claim(self) -> Any:
        return self._runner.run(self._claim())

    async def _claim(self) -> Any:
        from datetime import timedelta
        from uuid import uuid4

        from pgqueuer.queries import EntrypointExecutionParameter

        entrypoints = {"work": EntrypointExecutionParameter(0)}
        jobs = await self._queries.dequeue(1, entrypoints, uuid4(), None, timedelta(seconds=60))
        return jobs[0]

    def acknowledge(self, job: Any) -> None:
        self._runner.run(self._queries.log_jobs([(job, "successful", None)]))

    def close(self) -> None:
        self._runner.close()


async def _work(*_: Any, **__: Any) -> None:
    """The handler that does nothing."""


PEERS = {
    "procrastinate": Procrastinate,
    "pgqueuer, asyncpg": lambda url: Pgqueuer(url, "asyncpg"),
    "pgqueuer, psycopg": lambda url: Pgqueuer(url, "psycopg"),
}
