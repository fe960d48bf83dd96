"""Sources of a move: something of everything, of two tenants; and every row of a database, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

from jotsam import Jotsam, Queue
from jotsam.core.platform import process_identity
from jotsam.core.settings import Settings
from jotsam.core.token_records import AuditEntry
from jotsam.memory.access.idempotency import KeptReply, run_once
from jotsam.memory.access.tokens import create_token
from jotsam.storage import MEMORY, connect, queue
from jotsam.storage.access import audits
from jotsam.storage.costs import ledger
from jotsam.storage.memories import given_texts, memories
from jotsam.storage.recall import hints
from jotsam.storage.tables import left_out
from lifecycle_rows import fill_lifecycle

if TYPE_CHECKING:
    from jotsam.storage.database import Database

TENANTS = ("ana", "bo's")
NOTES = "# Notes\n\n## A\nMet with John Smith about the launch.\n\n## B\nWe use Redis and 数据库 for it.\n"


def fill(settings: Settings, clock: Callable[[], int]) -> None:
    with Jotsam(settings=settings, clock=clock) as jot:
        first = jot.remember("The port is 8080.")
        jot.add(NOTES, source="notes.md", key="first")
        jot.work()
        jot.add(NOTES + "\n## C\nThe launch is on Friday.\n", source="notes.md", project="apollo", date="2025-01-02")
        marcus = jot.remember("Marcus prefers returns.", tags=["style", "zeta"], type="Preference", importance=0.1)
        jot.update(marcus.id, text="Marcus prefers early returns.", add_metadata={"of": "code"})
        jot.remember(
            "He said so.",
            session="s",
            actor="Ana Lee",
            external_id="n-1",
            metadata={"a": [1, "é"], "b": "é"},
            confidence=0.3,
        )
        jot.remember("The launch has been moved from May to June.")
        jot.remember("And again.", session="s", key="k", valid_from="2020-01-01")
        jot.remember("never deploy on a Friday", session="rules", actor="user")
        jot.work()
        for place in ("kitchen", "hall", "garden"):
            jot.remember(f"We decided to paint the {place} green.")
        jot.work()
        # What comes early is replaced by what comes last: in a move, a row refers to one that is not there yet.
        jot.supersede(first.id, jot.remember("The port is 9090.").id)
        jot.knowledge.merge("people:john-smith", into="tools:redis")
        jot.knowledge.allow("password: swordfish1", reason="an example")
        jot.remember("Connected with AKIAQ3EGRIZ7XT5NVLWB.")
        pay(jot)
        create_token(jot.database, tenant=settings.tenant, name="laptop", scope="write", rate=0.5, max_bytes=1_000)
        jot.admin.discard(jot.add("Discarded, so that its job's id is free.").job_id)
        jot.add("This still waits to be cut: launch codes.", source="later.md")
        jot.forget(jot.plan_forget(ids=[jot.remember("Forgotten for good.").id]), never_again=True)
        jot.forget(jot.plan_forget(ids=[jot.remember("Forgotten to the trash.").id]), trash=True)
        with jot.database.transaction(tenant=settings.tenant) as tx:
            fill_lifecycle(tx)
            given_texts.add(tx, "s", kind=given_texts.START, text="The port is 9090.", ids=[marcus.id])
            hints.replace(tx, number=memories.get(tx, uuid=marcus.id)["id"], words=("linter", "style"))
        assert jot.recall("Which port is it?").hits, "so that a memory was recalled"
        jot.blocks.set("human", "Ana é likes tea.", project="apollo", actor="Ana Lee")
        jot.store.put(["users", "Ana é \0"], "tea", {"likes": "tea \0", "n": -1.5}, ttl_ms=10**9, vectors=[[3, 4.0]])
        jot.store.append(["session"], ["It is 数据库.", 2**70])
        reply = KeptReply(status=202, body="{}", location="/v1/jobs/1")
        run_once(jot.database, jot.settings, key="k", fingerprint="f", write=lambda _: reply)
        dead = jot.remember("Its job will die.")
        with jot.database.transaction() as tx:
            queue.save_worker(tx, "me", process_identity.this_process(is_local=False))
            while (job := next(iter(queue.receive(tx, queue="enrich", owner="me")), None)) is not None:
                queue.bury(tx, job, error=f"hopeless\0 {job.id}", trace="line 1\nline 2")
        assert jot.show(dead.id).jobs[0].state == "dead"


def pay(jot: Jotsam) -> None:
    """What a language model leaves behind: an answer that is kept, and its cost. And what a request leaves behind."""
    spent = ledger.Spent(tokens_in=3, tokens_out=2, cost=0.5)
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        (row,) = tx.execute("select id from memory order by id limit 1")
        ledger.save_reply(tx, key="k", body="{}", extractor="llm:m", memory=row["id"])
        about = {"job_id": 1, "model": "m", "purpose": "extraction"}
        for _ in range(2):
            entry = ledger.reserve(tx, about, estimate=spent, cap=ledger.Cap(), until=tx.now + 60_000)
        assert entry
        ledger.settle(tx, entry, spent=spent)
        audits.add(tx, AuditEntry(tenant=jot.settings.tenant, request="r", name="laptop", action="POST /v1/turns"))


def fill_queue(url: str, clock: Callable[[], int]) -> None:
    """A queue of the caller's own, with every kind of job."""
    with Queue(url, "mail", fair=True, clock=clock) as mail:
        mail.send({"text": "é"}, key="once", tenant="ana")
        mail.send(b"\0\1\xff", tenant="bo's", delay_ms=3_600_000)
        mail.send("in order", lane="l", parallel=False)
        mail.send("after that", lane="l")
        mail.send("fails", priority=5)
        (job,) = mail.receive_many(1)
        mail.release(job, delay_ms=60_000, error="not yet")
        mail.send("ends well", priority=5)
        (job,) = mail.receive_many(1)
        with mail.transaction() as tx:
            queue.save_result(tx, job, json='{"n": 1}', life_ms=86_400_000)
            mail.delete(job, tx=tx)
            queue.save_worker(tx, "me", process_identity.this_process(is_local=False))
        mail.pause("for the night")
        last = mail.send("discarded")
        mail.discard(last.id)


def rows_of(url: str, schemas: tuple[str, ...] = MEMORY) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table that a migration made, by the names of its columns, whoever it belongs to."""
    found: dict[str, list[tuple[object, ...]]] = {}
    database = connect(url, schemas=schemas)
    try:
        for name in tables_of(database):
            by_tenant = []
            for tenant in ("nobody", *TENANTS):
                with database.snapshot(tenant=tenant) as tx:
                    rows = [tuple(sorted(row.items(), key=str)) for row in tx.execute(f"select * from {name}")]
                by_tenant.append(rows)
            is_open = name.startswith("queue_")  # There is no wall, and there may be rows that are alike.
            found[name] = sorted(by_tenant[0] if is_open else set(chain(*by_tenant)), key=str)
    finally:
        database.close()
    return found


def as_written(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, object]:
    """PostgreSQL counts in many rows, notes by itself what is ready again, and holds no NUL."""
    rows = dict(rows)
    jobs = (tuple(pair for pair in row if pair[0] != "requeued") for row in rows["queue_job"])
    rows["queue_job"] = sorted(jobs, key=str)
    counts: dict[object, dict[str, int]] = {}
    for pairs in rows.pop("queue_count"):
        row: dict[str, Any] = dict(pairs)  # type: ignore[arg-type]
        key = tuple(row[name] for name in ("queue", "tenant", "kind", "hour"))
        numbers = {name: value for name, value in row.items() if name not in ("queue", "tenant", "kind", "hour")}
        before = counts.setdefault(key, dict.fromkeys(numbers, 0))
        counts[key] = {name: before[name] + value for name, value in numbers.items()}
    plain = {name: [str(row).replace("\\x00", "\ufffd") for row in each] for name, each in rows.items()}
    return plain | {"queue_count": sorted(counts.items())}


def tables_of(database: Database) -> list[str]:
    sql = (
        "select name from sqlite_schema where type = 'table'"
        " and name not glob 'text_index*' and name not glob 'sqlite_*'"
        if database.is_file
        else "select relname as name from pg_class where relkind in ('r', 'p') and not relispartition"
        " and relname not in ('text_index', 'text_count')"
        " and relnamespace = cast(current_schema() as regnamespace)"
    )
    with database.snapshot() as tx:
        names = {row["name"] for row in tx.execute(sql)}
    return sorted(names - left_out())
