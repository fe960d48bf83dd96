"""Changing one memory: its text, tags, importance, confidence, metadata, type and validity.

One transaction redacts and saves the new fields, keeps the earlier ones as a version, indexes the words, and sends the
job that enriches a new text. What was extracted from the old text is deleted at once; a job that is reading it finds
another version when it saves, and writes nothing.

Storing a memory by its key: the first call creates it, later ones change it, and the earlier text is a version.

Archiving by hand: a memory is hidden from recall, and nothing of it is deleted.

A memory that a person restored is not archived again by the lifecycle for the reason that it was archived for.
"""

from __future__ import annotations

import json

from jotsam.core import validate
from jotsam.core.errors import Conflict, InvalidInput
from jotsam.core.records import Memory, MemoryVersion, Record, UpdateReceipt, UpsertReceipt
from jotsam.ingest import accept
from jotsam.ingest.accept import index_fields
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import check_key, check_line, check_memory, metadata_json, storable_text
from jotsam.memory.reading.listing import get_memory, stored
from jotsam.memory.reading.show import memory_row
from jotsam.pipeline.tags import clean_tags
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure
from jotsam.storage.graph import facts, graph, patterns
from jotsam.storage.lifecycle import identities, lifecycle
from jotsam.storage.memories import allowed_secrets, archive, memories, notes, projects, redactions, updates
from jotsam.storage.recall import search, summaries
from jotsam.worker.enrichment import fact_validity
from jotsam.worker.enrichment.changes import clear_changes
from jotsam.worker.enrichment.notes import relate_all
from jotsam.worker.enrichment.save_extraction import clear_extraction
from jotsam.worker.lifecycle.step import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from jotsam.core.records import Receipt, StoredMemory
    from jotsam.storage.database import Row, Transaction


PLAIN = ("type", "importance", "confidence", "valid_from", "valid_until")
FIELDS = ("text", "tags", "add_tags", "remove_tags", "metadata", "add_metadata", *PLAIN)
BY_EXTRACTOR = ("type", "importance", "confidence")  # A column `<name>_by` has the extractor, null for a caller.
CHANGEABLE = frozenset(("tags", "metadata", *PLAIN))
FIXED = ("actor", "project", "session", "external_id")  # another one would make it another memory


class _Change(Record):
    """The checked fields of an update. Only those in `names` were given."""

    names: frozenset[str]
    memory: Memory  # with the new text, tags, type, importance, confidence, validity
    add: tuple[str, ...]  # tags
    remove: tuple[str, ...]
    metadata: Any  # as given: replaces, or is merged into, the stored metadata
    warnings: tuple[str, ...]


def update(
    tx: Transaction,
    *,
    id: str,
    options: Mapping[str, Any],
    version: int | None = None,
    forget_history: bool = False,
    attempts: int = accept.ENRICH_ATTEMPTS,
) -> UpdateReceipt:
    """Change the given fields of a memory. `options` are those of `UpdateOptions`.

    Raises `NotFound`, `Conflict` if `version` is not the current one, and `InvalidInput`.
    """
    change = _checked(options)
    validate.check_bool("forget_history", forget_history)
    if not change.names and not forget_history:
        raise InvalidInput("nothing to update: give a text, tags, metadata or another field")
    uuid = memory_row(tx, id=id)["uuid"]
    current = updates.lock(tx, uuid=uuid)
    row = memory_row(tx, id=uuid)  # Again, because another update may have ended before the lock.
    if version is not None and validate.check_int("version", version, 1) != current:
        raise Conflict(f"memory {uuid} has version {current}, not {version}: it was changed meanwhile; read it again")
    if "text" in change.names and row["document_id"] is not None:
        raise InvalidInput(
            f"{uuid} is a chunk of document {row['document']}, so its text cannot be changed: change the source and add"
            " it again"
        )
    redactor = Redactor(lambda: allowed_secrets.fingerprints(tx))
    after = _redacted(redactor, change, row, updates.given_tags(tx, number=row["id"]))
    dropped = _forget_history(tx, row, after) if forget_history else []
    receipt = _save(tx, row, after, attempts=attempts, forget_history=forget_history)
    if redactor.found and receipt.version != row["version"]:
        redactions.save(tx, redactor.found, memory=row["id"])
    if forget_history:
        erasure.delete_orphans(tx, dropped)
        updates.forget_old_judgements(tx, number=row["id"])
        erasure.remove_traces(tx)
    return receipt.replace(warnings=(*change.warnings, *redactor.warnings))


def versions(tx: Transaction, *, id: str, actor: str | None = None) -> tuple[MemoryVersion, ...]:
    """The earlier versions of a memory, the first one first. Raises `NotFound`, `InvalidInput`."""
    row = memory_row(tx, id=id, actor=actor)
    return tuple(_version(found) for found in updates.versions(tx, number=row["id"]))


def _version(row: Row) -> MemoryVersion:
    fields = {name: row[name] for name in ("version", "until", *PLAIN)}
    metadata = None if row["metadata"] is None else json.loads(row["metadata"])
    return MemoryVersion(text=row["body"], tags=tuple(json.loads(row["tags"])), metadata=metadata, **fields)


def _checked(options: Mapping[str, Any]) -> _Change:
    validate.check_fields(options, FIELDS)
    for one, *others in (("tags", "add_tags", "remove_tags"), ("metadata", "add_metadata")):
        both = [name for name in others if name in options and one in options]
        if both:
            raise InvalidInput(f"{one} and {both[0]} are given: {one} replaces all, so give one of them")
    text, warnings = storable_text(options["text"]) if "text" in options else ("", ())
    given = {name: options[name] for name in PLAIN if name in options}
    memory = check_memory(Memory(text=text, tags=options.get("tags", ()), **given))
    return _Change(
        names=frozenset(options),
        memory=memory,
        add=clean_tags(options.get("add_tags", ())),
        remove=clean_tags(options.get("remove_tags", ())),
        metadata=options.get("metadata", options.get("add_metadata")),
        warnings=warnings,
    )


class _After(Record):
    """A memory after an update: `fields` are columns, `tags` those of callers."""

    fields: Mapping[str, Any]
    tags: tuple[str, ...]
    removed: tuple[str, ...]  # tags to remove, given by a caller or found


def _redacted(redactor: Redactor, change: _Change, row: Row, tags: tuple[str, ...]) -> _After:
    """The whole memory after the change. Raises `InvalidInput` for a validity that ends before it begins."""
    names, memory = change.names, change.memory
    fields = {name: row[name] for name in ("body", "metadata", *PLAIN, *(f"{name}_by" for name in BY_EXTRACTOR))}
    if "text" in names:
        fields["body"] = redactor.redact_text(memory.text)
    wanted = memory.tags if "tags" in names else change.add
    memory = redactor.redact_fields(memory.replace(tags=wanted), None)
    for name in names.intersection(PLAIN):
        fields[name] = getattr(memory, name)
        if name in BY_EXTRACTOR:
            fields[f"{name}_by"] = None
    check_memory(Memory(text="x", valid_from=fields["valid_from"], valid_until=fields["valid_until"]))
    if "metadata" in names:
        fields["metadata"] = redactor.redact_metadata(metadata_json(change.metadata))
    elif "add_metadata" in names:
        added = json.loads(metadata_json(change.metadata) or "{}")
        fields["metadata"] = redactor.redact_metadata(metadata_json(json.loads(row["metadata"] or "{}") | added))
    if "tags" in names:
        return _After(fields=fields, tags=memory.tags, removed=tuple(tag for tag in tags if tag not in memory.tags))
    kept = tuple(tag for tag in tags if tag not in change.remove)
    return _After(fields=fields, tags=tuple(dict.fromkeys((*kept, *memory.tags))), removed=change.remove)


def _save(tx: Transaction, row: Row, after: _After, *, attempts: int, forget_history: bool) -> UpdateReceipt:
    number = row["id"]
    tags = memories.tags(tx, number)
    given = updates.given_tags(tx, number=number)
    is_new = any(row[name] != value for name, value in after.fields.items())
    is_new = is_new or set(given) != set(after.tags) or not set(tags).isdisjoint(after.removed)
    version = row["version"]
    if is_new and not forget_history:
        updates.keep_version(tx, number=number, tags=tags)
    if is_new and after.fields["body"] != row["body"]:
        archive.unarchive(tx, number)  # A text that is stored again is found.
    if not is_new:
        return UpdateReceipt(id=row["uuid"], version=version)
    version = updates.save(tx, number=number, fields=after.fields)
    updates.change_tags(tx, number=number, add=after.tags, remove=after.removed)
    if after.fields["metadata"] != row["metadata"]:
        updates.index_metadata(tx, number=number, metadata=after.fields["metadata"])
    is_new_text = after.fields["body"] != row["body"]
    if is_new_text or after.fields["metadata"] != row["metadata"] or set(given) != set(after.tags):
        _index(tx, row, after)
    if not is_new_text:
        if after.fields["valid_from"] != row["valid_from"]:
            _update_facts(tx, number)
        return UpdateReceipt(id=row["uuid"], version=version)
    job_id = _enrich_again(tx, row, attempts)
    notes.lock(tx)  # After that of facts, as a job that saves results takes them.
    relate_all(tx, notes.delete_of_text(tx, number))
    return UpdateReceipt(id=row["uuid"], version=version, job_id=job_id)


def _forget_history(tx: Transaction, row: Row, after: _After) -> list[str]:
    """Delete earlier versions, and what was made of an earlier text. Returns the texts that are gone."""
    number = row["id"]
    earlier = [old for old in updates.versions(tx, number=number) if old["body"] != row["body"]]
    is_new_text = after.fields["body"] != row["body"]
    before = tx.now + 1 if is_new_text else max((old["until"] for old in earlier), default=0)
    identities.forget_sources(tx, json.dumps([number]))
    updates.forget_old_text(tx, number=number, before=before)
    updates.forget_versions(tx, number=number)
    return [old["body"] for old in earlier] + ([row["body"]] if is_new_text else [])


def _index(tx: Transaction, row: Row, after: _After) -> None:
    """Index the words again."""
    memory = stored(row, after.tags)
    metadata = json.loads(after.fields["metadata"] or "null")
    if row["extractor"] == summaries.CLUSTER and after.fields["body"] == row["body"]:
        return  # A summary is not indexed until a person writes its text.
    search.unindex(tx, row["id"])
    search.index(tx, row["id"], **index_fields(memory.replace(text=after.fields["body"], metadata=metadata)))


def _update_facts(tx: Transaction, number: int) -> None:
    tx.lock(f"facts {tx.tenant}")
    fact_validity.update_validity(tx, facts.keys(tx, number=number), number=number)


def _enrich_again(tx: Transaction, row: Row, attempts: int) -> int:
    """Delete what was extracted from the old text, and send a job for the new one."""
    number = row["id"]
    tx.lock(f"facts {tx.tenant}")
    clear_extraction(tx, row)
    clear_changes(tx, number)
    graph.clear_links(tx, number)
    erasure.clear_text(tx, number)
    patterns.clear(tx, number)
    memories.set_date_ranges(tx, number=number, periods=())
    updates.drop_vector(tx, number=number)
    memories.clear(tx, number=number)
    # A job that is running writes nothing, because it read another version. Errors may quote the old text.
    queue.forget_jobs(tx, [row["job_id"]])
    sent = queue.send(tx, accept.enrich_job(row["uuid"], tenant=tx.tenant, attempts=attempts))
    memories.set_enrich_job(tx, number=number, job_id=sent.id)
    return sent.id


def upsert(
    tx: Transaction,
    *,
    key: str,
    text: str,
    options: Mapping[str, Any],
    create: Callable[[Transaction], Receipt],
    attempts: int = accept.ENRICH_ATTEMPTS,
) -> UpsertReceipt:
    """Create the memory of a key with `create`, or change it. Raises `InvalidInput`."""
    name = check_key(key)
    memories.lock_key(tx, name)
    uuid = memories.by_key(tx, key=name)
    if uuid is None:
        receipt = create(tx)
        if receipt.duplicate:
            raise InvalidInput(f"external_id {options['external_id']!r} belongs to {receipt.id}, which has another key")
        job = receipt.job_id or None
        made = UpsertReceipt(id=receipt.id, job_id=job, created=True, version=1, warnings=receipt.warnings)
        return made.replace(created=False, version=0, forgotten=True) if receipt.forgotten else made
    row = memories.get(tx, uuid=uuid) or {}
    _check_same(tx, name, row, options)
    changes = {name: value for name, value in options.items() if name in CHANGEABLE}
    done = update(tx, id=uuid, options={"text": text, **changes}, attempts=attempts)
    if row:
        archive.unarchive(tx, row["id"])  # What is said again is found, also with the same text.
    return UpsertReceipt(id=done.id, job_id=done.job_id, created=False, version=done.version, warnings=done.warnings)


def lock_keys(tx: Transaction, given: Iterable[object]) -> None:
    """Lock the keys of several upserts and the memories that have them, as `upsert` does, before it writes the first.

    Each upsert locks more afterwards: those at the same time would else wait for each other in a circle.
    """
    names = sorted(set(_valid_keys(given)))
    for name in names:
        memories.lock_key(tx, name)
    for uuid in sorted(memories.by_keys(tx, names)):
        updates.lock(tx, uuid=uuid)


def _valid_keys(given: Iterable[object]) -> Iterator[str]:
    for one in given:
        try:
            yield check_key(one)
        except InvalidInput:
            continue  # `upsert` refuses it.


def _check_same(tx: Transaction, key: str, row: Row, wanted: Mapping[str, Any]) -> None:
    for name in FIXED:
        value = check_line(name, wanted.get(name))
        value = projects.asked(tx, value) if name == "project" else value
        if value is not None and value != row.get(name):
            raise InvalidInput(f"key {key!r} is of a memory with another {name} than {value!r}: give another key")


def archive_memory(tx: Transaction, *, id: str) -> StoredMemory:
    """Hide a memory from recall. Repeating it changes nothing. Raises `NotFound`, `InvalidInput`."""
    row = _archivable(tx, id)
    archive.archive_by_hand(tx, row["id"])
    return get_memory(tx, id=row["uuid"])


def unarchive_memory(tx: Transaction, *, id: str) -> StoredMemory:
    """Show an archived memory again. Repeating it changes nothing. Raises `NotFound`, `InvalidInput`."""
    row = _archivable(tx, id)
    if row["archived_at"] is not None:
        lifecycle.refuse(tx, _reasons(row))
        archive.unarchive(tx, row["id"])
    return get_memory(tx, id=row["uuid"])


def _archivable(tx: Transaction, id: str) -> Row:
    row = memory_row(tx, id=id)
    if row["summary_of"]:
        raise InvalidInput(
            f"{row['uuid'][:8]} is a summary, which recall shows only after its sources: forget removes it"
        )
    return row


def _reasons(row: Row) -> list[str]:
    """The hashes of the changes that would archive it again: because of its age, and as merged."""
    own = (row["uuid"],)
    changes = [own] if row["archived_by_uuid"] is None else [own, (*own, row["archived_by_uuid"])]
    return [Change(kind="archive", ids=ids, why="", data={}).hash() for ids in changes]
