"""The jobs `enrich` and `model`: extract entities, facts, type and summary from one memory, and link it to others.

With a language model, `enrich` saves what the rules find and sends the job `model`, in a queue of its own: a model that
is slow or away delays nothing else, and no memory is left without what the rules find. The second job reads what they
stored, and runs them again only if that may have changed.

Extraction runs outside any transaction. One transaction saves all results and deletes the job.
"""

from __future__ import annotations

import logging

from jotsam.core.names import PROBE
from jotsam.ingest import accept
from jotsam.pipeline.extraction.extract import Extraction, Guard, extract, merge
from jotsam.pipeline.statements.find_changes import find_changes
from jotsam.pipeline.text.slugs import title_slugs
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories, updates
from jotsam.storage.recall import vectors
from jotsam.worker.enrichment.changes import apply_changes
from jotsam.worker.enrichment.embed import job_spec
from jotsam.worker.enrichment.links import link_to_earlier, update_patterns
from jotsam.worker.enrichment.notes import update_notes
from jotsam.worker.enrichment.save_extraction import save_extraction
from jotsam.worker.enrichment.stored_extraction import stored_by_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.job_records import Job
    from jotsam.pipeline.entities.filter import NameTagger
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.worker.enrichment.extraction_process import ExtractionProcess
    from jotsam.worker.enrichment.llm_extraction import LlmExtractor

log = logging.getLogger("jotsam.worker")


def handler(
    database: Database,
    *,
    llm: LlmExtractor | None = None,
    asks_later: bool = False,
    tagger: NameTagger | None = None,
    process: ExtractionProcess | None = None,
    summaries: bool = True,
    embeds: bool = False,
) -> Handler:
    """A handler of these jobs. `asks_later` sends the job for a language model; `llm` adds its extraction to what the
    rules stored, or find. With `process` the rules run there, with the bundled tagger.

    `summaries=False` stores no summary. With `embeds` the memory is marked for embedding, which is a job of its own.
    """

    def enrich(job: Job) -> Callable[[Transaction], None] | None:
        with database.snapshot(tenant=job.tenant) as tx:
            read = memories.get(tx, uuid=str(job.payload).strip('"'))
            stored = stored_by_rules(tx, read, tagger) if llm is not None and read is not None else None
        if read is None:
            return None  # The memory was forgotten after the job was sent.
        is_probe = job.tenant.startswith(PROBE)
        hands_over = asks_later and not is_probe
        if hands_over and read["enriched_at"] is not None:
            return lambda tx: _send_to_model(tx, job, read)
        found = stored or extract_by_rules(read, tagger, process)
        if hands_over:
            found = merge(found, Extraction(extractor="", degraded=memories.UNREAD, awaits_model=True))
        elif llm is not None and not is_probe:
            found = merge(found, llm.extract(job, read))
        guard = Guard()
        stated = guard.all(find_changes, read["body"])
        found = found.replace(failed_rules=(*found.failed_rules, *guard.failures))
        for failure in found.failed_rules:
            log.warning("memory %s: %s; everything else is stored", read["uuid"], failure)
        if not summaries:
            found = found.replace(summary=None)

        def save(tx: Transaction) -> None:
            if not erasure.is_memory(tx, read["id"]):
                return  # It was forgotten since.
            is_read = updates.lock(tx, uuid=read["uuid"]) == read["version"]
            row = read if is_read else memories.get(tx, uuid=read["uuid"])
            if row is None or (row["body"], row["said_at"]) != (read["body"], read["said_at"]):
                return  # It has another text or date since. That update has sent a job of its own.
            save_extraction(tx, row, found)
            apply_changes(tx, row, stated, found.changes)
            graph.set_titles(tx, number=row["id"], slugs=title_slugs(row["actor"], row["section"], row["source"]))
            link_to_earlier(tx, row)
            update_patterns(tx, row, found)
            update_notes(tx, memories.get(tx, uuid=row["uuid"]) or row)
            if embeds and not is_probe and vectors.want(tx, number=row["id"]):
                queue.ensure(tx, job_spec(job.tenant))
            if hands_over:
                _send_to_model(tx, job, row)

        return save

    return enrich


def _send_to_model(tx: Transaction, job: Job, row: Row) -> None:
    """Send the job in which the model reads the memory, unless that was forgotten or changed since."""
    known = memories.get(tx, uuid=row["uuid"])
    if known is not None and known["job_id"] == job.id:
        spec = accept.model_job(row["uuid"], tenant=job.tenant, attempts=job.max_receive, priority=job.priority)
        memories.set_enrich_job(tx, number=row["id"], job_id=queue.send(tx, spec).id)


def extract_by_rules(
    row: Row, tagger: NameTagger | None = None, process: ExtractionProcess | None = None
) -> Extraction:
    """What the rules and the tagger find in a stored memory."""
    said_at = row["created_at"] if row["said_at"] is None else row["said_at"]
    if process is not None:
        return process.extract(row["body"], said_at=said_at, actor=row["actor"])
    return extract(row["body"], said_at=said_at, actor=row["actor"], tagger=tagger)
