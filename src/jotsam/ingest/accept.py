"""Fast write path: validate, redact and store a document or memory in one transaction, and send its job.

`jotsam add` and hooks start here, so this module imports only storage and the light modules of the pipeline.
"""

from __future__ import annotations

from jotsam.core.clock import new_id
from jotsam.core.job_records import JobSpec
from jotsam.core.names import ENRICH, INGEST, MODEL
from jotsam.core.project_identity import folder_of
from jotsam.core.records import Receipt, Redaction
from jotsam.ingest import backlog
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import check_document, check_line, check_memory, metadata_json, storable_text
from jotsam.pipeline.text.words import index_terms, spell_out
from jotsam.storage import events, queue
from jotsam.storage.forgetting import tombstones
from jotsam.storage.memories import allowed_secrets, documents, memories, projects
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jotsam.core.records import Document, Memory
    from jotsam.storage.database import Row, Transaction


MAX_METADATA = 2_000  # characters of metadata that are indexed
ENRICH_ATTEMPTS = 3  # default of the setting `enrich_attempts`
MAX_WAITING = 64  # documents that a search may have to index for itself
MAX_LATE = 32_000  # characters of a document that is indexed later
REPROCESS_PRIORITY = -10  # of memories that are enriched again: behind newly accepted texts


def add(
    tx: Transaction,
    document: Document,
    *,
    key: str | None = None,
    soft_cap: int | None = backlog.SOFT_CAP,
    redactions: tuple[Redaction, ...] = (),
    label: str = "",
) -> Receipt:
    """Store a document, index its words, and send the job that chunks it. Raises `InvalidInput`, before it writes.

    What was forgotten for good is not stored, and the receipt reports it.
    A `key` that the tenant used before, or the unchanged newest text of a source, is a duplicate: the first receipt is
    returned, and its job is sent again if it was discarded. `redactions` were made in the text before this call.
    `label` is that of the project, if the project is new.
    """
    text, warnings = storable_text(document.text)
    document = check_document(document)
    key = check_line("key", key)
    tx.set_tenant(document.tenant)

    redactor = Redactor(lambda: allowed_secrets.fingerprints(tx))
    text = redactor.redact_text(text)
    document = redactor.redact_fields(document, key).replace(text=text, id=new_id())
    place = projects.place(tx, document.project)
    document = document.replace(project=place.project)

    if tombstones.is_forgotten(tx, ((tombstones.TEXT, text), (tombstones.KEY, key))):
        return _forgotten()
    if known := documents.find_duplicate(tx, document, key=key):
        if _is_discarded(tx, known):
            sent = queue.send(tx, ingest_job(known["uuid"], tenant=document.tenant))
            documents.set_ingest_job(tx, number=known["id"], job_id=sent.id)
            known = {**known, "job_id": sent.id}
        return _duplicate(known)
    sent = queue.send(tx, ingest_job(document.id, tenant=document.tenant))
    if place.project and place.is_new:
        projects.add(tx, place.project, label=label)
    number = documents.save(tx, document, key=key, job_id=sent.id, joined_from=place.joined_from)
    _index_document(tx, number, document)
    _save_redactions(tx, (*redactions, *redactor.found), document=number)
    events.record(tx, events.STORE, subject=document.id, job_id=sent.id, data={"kind": "document"})
    warnings = (*warnings, *redactor.warnings, *backlog.warnings(tx, soft_cap))
    return Receipt(id=document.id, job_id=sent.id, warnings=warnings)


def remember(
    tx: Transaction,
    memory: Memory,
    *,
    key: str | None = None,
    soft_cap: int | None = backlog.SOFT_CAP,
    attempts: int = ENRICH_ATTEMPTS,
    redactions: tuple[Redaction, ...] = (),
    label: str = "",
) -> Receipt:
    """Store a memory with its tags, index its words, and send the job that enriches it. As `add`.

    A `key` or an external id that the tenant used before is a duplicate: the first receipt is returned, and its job is
    sent again if it was discarded. After `attempts` failures the job is dead. `redactions` were made in the text before
    this call. `label` is that of the project, if the project is new.
    """
    text, warnings = storable_text(memory.text)
    memory = check_memory(memory)
    metadata = metadata_json(memory.metadata)
    key = check_line("key", key)
    tx.set_tenant(memory.tenant)

    redactor = Redactor(lambda: allowed_secrets.fingerprints(tx))
    text = redactor.redact_text(text)
    memory = redactor.redact_fields(memory, key).replace(text=text, id=new_id())
    place = projects.place(tx, memory.project)
    memory = memory.replace(project=place.project)
    metadata = redactor.redact_metadata(metadata)

    names = (tombstones.TEXT, text), (tombstones.KEY, key), (tombstones.EXTERNAL_ID, memory.external_id)
    if tombstones.is_forgotten(tx, names):
        return _forgotten()
    if known := memories.find_duplicate(tx, memory, key=key):
        if _is_discarded(tx, known):
            sent = queue.send(tx, enrich_job(known["uuid"], tenant=memory.tenant, attempts=attempts))
            memories.set_enrich_job(tx, number=known["id"], job_id=sent.id)
            known = {**known, "job_id": sent.id}
        return _duplicate(known)
    sent = queue.send(tx, enrich_job(memory.id, tenant=memory.tenant, attempts=attempts))
    if place.project and place.is_new:
        projects.add(tx, place.project, label=label)
    number = memories.save(tx, memory, metadata=metadata, key=key, job_id=sent.id, joined_from=place.joined_from)
    search.index(tx, number, **index_fields(_with_stored_metadata(memory, metadata)))
    _save_redactions(tx, (*redactions, *redactor.found), memory=number)
    about = {"kind": "memory", "type": memory.type, "importance": memory.importance, "tags": len(memory.tags)}
    events.record(tx, events.STORE, subject=memory.id, job_id=sent.id, data=about)
    warnings = (*warnings, *redactor.warnings, *backlog.warnings(tx, soft_cap))
    return Receipt(id=memory.id, job_id=sent.id, warnings=warnings)


def _index_document(tx: Transaction, number: int, document: Document) -> None:
    """Index its words, or leave them to the transaction that accepts the last of `MAX_WAITING`.

    In a file each commit to the index writes a dozen pages, and most documents are chunked before anyone searches.
    """
    if not tx.indexes_later or len(document.text) > MAX_LATE:
        search.index(tx, -number, **index_fields(document))
        return
    search.index_later(tx, number)
    if search.count_waiting(tx, limit=MAX_WAITING) == MAX_WAITING:
        index_waiting(tx)


def index_waiting(tx: Transaction) -> None:
    """Index the words of all documents of the tenant that the text index does not have yet."""
    while texts := documents.waiting_for_index(tx, limit=MAX_WAITING):
        for number, document in texts.items():
            search.index(tx, -number, **index_fields(document))
        search.remove_waiting(tx, last=max(texts))


def load_waiting(tx: Transaction) -> None:
    """Let the queries of this transaction find these documents, without writing."""
    from jotsam.storage.recall import waiting_texts  # only for a search

    texts = documents.waiting_for_index(tx, limit=MAX_WAITING)
    waiting_texts.load(tx, {-number: index_fields(document) for number, document in texts.items()})


def index_fields(item: Document | Memory) -> dict[str, str]:
    """What is indexed of a text: its body, its context with the words of its metadata, and the bigrams of both."""
    words, grams = index_terms(item.text)
    context = index_context(item)
    if metadata := getattr(item, "metadata", None):
        values, _ = storable_text(" ".join(_strings(metadata))[:MAX_METADATA])
        more, pairs = index_terms(values)
        context, grams = f"{context} {more}", f"{grams} {pairs}".strip()
    return {"body": words, "context": context, "grams": grams}


def index_context(item: Document | Memory) -> str:
    """What is indexed beside the text: source, section, actor and tags."""
    source = source_in_project(item.source or "", item.project)
    parts = [source, getattr(item, "section", None), item.actor, *getattr(item, "tags", ())]
    return spell_out(" ".join(part for part in parts if part))


def source_in_project(source: str, project: str | None) -> str:
    """The part of an absolute path below its project, or else the name of the file. Any other source is unchanged.

    The folders above are shared by most files of a user, so as words they would match too much, such as `home`.
    """
    path = source.removeprefix("file://").replace("\\", "/")
    if not (path.startswith(("/", "~")) or path[1:3] == ":/"):
        return source
    *folders, name = path.split("/")
    own = folder_of(project or "")
    if own.startswith("/") and path.startswith(f"{own}/"):
        return path[len(own) + 1 :]
    own = own.rsplit("/", 1)[-1]
    above = max((at for at, folder in enumerate(folders) if folder and folder == own), default=len(folders))
    return "/".join([*folders[above + 1 :], name])


def _with_stored_metadata(memory: Memory, metadata: str | None) -> Memory:
    """The memory with its metadata as stored, without secrets."""
    if metadata is None:
        return memory
    import json  # rarely needed

    return memory.replace(metadata=json.loads(metadata))


def _strings(metadata: object) -> Iterator[str]:
    """The strings among the values of metadata, at any depth, in their order."""
    left = [metadata]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            left += reversed([*value.values()] if isinstance(value, dict) else value)


def _save_redactions(tx: Transaction, found: tuple[Redaction, ...], **item: Any) -> None:
    if found:
        from jotsam.storage.memories import redactions  # rarely needed

        redactions.save(tx, found, **item)


def _is_discarded(tx: Transaction, known: Row) -> bool:
    """Whether it is not processed and has no job that would do it."""
    return known["processed_at"] is None and queue.get(tx, known["job_id"]) is None


def _duplicate(known: Row) -> Receipt:
    return Receipt(id=known["uuid"], job_id=known["job_id"], duplicate=True)


def _forgotten() -> Receipt:
    warning = "not stored, because it was forgotten for good: `jotsam forget --allow-again` takes that back"
    return Receipt(id="", job_id=0, forgotten=True, warnings=(warning,))


def ingest_job(document: str, *, tenant: str) -> JobSpec:
    """The job that chunks the document with this id."""
    return JobSpec(queue=INGEST, kind=INGEST, payload=f'"{document}"', tenant=tenant)


def enrich_job(memory: str, *, tenant: str, attempts: int = ENRICH_ATTEMPTS, priority: int = 0) -> JobSpec:
    """The job that enriches the memory with this id. After `attempts` failures it is dead."""
    payload = f'"{memory}"'
    return JobSpec(queue=ENRICH, kind=ENRICH, payload=payload, tenant=tenant, priority=priority, max_receive=attempts)


def model_job(memory: str, *, tenant: str, attempts: int = ENRICH_ATTEMPTS, priority: int = 0) -> JobSpec:
    """The job in which a language model reads the memory with this id, after the rules."""
    spec = enrich_job(memory, tenant=tenant, attempts=attempts, priority=priority)
    return spec.replace(queue=MODEL, kind=MODEL)
