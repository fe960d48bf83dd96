"""The job `enrich`: reads one memory for what it is about, outside any transaction, and saves all it found in one."""

from __future__ import annotations

from jotsam.pipeline.rules import findings
from jotsam.pipeline.tag import tags
from jotsam.storage import graph, memories
from jotsam.worker.ingest import PRECEDED_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.pipeline.sift import Namer
    from jotsam.records import Job
    from jotsam.storage.database import Database, Transaction
    from jotsam.worker.loop import Handler


def handler(database: Database, *, namer: Namer | None = None) -> Handler:
    """A handler of `enrich` jobs: entities, their tags, a summary, and the link to what was said before."""

    def enrich(job: Job) -> Callable[[Transaction], None] | None:
        with database.snapshot() as tx:
            tx.enter(job.tenant)
            row = memories.get(tx, tenant=job.tenant, uuid=str(job.payload).strip('"'))
        if row is None:
            return None  # It was forgotten meanwhile, and so there is nothing to do.
        number, session = row["id"], row["session"]
        said_at = row["created_at"] if row["said_at"] is None else row["said_at"]
        found = findings(row["body"], said_at=said_at, actor=row["actor"], namer=namer)

        def save(tx: Transaction) -> None:
            memories.tag(tx, tenant=job.tenant, number=number, tags=tags(found.entities))
            graph.mention(tx, tenant=job.tenant, number=number, entities=found.entities)
            memories.mark_enriched(tx, number=number, summary=found.summary or None)
            if session is not None and row["document_id"] is None:
                before = memories.said_before(tx, tenant=job.tenant, session=session, number=number)
                if before is not None:
                    graph.link(tx, source=number, target=before, type=PRECEDED_BY)

        return save

    return enrich
