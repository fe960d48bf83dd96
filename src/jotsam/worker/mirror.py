"""The job `mirror-...`: brings to an engine what changed of a tenant's memories since the last time.

A job is not tied to certain memories: it takes the next changes from the log, reads the state of these memories, writes
it to the engine outside any transaction, and removes the changes in the transaction that acknowledges the job. There is
one job at a time for a tenant and an engine. When an engine is new or is rebuilt, jobs also write memories that did not
change, and then delete what the engine holds of memories that do not exist.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, ProviderUnavailable, Refused, RetryJob, TenantMoved
from jotsam.core.job_records import JobSpec
from jotsam.core.names import ENGINES, MIRROR_QUEUES
from jotsam.engines.addresses import open_engine
from jotsam.storage import queue
from jotsam.storage.engines import engines, mirror

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jotsam.core.job_records import Job
    from jotsam.core.mirror_records import MirroredMemory
    from jotsam.core.settings import Settings
    from jotsam.engines.engine import Engine
    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.engines.engines import RegisteredEngine
    from jotsam.storage.engines.mirror import Batch, Progress

BATCH = 256  # memories
SWEEP = 2_000  # digests
LEASE_MS = 120_000
SETTLE_MS = 1_000  # between two looks whether earlier transactions have ended
QUEUE_OF = dict(zip(ENGINES, MIRROR_QUEUES, strict=True))
ENGINE_OF = dict(zip(MIRROR_QUEUES, ENGINES, strict=True))


def job_spec(tenant: str, *, engine: str) -> JobSpec:
    """The job that brings to an engine the next changes of a tenant. One at a time, so that states arrive in order."""
    name = QUEUE_OF[engine]
    return JobSpec(queue=name, kind=name, tenant=tenant, lease_ms=LEASE_MS, lane=name, parallel=False)


def send_jobs(tx: Transaction, names: Sequence[str]) -> bool:
    """Ensure a job for each of these engines that lacks something of the tenant. Returns whether any does."""
    lacking = [name for name in names if mirror.is_pending(tx, engine=name)]
    for name in lacking:
        queue.ensure(tx, job_spec(tx.tenant, engine=name))
    return bool(lacking)


def fill(tx: Transaction) -> None:
    """Have jobs write all memories of the tenant to each engine, and delete what else they hold of it."""
    for one in engines.every(tx):
        mirror.fill(tx, engine=one.name)
        queue.ensure(tx, job_spec(tx.tenant, engine=one.name))


def forget_tenant(tx: Transaction) -> None:
    """Have a job delete all that engines hold of the tenant, whose memories are deleted in this transaction."""
    for name in ENGINES:
        mirror.forget_engine(tx, engine=name)
    fill(tx)


def check_place(tx: Transaction, engine: RegisteredEngine) -> None:
    """Raise `ProviderUnavailable` if this database is a copy of the one that the engine was added to."""
    if engines.place(tx) != engine.place:
        raise ProviderUnavailable(
            f"the database was copied, moved or restored after the engine {engine.name} was added, so nothing is"
            f" written to it: `jotsam db engine add {engine.address} --replace` makes it one of this database, and"
            f" `jotsam db engine remove {engine.name}` removes it from this database only"
        )


class Mirror:
    """The handler of `mirror-...` jobs of all engines. Close it to close their connections."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._open: dict[str, Engine] = {}
        self._written: dict[tuple[int, int], Mapping[str, int]] = {}

    def close(self) -> None:
        for engine in self._open.values():
            engine.close()
        self._open = {}

    def __call__(self, job: Job) -> Callable[[Transaction], None] | None:
        """Write the next batch of a tenant to an engine. Nothing if the engine was removed."""
        name = ENGINE_OF[job.queue]
        with self._database.snapshot(tenant=job.tenant) as tx:
            registered = engines.find(tx, name)
            if registered is None or not mirror.is_pending(tx, engine=name):
                return None
            check_place(tx, registered)
            if not engines.is_settled(tx, registered):
                why = "transactions are running that began before the engine was added"
                raise RetryJob(why, after_ms=SETTLE_MS, spend=False)
        engine = self._engine(registered)
        with self._database.transaction(tenant=job.tenant, durable=False) as tx:
            begun = mirror.next_version(tx, engine=name)
        with self._database.snapshot(tenant=job.tenant) as tx:
            is_gone = begun.fill_after == 0 and mirror.count_memories(tx) == 0
            batch = mirror.read_batch(tx, begun, engine=name, limit=BATCH)
        self._written[job.id, job.received] = batch.numbers
        if is_gone:
            engine.forget_tenant(job.tenant)
            return self._saved(job, lambda tx: mirror.acknowledge_gone(tx, batch, engine=name))
        errors = _write(engine, job, batch, version=begun.version)
        sweep_after = self._sweep(engine, job.tenant, begun) if batch.fill_after is None else begun.sweep_after

        def acknowledge(tx: Transaction) -> None:
            mirror.acknowledge(tx, batch, engine=name, version=begun.version, sweep_after=sweep_after)
            if errors:
                engines.set_error(tx, name, error=errors[-1])

        return self._saved(job, acknowledge)

    def _saved(self, job: Job, acknowledge: Callable[[Transaction], None]) -> Callable[[Transaction], None]:
        def save(tx: Transaction) -> None:
            acknowledge(tx)
            send_jobs(tx, [ENGINE_OF[job.queue]])
            tx.on_commit(lambda: self._written.pop((job.id, job.received), None))

        return save

    def log_again(self, job: Job) -> None:
        """Log again what a delivery wrote after its lease was lost: a later delivery may have written it before."""
        numbers = self._written.pop((job.id, job.received), None)
        name = ENGINE_OF[job.queue]
        if not numbers:
            return
        try:
            with self._database.transaction(tenant=job.tenant) as tx:
                if engines.find(tx, name):
                    mirror.log(tx, numbers, engine=name)
                    queue.ensure(tx, job_spec(job.tenant, engine=name))
        except TenantMoved:
            self._delete_moved(job.tenant, numbers, name)

    def _delete_moved(self, tenant: str, numbers: Mapping[str, int], name: str) -> None:
        """Delete what was written of a tenant that moves, perhaps after the engine was told to forget it."""
        with self._database.snapshot() as tx:
            registered = engines.find(tx, name)
        if registered:
            self._engine(registered).delete(tenant, numbers)

    def _engine(self, registered: RegisteredEngine) -> Engine:
        if registered.address not in self._open:
            try:
                self._open[registered.address] = open_engine(registered.address, self._settings)
            except InvalidInput as error:  # Retrying cannot help: a library is missing.
                raise ProviderUnavailable(str(error)) from error
        return self._open[registered.address]

    def _sweep(self, engine: Engine, tenant: str, begun: Progress) -> str | None:
        """Delete some memories of the engine that do not exist. Returns after which UUID to go on; None: no more."""
        if begun.sweep_after is None:
            return None
        held = [id for id, _ in engine.digests(tenant, after=begun.sweep_after, limit=SWEEP)]
        with self._database.snapshot(tenant=tenant) as tx:
            known = mirror.existing(tx, held)
        if left_over := [id for id in held if id not in known]:
            engine.delete(tenant, left_over)
        return held[-1] if len(held) == SWEEP else None


def _write(engine: Engine, job: Job, batch: Batch, *, version: int) -> list[str]:
    """Write a batch. What the engine refuses is left out, and the rest is written: returns the errors."""
    if batch.gone:
        engine.delete(job.tenant, batch.gone)
    if not batch.memories:
        return []
    try:
        if job.failures + job.interruptions < 2:
            engine.upsert(job.tenant, batch.memories, version=version)
            return []
    except Refused:
        pass
    return [error for one in batch.memories if (error := _write_one(engine, job.tenant, one, version=version))]


def _write_one(engine: Engine, tenant: str, memory: MirroredMemory, *, version: int) -> str | None:
    try:
        engine.upsert(tenant, [memory], version=version)
    except Refused as error:
        return f"memory {memory.id} was refused: {error}"
    return None
