"""Self-test of an installation: store a document, run its jobs, recall it, and delete everything again.

It runs in a tenant of its own, for which no model is called (`names.PROBE`), so it costs nothing. If running the
pending jobs of other tenants would call a paid model, it is skipped.
"""

from __future__ import annotations

import threading

from jotsam.core.clock import monotonic_ms, new_id
from jotsam.core.errors import JotsamError
from jotsam.core.names import ENRICH, INGEST, MEMORY_QUEUES, PROBE
from jotsam.core.records import CheckResult
from jotsam.memory.api.client import Jotsam
from jotsam.memory.jobs.worker_session import run_worker
from jotsam.memory.status.queue_state import paused, worker_state
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.queueing.loop import Loop

ROUND_TRIP_MS = 30_000


def round_trip(jot: Jotsam, settings: Settings) -> CheckResult:
    """Store a document, run its jobs with the settings of `jot`, and recall it."""
    with jot.database.snapshot() as tx:
        closed = [one.queue for one in paused(tx) if one.queue in (INGEST, ENRICH)]
        others = queue.is_ready(tx, MEMORY_QUEUES)
        state, _ = worker_state(tx, leased=jot.database.is_file)
    if closed:
        text = f"skipped: {' and '.join(closed)} is paused"
        return CheckResult(name="round trip", level="warn", text=text, repair=f"jotsam jobs resume {closed[0]}")
    costs = bool(settings.has_model or settings.embed_url)
    if others and costs and state == "none":
        text = "skipped: other jobs run first, and they would call a paid model"
        return CheckResult(
            name="round trip", level="warn", text=text, repair="`jotsam jobs work`, then `jotsam doctor` again"
        )
    word = new_id()
    plain = {"llm": "off", "llm_url": "", "embed_url": "", "embed_model": "", "rerank_url": "", "spacy_model": ""}
    scratch = settings.replace(tenant=f"{PROBE}{word[:8]}", project="", worker="off", **plain)
    with Jotsam(settings=scratch) as own:
        try:
            return _store_and_recall(jot, own, word, works=not (others and costs))
        finally:
            own.admin.forget_tenant()


def _store_and_recall(jot: Jotsam, own: Jotsam, word: str, *, works: bool) -> CheckResult:
    started = monotonic_ms()
    receipt = own.add(f"# Doctor\n\nThis round trip carries the word {word}.")
    accepted = monotonic_ms() - started
    if not (_run_jobs(jot, own, receipt.id) if works else own.wait([receipt.id], timeout_ms=ROUND_TRIP_MS)):
        return _not_finished(own, receipt.id)
    answer = own.recall(word)
    took = monotonic_ms() - started
    if any(word in hit.text for hit in answer.hits):
        text = f"accepted in {accepted:,} ms, found again as a memory after {took:,} ms"
        return CheckResult(name="round trip", level="ok", text=text)
    text = "a document was stored and its jobs ran, but recall does not find it"
    return CheckResult(name="round trip", level="fail", text=text, repair="report this as a bug")


def _not_finished(own: Jotsam, id: str) -> CheckResult:
    error = next((job.error for job in own.show(id).jobs if job.error), None)
    if error:
        repair = "report this as a bug"
        return CheckResult(
            name="round trip", level="fail", text=f"a job of the document failed: {error}", repair=repair
        )
    text = f"a document was stored, but its jobs did not finish within {ROUND_TRIP_MS // 1000} s"
    repair = "many jobs are pending: check `jotsam status` and retry later"
    return CheckResult(name="round trip", level="warn", text=text, repair=repair)


def _run_jobs(jot: Jotsam, own: Jotsam, id: str) -> bool:
    """Run jobs until those of this document are done. Another worker may run them instead."""
    watchers: list[threading.Thread] = []
    errors: list[JotsamError] = []

    def started(loop: Loop) -> None:
        def watch() -> None:
            try:
                own.wait([id], timeout_ms=ROUND_TRIP_MS)
            except JotsamError as error:
                errors.append(error)
            finally:
                loop.stop()

        watchers.append(threading.Thread(target=watch, daemon=True))
        watchers[0].start()

    if run_worker(jot, started=started) is None:
        return own.wait([id], timeout_ms=ROUND_TRIP_MS)
    watchers[0].join()
    if errors:
        raise errors[0]
    return own.wait([id], timeout_ms=0) and own.show(id).jobs == ()
