"""What the processes of the fault tests do. Each role's first argument is its pipe to the test."""

from __future__ import annotations

import itertools
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

import apsw

from jotsam import Jotsam, Processor, Queue, Task
from jotsam.core.answers import Terms
from jotsam.core.clock import system_clock
from jotsam.core.job_records import JobSpec
from jotsam.core.settings import Settings
from jotsam.core.token_records import AuditEntry
from jotsam.memory.access.audit import audited_client
from jotsam.memory.forgetting import forget as forget_module
from jotsam.memory.transfer import import_export as import_module
from jotsam.memory.writing.update import update as update_memory
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopHooks, LoopOptions
from jotsam.storage import QUEUE, connect, queue
from jotsam.storage.recall import search
from processes import WAIT_MS

if TYPE_CHECKING:
    from jotsam.core.job_records import Job
    from jotsam.storage.database import Database, Transaction


class Doomed:
    """A database in whose hands the process dies: at its `dies_at`-th step from 1, never with 0.

    Every write transaction has three: before it begins, before its commit, and after it.
    """

    def __init__(self, database: Database, dies_at: int) -> None:
        self._database = database
        self._left = dies_at
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    @contextmanager
    def transaction(self, **options: Any) -> Iterator[Transaction]:
        self._step()
        with self._database.transaction(**options) as tx:
            yield tx
            self._step()
        self._step()

    def _step(self) -> None:
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


class DoomedAtWork(Doomed):
    """Counts the steps of those who do the jobs alone: how often the loop looks beside them is never the same."""

    def _step(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            super()._step()


class Leaves(LoopHooks):
    """Lets the loop end as soon as nothing is left."""

    def should_exit(self, tx: Transaction) -> bool:
        return True


def memory(url: str, *, ahead_ms: int = 0, concurrency: int = 1) -> Jotsam:
    """A `Jotsam` without a worker of its own, whose clock is ahead by so much."""
    settings = Settings(db=url, worker="off", worker_idle_ms=0, concurrency=concurrency, lock_timeout_ms=WAIT_MS)
    return Jotsam(settings=settings, clock=lambda: system_clock() + ahead_ms)


def facts(url: str) -> dict[str, Any]:
    """All that a memory holds, without what differs from run to run: ids and times."""
    with memory(url) as jot, jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        found = {
            "chunks": """select d.body as document, m.position, m.section, m.body, m.summary,
                m.enriched_at is not null as enriched, m.superseded_at is not null as superseded
                from memory m left join document d on d.id = m.document_id""",
            "cut": "select body, cut_at is not null as cut from document",
            "tags": "select m.body, t.tag from memory_tag t join memory m on m.id = t.memory_id",
            "mentions": """select m.body, e.category, e.slug from mention n
                join memory m on m.id = n.memory_id join entity e on e.id = n.entity_id""",
            "sequence": """select a.body as later, b.body as earlier from link l
                join memory a on a.id = l.source_id join memory b on b.id = l.target_id
                where l.type = 'PRECEDED_BY'""",
            "jobs": "select kind, state from queue_job",
            "payloads": "select payload from queue_job",
        }
        rows = {name: sorted(map(repr, tx.execute(sql))) for name, sql in found.items()}
        bodies = {row["id"]: row["body"] for row in tx.execute("select id, body from memory")}
        words = [(word, bodies.get(ref, ref)) for word, refs in findable(tx).items() for ref in refs]
        rows["words"] = sorted(map(repr, words))
    return rows


def findable(tx: Transaction) -> dict[str, list[int]]:
    """What each word of all texts finds, in the tenant that the transaction is in: memories, and documents not cut."""
    texts = tx.execute("select body from memory union all select body from document")
    words = {word for row in texts for word in re.findall(r"[a-z0-9]+", row["body"].lower())}
    scope = search.Scope(tenant="default", at=tx.now, history=1)
    found = {}
    for word in sorted(words):
        asked = search.expression(tx, Terms(words=(word,)))
        found[word] = [row["ref"] for row in search.match_text(tx, scope, asked=asked, limit=100_000)]
    return found


def work(pipe: Connection, url: str, ahead_ms: int, concurrency: int, dies_at: int) -> None:
    """The worker of a memory, until nothing is left. Says how many jobs it did."""
    with memory(url, ahead_ms=ahead_ms, concurrency=concurrency) as jot:
        jot.database = Doomed(jot.database, dies_at)
        pipe.send(jot.work())


def remember_audited(pipe: Connection, url: str, dies_at: int) -> None:
    """A request that stores three memories, in a tenant named after the step."""
    with memory(url) as jot:
        jot.database = Doomed(jot.database, dies_at)
        tenant = f"step {dies_at}"
        view = audited_client(jot, AuditEntry(tenant=tenant, request="r", name="laptop", action="POST /v1/memories"))
        for number in range(3):
            view.remember(f"Number {number}.")


def read(
    pipe: Connection, url: str, llm_url: str, ahead_ms: int, concurrency: int, dies_at: int, key: str = "sk"
) -> None:
    """The same with a language model that reads, for whom it has this key."""
    with memory(url, ahead_ms=ahead_ms, concurrency=concurrency) as jot:
        jot.settings = jot.settings.replace(llm_url=llm_url, llm_model="m", llm_api_key=key)
        jot.database = DoomedAtWork(jot.database, dies_at)
        pipe.send(jot.work())


class DoomedTransaction:
    """A transaction in whose hands the process dies: at its `dies_at`-th query from 1."""

    def __init__(self, tx: Transaction, dies_at: int) -> None:
        self._tx = tx
        self._left = dies_at

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._tx, name)
        if name in ("one", "all", "run", "run_many"):
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return found


def update(pipe: Connection, url: str, id: str, text: str, dies_at: int) -> None:
    """Updates the text of a memory, in a transaction that ends at its `dies_at`-th query."""
    with memory(url) as jot, jot.database.transaction(tenant=jot.settings.tenant) as tx:
        update_memory(DoomedTransaction(tx, dies_at), id=id, options={"text": text})  # type: ignore[arg-type]
    pipe.send("done")


def forget(pipe: Connection, url: str, selection: dict[str, Any], dies_at: int) -> None:
    """Forgets what is selected, a few memories at a time."""
    forget_module.PAGE = 4
    with memory(url) as jot:
        plan = jot.plan_forget(**selection)
        jot.database = Doomed(jot.database, dies_at)
        pipe.send(jot.forget(plan))


def upsert_many(pipe: Connection, url: str, items: list[Any], dies_at: int) -> None:
    """Stores memories by their keys in one commit."""
    with memory(url) as jot:
        jot.database = Doomed(jot.database, dies_at)
        pipe.send(len(jot.upsert_many(items)))


def use_trash(pipe: Connection, url: str, action: str, dies_at: int) -> None:
    """Forgets a session to the trash, a few memories at a time, restores the latest batch, or empties the trash."""
    forget_module.PAGE = 4
    with memory(url) as jot:
        plan, batches = jot.plan_forget(session="s"), jot.admin.trash()
        jot.database = jot.admin._database = Doomed(jot.database, dies_at)
        if action == "forget":
            pipe.send(jot.forget(plan, trash=True))
        elif action == "restore":
            pipe.send(jot.admin.restore_forgotten(batches[0].id))
        else:
            pipe.send(jot.admin.empty_trash())


def import_export(pipe: Connection, url: str, path: str, dies_at: int) -> None:
    """Imports an export, a few lines at a time."""
    import_module.BATCH_LINES = 5
    with memory(url) as jot:
        jot.database = Doomed(jot.database, dies_at)
        pipe.send(jot.import_memories(path))


def add(pipe: Connection, url: str, texts: list[str]) -> None:
    """Adds documents, and says the receipt of each."""
    with memory(url) as jot:
        for text in texts:
            pipe.send(jot.add(text))


def produce(pipe: Connection, url: str, dies_at: int, name: str, numbers: range, batch: int, lease_ms: int) -> None:
    """Sends numbered jobs, each with its key, a batch whenever it is told; says what became of each."""
    database = Doomed(connect(url, schemas=QUEUE, wait_ms=WAIT_MS), dies_at)
    for number in numbers:
        if (number - numbers.start) % batch == 0:
            pipe.recv()
        key = f"{name}-{number}"
        spec = JobSpec(queue="q", kind="k", payload=f'"{key}"', key=key, lease_ms=lease_ms)
        with database.transaction() as tx:
            sent = queue.send(tx, spec)
        pipe.send(sent)
    database.close()


def consume(pipe: Connection, url: str, dies_at: int, worker_idle_ms: int) -> None:
    """Runs a loop whose jobs each leave one row, and which ends when nothing is left for so long."""
    database = connect(url, schemas=QUEUE, wait_ms=WAIT_MS)

    def handler(job: Job) -> Any:
        row = {"id": job.id, "payload": job.payload}
        return lambda tx: tx.execute("insert into effect (job_id, payload) values (:id, :payload)", row)

    options = LoopOptions(concurrency=2, heartbeat_ms=200, worker_idle_ms=worker_idle_ms)
    doomed = Doomed(database, dies_at)
    Loop(doomed, {"k": handler}, queues=("q",), owner=str(os.getpid()), options=options, hooks=Leaves()).run()
    pipe.send("done")
    database.close()


def stall(pipe: Connection, url: str, name: str, count: int) -> None:
    """A processor that says when it has begun so many jobs, and never ends one."""
    begun = itertools.count(1)

    def handler(task: Task) -> None:
        if next(begun) == count:
            pipe.send("begun")
        threading.Event().wait()

    handlers = dict.fromkeys(("default", "ingest", "enrich"), handler)
    Processor(Queue(url, name), handlers, concurrency=count).run(forever=True)


def poisoned(pipe: Connection, url: str, ahead_ms: int, crowded: bool) -> None:
    """A processor with a handler that kills its process, if `crowded` not before another job runs beside it."""
    running, beside = threading.Event(), threading.Event()

    def handler(task: Task) -> Any:
        if task.payload == "poison":
            running.set()
            if crowded:
                beside.wait()
            os.kill(os.getpid(), signal.SIGKILL)
        if crowded and running.wait():
            beside.set()
            threading.Event().wait()
        return lambda tx: tx.execute("insert into effect (job_id) values (:id)", {"id": task.job.id})

    jobs = Queue(url, clock=lambda: system_clock() + ahead_ms)
    Processor(jobs, {"default": handler}, concurrency=4).run()


def process(pipe: Connection, url: str) -> None:
    """A processor whose jobs each leave one row. It runs until it is killed."""

    def handler(task: Task) -> Any:
        return lambda tx: tx.execute("insert into effect (job_id) values (:id)", {"id": task.job.id})

    Processor(Queue(url), {"default": handler}, concurrency=2, durable=False).run(forever=True)


def hold(pipe: Connection, url: str, statements: tuple[str, ...]) -> None:
    """Another program that uses the file: runs the statements, and then holds what they gave it until it is told."""
    connection = apsw.Connection(url)
    connection.set_busy_timeout(WAIT_MS)
    cursors = [connection.execute(statement) for statement in statements]
    for cursor in cursors:
        cursor.fetchone()
    pipe.send("holding")
    pipe.recv()
    connection.close(True)
