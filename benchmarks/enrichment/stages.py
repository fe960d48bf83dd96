"""The cost of each stage for one memory: ingest, enrich and embed; without models, and with spaCy and MiniLM.

The worker's own loop and handlers process all documents, one job at a time. Each handler is timed with what it writes,
but without the commit, which a thread shares with its next claim. Ingest is also given per document. An `embed` job
takes a batch, so its time is divided by its memories. The spaCy pipeline is saved by this benchmark:
`spacy.blank("en")` with an EntityRuler that knows the capitalised words of the documents. It shows the cost of spaCy
itself; a trained pipeline takes longer. Vectors are made by the model in the folder that `JOTSAM_EMBED_MODEL` names
(all-MiniLM-L6-v2, run by numpy), else by hashing, and the table states which.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path
from time import perf_counter_ns
from typing import TYPE_CHECKING

import jotsam
from benchmarks.corpus import accepted, documents, shape
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration
from benchmarks.timing import percentile
from jotsam.core.names import EMBED, ENRICH, INGEST, MEMORY_QUEUES
from jotsam.core.settings import Settings
from jotsam.ingest import accept
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopHooks
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import Nearest
from jotsam.worker.enrichment import embed
from jotsam.worker.handlers import Handlers

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.job_records import Job
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Transaction

LIMIT_MS = 5
MOST_NAMES = 2_000
HASHING = "hashing"


class Leaves(LoopHooks):
    """Lets the loop end as soon as nothing is left."""

    def should_exit(self, tx: Transaction) -> bool:
        return True


class Times:
    """Nanoseconds by stage: of each document that was cut, and of each memory that was read or embedded."""

    def __init__(self, jot: jotsam.Jotsam) -> None:
        self._jot = jot
        self.of: dict[str, list[float]] = defaultdict(list)

    def timed(self, kind: str, handler: Handler) -> Handler:
        def handle(job: Job) -> Callable[[Transaction], None]:
            count = self._waiting() if kind == EMBED else 1
            began = perf_counter_ns()
            save = handler(job)
            took = perf_counter_ns() - began

            def write(tx: Transaction) -> None:
                began = perf_counter_ns()
                if save is not None:
                    save(tx)
                self.of[kind] += [(took + perf_counter_ns() - began) / max(count, 1)] * count

            return write

        return handle

    def _waiting(self) -> int:
        with self._jot.database.snapshot(tenant="default") as tx:
            return min(embed.BATCH, vectors.count_wanted(tx))


def measure(plan: Plan) -> Report:
    model = os.environ.get("JOTSAM_EMBED_MODEL") or HASHING
    pipeline, remarks = _pipeline(plan)
    without = _times(plan, "without", spacy_model="", embed_model="")
    made = _times(plan, "with", spacy_model=pipeline, embed_model=model)
    memories = len(without[ENRICH])
    name = "hashing" if model == HASHING else "MiniLM"
    rows = [
        ("ingest, per document", *_spread(without[INGEST]), *_spread(made[INGEST])),
        ("ingest, per memory", duration(sum(without[INGEST]) / memories), "", "", ""),
        ("enrich", *_spread(without[ENRICH]), *_spread(made[ENRICH])),
        ("embed, with links", "", "", *_spread(made[EMBED])),
    ]
    columns = ("stage", "no models, p50", "p95", f"spaCy and {name}, p50", "p95")
    bound = Bound(
        promise="enriching one memory without models, p50",
        measured=percentile(without[ENRICH], 0.5) / 1e6,
        limit=LIMIT_MS,
        unit="ms",
    )
    table = Table(caption="One job at a time.", columns=columns, rows=rows)
    return Report(
        tables=[table], bounds=[bound], conditions=(shape(plan.documents), f"{memories} memories"), remarks=remarks
    )


def _times(plan: Plan, name: str, **models: str) -> dict[str, list[float]]:
    """Nanoseconds by stage, of working through all documents in a database of their own."""
    path = plan.folder / f"{name}.db"
    accepted(plan.documents, path)
    settings = Settings(db=str(path), worker="off", worker_idle_ms=0, concurrency=1, **models)
    with jotsam.Jotsam(settings=settings) as jot:
        worker = Handlers(
            jot.database, settings, context=accept.index_context, nearest=Nearest(), commands=None, changes={}
        )
        times = Times(jot)
        handlers = {kind: times.timed(kind, handler) for kind, handler in worker.by_kind.items()}
        loop = Loop(
            jot.database, handlers, queues=MEMORY_QUEUES, owner="benchmark", options=worker.loop_options, hooks=Leaves()
        )
        try:
            loop.run()
        finally:
            worker.close()
        if jot.status().depth.dead:
            raise RuntimeError("a job failed for good")
    return times.of


def _pipeline(plan: Plan) -> tuple[str, list[str]]:
    """A folder with a spaCy pipeline that was just made, and what there is to say about it."""
    try:
        import spacy
    except ImportError:
        return "", ["spaCy is not installed, so the shipped tagger reads in both columns."]
    folder: Path = plan.folder / "pipeline"
    text = "\n".join(documents(plan.documents).values())
    names = sorted(set(re.findall(r"\b[A-Z][a-z]{3,}\b", text)))[:MOST_NAMES]
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PRODUCT", "pattern": name} for name in names])
    pipeline.to_disk(folder)
    return str(folder), []


def _spread(took: list[float]) -> tuple[str, str]:
    return duration(percentile(took, 0.5)), duration(percentile(took, 0.95))


if __name__ == "__main__":
    main(measure, __doc__)
