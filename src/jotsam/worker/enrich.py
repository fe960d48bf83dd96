"""The job `enrich`: reads one memory for what it is about, outside any transaction, and saves all it found in one."""

from __future__ import annotations

from jotsam.pipeline.extract import entities
from jotsam.pipeline.names import slug
from jotsam.pipeline.summarise import summarise
from jotsam.pipeline.tag import tags
from jotsam.records import Entity
from jotsam.storage import graph, memories
from jotsam.worker.ingest import PRECEDED_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.records import Job
    from jotsam.storage.database import Database, Transaction
    from jotsam.worker.loop import Handler


def handler(database: Database) -> Handler:
    """A handler of `enrich` jobs: entities, their tags, a summary, and the link to what was said before."""

    def enrich(job: Job) -> Callable[[Transaction], None] | None:
        with database.snapshot() as tx:
            tx.enter(job.tenant)
            row = memories.get(tx, tenant=job.tenant, uuid=str(job.payload).strip('"'))
        if row is None:
            return None  # It was forgotten meanwhile, and so there is nothing to do.
        number, session = row["id"], row["session"]
        found = entities(row["body"])
        summary = summarise(row["body"]) or None

        def save(tx: Transaction) -> None:
            memories.tag(tx, tenant=job.tenant, number=number, tags=tags(found))
            graph.mention(tx, tenant=job.tenant, number=number, entities=(*found, *_said_by(row["actor"])))
            memories.mark_enriched(tx, number=number, summary=summary)
            if session is not None and row["document_id"] is None:
                before = memories.said_before(tx, tenant=job.tenant, session=session, number=number)
                if before is not None:
                    graph.link(tx, source=number, target=before, type=PRECEDED_BY)

        return save

    return enrich


def _said_by(actor: str | None) -> tuple[Entity, ...]:
    """Who says something is joined to whatever speaks of them; it is no tag, for that is a field of its own."""
    plain = slug(actor) if actor else ""
    return (Entity(category="people", slug=plain, name=str(actor)),) if plain else ()
