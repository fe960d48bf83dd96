"""Reprocessing: which memories to enrich again, an estimate of the cost, and queueing them at low priority.

A memory that has a job already is not queued twice. Extraction results are replaced when the new job is done; what
people entered is kept.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.names import as_type
from jotsam.core.records import Record
from jotsam.ingest import accept
from jotsam.memory.reading.show import show
from jotsam.pipeline.extraction.extract import extractor_name
from jotsam.pipeline.llm.prompt import AGENT_SCHEMA
from jotsam.storage import queue
from jotsam.storage.graph import graph, patterns
from jotsam.storage.memories import documents, memories, projects
from jotsam.storage.memories.memories import Wanted
from jotsam.storage.recall import vectors
from jotsam.worker.enrichment import agent_extraction, llm_extraction
from jotsam.worker.enrichment.llm_extraction import CostEstimate
from jotsam.worker.enrichment.ner import ConfiguredTagger
from jotsam.worker.enrichment.save_extraction import clear_extraction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.worker.enrichment.llm_extraction import LlmExtractor

EXTRACT_SCHEMA = AGENT_SCHEMA  # JSON schema of an agent's reply to `extract_prompt`
PAGE = 200


class ReprocessPlan(Record):
    """The memories to enrich again. `cost` is an estimate; None without a language model."""

    extractor: str  # that will process them
    due: tuple[str, ...] = ()  # UUIDs
    waiting: int = 0  # memories that have a job already
    current: int = 0  # memories that this version of the extractor has processed
    cost: CostEstimate | None = None
    documents: tuple[str, ...] = ()  # UUIDs of documents that are not chunked because their job was discarded


def wanted(fields: dict[str, Any]) -> Wanted:
    """The filter for the options of `Jotsam.plan_reprocess`. Raises `InvalidInput`."""
    validate.check_fields(fields, set(Wanted._fields) - {"uuid"})
    for name, value in fields.items():
        validate.check_bool(name, value) if name == "degraded" else validate.check_optional_text(name, value)
    if fields.get("type"):
        fields = {**fields, "type": as_type(fields["type"])}
    return Wanted(**fields)


def plan(
    database: Database, wanted: Wanted, *, settings: Settings, ids: Iterable[str] = (), force: bool = False
) -> ReprocessPlan:
    """The memories that match and were processed by another extractor or none, or without notes of their session.

    With `force`, all that match.

    `ids` are those of memories and documents, or prefixes. Changes nothing. Raises `NotFound`.
    """
    tenant, named = settings.tenant, validate.check_list("ids", ids)
    llm = llm_extraction.open_extractor(database, settings)
    with database.snapshot(tenant=tenant) as tx:
        wanted = wanted.replace(project=projects.asked(tx, wanted.project))
    try:
        who = extractor_name(ConfiguredTagger(settings.spacy_model)) if llm is None else llm.name
        found = ReprocessPlan(
            extractor=who,
            cost=None if llm is None else CostEstimate(),
            documents=tuple(_discarded(database, wanted, tenant, named)),
        )
        for page in _pages(database, wanted, tenant, resolved(database, tenant, named) if named else None):
            found = _with_page(found, page, force=force, llm=llm)
        return found
    finally:
        if llm is not None:
            llm.close()


def _with_page(found: ReprocessPlan, page: list[Row], *, force: bool, llm: LlmExtractor | None) -> ReprocessPlan:
    idle = [row for row in page if row["job_state"] in (None, "dead")]
    due = [row for row in idle if force or _is_outdated(row, found.extractor)]
    cost = found.cost
    if llm is not None and cost is not None and due:
        cost = _added(cost, llm.estimate(due, tenant=due[0]["tenant"]))
    return found.replace(
        due=(*found.due, *(row["uuid"] for row in due)),
        waiting=found.waiting + len(page) - len(idle),
        current=found.current + len(idle) - len(due),
        cost=cost,
    )


def _is_outdated(row: Row, extractor: str) -> bool:
    return row["extractor"] != extractor or row["degraded"] is not None or bool(row["is_without_notes"])


def _discarded(database: Database, wanted: Wanted, tenant: str, named: list[str]) -> Iterator[str]:
    """The UUIDs of documents whose job was discarded: of the named ones, or of those that the filter can match."""
    if not named and (wanted.type or wanted.extractor or wanted.degraded):
        return
    with database.snapshot(tenant=tenant) as tx:
        given = [document.id for id in named if (document := show(tx, id=id).document)] if named else [None]
        for uuid in given:
            after = 0
            while rows := documents.discarded(
                tx, after=after, limit=PAGE, uuid=uuid, project=wanted.project, source=wanted.source
            ):
                yield from (row["uuid"] for row in rows)
                after = rows[-1]["id"]


def start(database: Database, plan: ReprocessPlan, *, settings: Settings, clear: bool = False) -> int:
    """Queue documents and memories. With `clear`, extraction results of the memories are deleted at once.

    Returns how many were queued.
    """
    done, due = 0, plan.due
    for begin in range(0, len(plan.documents), PAGE):
        with database.transaction(tenant=settings.tenant) as tx:
            tx.lock("reprocess")
            done += sum(_start_document(tx, settings, uuid) for uuid in plan.documents[begin : begin + PAGE])
    for begin in range(0, len(due), PAGE):
        with database.transaction(tenant=settings.tenant) as tx:
            tx.lock("reprocess")  # Two at the same time would both see that a memory has no job.
            done += sum(_start(tx, settings, uuid, clear) for uuid in due[begin : begin + PAGE])
    return done


def _start_document(tx: Transaction, settings: Settings, uuid: str) -> bool:
    rows = documents.discarded(tx, limit=1, uuid=uuid)
    for row in rows:
        sent = queue.send(tx, accept.ingest_job(uuid, tenant=settings.tenant))
        documents.set_ingest_job(tx, number=row["id"], job_id=sent.id)
    return bool(rows)


def _start(tx: Transaction, settings: Settings, uuid: str, clear: bool) -> bool:
    tenant = settings.tenant
    rows = memories.to_enrich(tx, Wanted(uuid=uuid), after=0, limit=1)
    if not rows or rows[0]["job_state"] not in (None, "dead"):
        return False
    row = rows[0]
    if row["job_state"] == "dead":
        queue.discard(tx, row["job_id"])
    if clear:
        clear_extraction(tx, row)
        graph.clear_links(tx, row["id"])
        patterns.clear(tx, row["id"])
        vectors.want_again(tx, number=row["id"])
        memories.clear(tx, number=row["id"])
    spec = accept.enrich_job(uuid, tenant=tenant, attempts=settings.enrich_attempts, priority=accept.REPROCESS_PRIORITY)
    sent = queue.send(tx, spec)
    memories.set_enrich_job(tx, number=row["id"], job_id=sent.id)
    return True


def prompt(database: Database, tenant: str, ids: Iterable[str]) -> str:
    """A prompt with which an agent extracts from memories and documents itself. Raises `NotFound`."""
    uuids = resolved(database, tenant, ids)
    with database.snapshot(tenant=tenant) as tx:
        return agent_extraction.prompt_for_memories(tx, uuids)


def resolved(database: Database, tenant: str, ids: Iterable[str]) -> list[str]:
    """The UUIDs of memories: the given ones, and the chunks of the given documents."""
    found: dict[str, None] = {}
    with database.snapshot(tenant=tenant) as tx:
        for id in validate.check_list("ids", ids):
            details = show(tx, id=id)
            if details.kind == "job" or not (details.memory or details.document):
                raise InvalidInput(f"{id} is a job: give the id of its memory or document")
            found |= dict.fromkeys([details.memory.id] if details.memory else details.memories)
    return list(found)


def _pages(database: Database, wanted: Wanted, tenant: str, uuids: list[str] | None) -> Iterator[list[Row]]:
    """Pages of matching memories. Each is its own snapshot, because there may be many."""
    if uuids is not None:
        for begin in range(0, len(uuids), PAGE):
            with database.snapshot(tenant=tenant) as tx:
                some = uuids[begin : begin + PAGE]
                found = [memories.to_enrich(tx, wanted.replace(uuid=u), after=0, limit=1) for u in some]
            yield [row for rows in found for row in rows]
        return
    after = 0
    while True:
        with database.snapshot(tenant=tenant) as tx:
            rows = memories.to_enrich(tx, wanted, after=after, limit=PAGE)
        if not rows:
            return
        yield rows
        after = rows[-1]["id"]


def _added(one: CostEstimate, other: CostEstimate) -> CostEstimate:
    return CostEstimate(**{name: value + getattr(other, name) for name, value in one._values().items()})
