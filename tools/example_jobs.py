"""Jobs that have failed, waited and ended, in the memory of `example_memory`. For pictures of the dashboard."""

from __future__ import annotations

from jotsam import Jotsam
from jotsam.storage import queue


def fail(jot: Jotsam) -> None:
    """Let some jobs fail, as with a server of a model that is away and with a document that cannot be read."""
    failing = [jot.remember(f"Northwind asked for invoice {number}.", project="billing").job_id for number in range(3)]
    broken = jot.add("# Totals\n\nTotals of the third quarter.", source="docs/totals.md", project="billing").job_id
    errors = {id: f"ConnectionError: no reply from http://127.0.0.1:{11434 + id}/v1 within 30 s" for id in failing}
    errors[broken] = "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"
    for name in ("enrich", "ingest"):
        with jot.database.transaction() as tx:
            for job in queue.receive(tx, queue=name, owner="worker-1", limit=100):
                if job.id in failing[:1]:
                    queue.release(tx, job, error=errors[job.id], delay_ms=600_000)
                elif job.id in errors:
                    queue.bury(tx, job, error=errors[job.id])
                else:
                    queue.release(tx, job, error="the worker was stopped", spend=False)


def failed_job(jot: Jotsam) -> int:
    """A dead job about a document."""
    return next(job.id for job in jot.admin.jobs(state="dead") if job.kind == "ingest")


def waiting_job(jot: Jotsam) -> int:
    """A job that has failed and is tried again."""
    return next(job.id for job in jot.admin.jobs(state="waiting") if job.failures)


def done_job(jot: Jotsam) -> int:
    """The job that has made memories of the document."""
    document = jot.list(source="docs/billing-decisions.md").memories[0].document
    assert document is not None
    return jot.show(document).attempts[0].job_id
