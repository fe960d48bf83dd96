"""What an import of an export leaves out: what was forgotten for good, and what cannot be stored.

At the end of the import, the rest becomes what forgetting would have left: what the forgotten ones superseded is valid,
documents are without the lines of forgotten chunks, and nothing is kept that only they mentioned.

A document or memory cannot be stored, also from the trash, if its id, key or place belongs to something else.
"""

from __future__ import annotations

from jotsam.core.records import Document, Memory
from jotsam.memory.forgetting.forget import revive, revive_versions
from jotsam.memory.transfer import export_format as lines
from jotsam.storage.forgetting import erasure, tombstones
from jotsam.storage.graph import graph
from jotsam.storage.memories import documents, memories
from jotsam.storage.transfer import exports
from jotsam.worker.enrichment.ingest import PRECEDED_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from jotsam.storage.database import Row, Transaction

    Line = TypeVar("Line", lines.DocumentLine, lines.MemoryLine)
    Note = Callable[..., None]
    Names = set[tuple[str, str]]


class Forgotten:
    """The lines of a file that are not imported, by UUID, and what they leave to do."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._sources: set[tuple[str | None, str]] = set()
        self._entities: Names = set()
        self._patterns: Names = set()
        self._cut: list[lines.MemoryLine] = []  # chunks, of documents that are stored
        self._documents: set[str] = set()  # that lost a chunk
        self._ended: dict[str, set[str]] = {}  # by kind, what one of them supersedes
        self._order: dict[str, lines.LinkLine] = {}  # by source, links in the order of memories that are left out

    def among(self, tx: Transaction, found: Iterable[Line]) -> set[str]:
        """The UUIDs of the lines that are not to be stored. Texts are those that would be."""
        listed = list(found)
        refused = tombstones.forgotten_among(tx, (name for line in listed for name in _names(line)))
        forgotten = set()
        for line in listed:
            if not refused.isdisjoint(_names(line)) or getattr(line, "document", None) in self._ids:
                forgotten.add(line.id)
                self._leave(line)
        self._ids |= forgotten
        return forgotten

    def versions(self, tx: Transaction, line: lines.MemoryLine) -> list[lines.EarlierVersion]:
        """The earlier versions of a memory, without those that are not to be stored."""
        names = [(tombstones.TEXT, old.text) for old in line.versions]
        refused = tombstones.forgotten_among(tx, names) if names else ()
        return [old for old, name in zip(line.versions, names, strict=True) if name not in refused]

    def cut_chunks(self, tx: Transaction) -> None:
        """Remove the lines of chunks that were left out from their documents."""
        for line in self._cut:
            row = documents.get(tx, uuid=line.document or "")
            body = None if row is None else erasure.without_text(row["body"], line.text, line=line.line or 1)
            if row is not None and body is not None:  # An earlier import may have removed them.
                erasure.set_body(tx, document=row["id"], body=body)
        self._documents |= {line.document for line in self._cut if line.document}
        self._cut = []

    def leave_link(self, line: lines.LinkLine) -> None:
        is_left_out = line.source in self._ids or line.target in self._ids
        if is_left_out and line.type == PRECEDED_BY and line.weight == 1:
            self._order[line.source] = line

    def leave_superseded(self, line: lines.SupersededLine) -> None:
        if line.by in self._ids:
            self._ended.setdefault(line.of, set()).add(line.id)

    def finish(self, tx: Transaction, note: Note) -> None:
        """Do what they leave to do. Does nothing the second time."""
        if not self._ids:
            return
        tx.lock(f"facts {tx.tenant}")
        self._remove_documents(tx, note)
        self._link_order(tx)
        for _ in revive(tx, *exports.ended(tx, self._ended)):
            pass
        for project, source in self._sources:
            documents.lock_source(tx, project=project, source=source)
            for _ in revive_versions(tx, exports.documents_of_source(tx, project=project, source=source)):
                pass
        entities = exports.named(tx, "entity", self._entities)
        patterns = exports.named(tx, "pattern", self._patterns)
        gone = erasure.delete_unused(
            tx,
            entities=[id for name, id in entities.items() if name in self._entities],
            patterns=[id for name, id in patterns.items() if name in self._patterns],
        )
        for kind, number in zip(("entity", "pattern"), gone, strict=True):
            note("retract", kind, number)

    def _leave(self, line: lines.DocumentLine | lines.MemoryLine) -> None:
        """Note what a line that is left out refers to."""
        if isinstance(line, lines.DocumentLine):
            if line.source is not None:
                self._sources.add((line.project, line.source))
            return
        self._entities |= {(one.category, one.slug) for one in line.mentions}
        self._patterns |= {(one.type, one.slug) for one in line.patterns}
        if line.document is not None and line.document not in self._ids:
            self._cut.append(line)

    def _remove_documents(self, tx: Transaction, note: Note) -> None:
        """Remove the documents of which every chunk is left out."""
        for uuid, number in exports.numbers(tx, "document", self._documents).items():
            if memories.of_document(tx, number):
                continue
            row = documents.get(tx, uuid=uuid)
            if row is not None and row["source"] is not None:
                self._sources.add((row["project"], row["source"]))
            erasure.delete(tx, erasure.Doomed.of(memories=(), documents=(number,)))
            note("retract", "document")
            note("forget", "document")

    def _link_order(self, tx: Transaction) -> None:
        """Link the memory after one that is left out to the memory before it."""
        pairs = [(one, self._before(one.target)) for id, one in self._order.items() if id not in self._ids]
        numbers = exports.numbers(tx, "memory", {id for one, before in pairs for id in (one.source, before)})
        for one, before in pairs:
            if one.source in numbers and before in numbers and one.source != before:
                source, target = numbers[one.source], numbers[before]
                graph.link(tx, source=source, target=target, type=one.type, extractor=one.extractor)

    def _before(self, id: str) -> str:
        """The memory itself, or the nearest one before it that is not left out."""
        seen: set[str] = set()
        while id in self._ids and id in self._order and id not in seen:
            seen.add(id)
            id = self._order[id].target
        return id


def _names(line: lines.DocumentLine | lines.MemoryLine) -> Iterator[tuple[str, str | None]]:
    yield tombstones.TEXT, line.text
    yield tombstones.KEY, line.key
    yield tombstones.EXTERNAL_ID, getattr(line, "external_id", None)


def document_conflict(tx: Transaction, *, id: str, key: str | None) -> str:
    """Why a document could not be inserted."""
    found = key and documents.find_duplicate(tx, Document(text="", tenant=tx.tenant), key=key)
    return _belongs("key", key, found, id) if found else _of_other_tenant(id)


def memory_conflict(
    tx: Transaction,
    *,
    id: str,
    key: str | None,
    external_id: str | None,
    document: str | None = None,
    position: int | None = None,
) -> str:
    """Why a memory could not be inserted: of a chunk with its place in its document."""
    nothing = Memory(text="", tenant=tx.tenant)
    if found := memories.find_duplicate(tx, nothing.replace(external_id=external_id), key=None):
        return _belongs("external id", external_id, found, id)
    if found := memories.find_duplicate(tx, nothing, key=key):
        return _belongs("key", key, found, id)
    if document is not None:
        return f"position {position} of document {document} is taken by another memory"
    return _of_other_tenant(id)


def _belongs(name: str, value: str | None, found: Row, id: str) -> str:
    return f"{name} {value!r} belongs to {found['uuid']}, and this line has the id {id}"


def _of_other_tenant(id: str) -> str:
    return f"id {id} is taken by another tenant of this database"
