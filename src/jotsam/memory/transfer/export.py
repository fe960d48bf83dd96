"""Exports a tenant, or a selection, as JSON lines: streamed from one snapshot, so that memory use does not grow.

The order is that of an import: what is referred to comes first, and references between memories come last.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left

from jotsam.core.new_file import opened
from jotsam.core.predicates import is_free
from jotsam.core.records import Record
from jotsam.core.selection import Selection
from jotsam.core.version import VERSION
from jotsam.memory.reading.selection import resolve
from jotsam.memory.transfer import export_format as lines
from jotsam.storage.memories import allowed_secrets, blocks, items, projects, selection
from jotsam.storage.memories.notes import ENDED
from jotsam.storage.transfer import exports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, BinaryIO

    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.memories.selection import Chosen

    Told = Callable[[str, int, int], None]  # progress callback: what, memories done, memories in total

MEMORIES, DOCUMENTS = 500, 8  # per page: a document may have 64 MB

MAX_BLOCKS = 1_000_000
_IN_PROJECT = lines.fields(lines.ProjectLine, but=("key",))
_IN_BLOCK = lines.fields(lines.BlockLine)
_IN_ITEM = lines.fields(lines.ItemLine, but=("vectors",))
_IN_DOCUMENT = lines.fields(lines.DocumentLine, but=lines.NOT_IN_DOCUMENT)
_IN_MEMORY = lines.fields(lines.MemoryLine, but=lines.NOT_IN_MEMORY)


class ExportResult(Record):
    """What was exported: the number of lines of each kind, and of bytes."""

    counts: dict[str, int]
    bytes: int


def export(
    database: Database,
    file: str | os.PathLike[str] | BinaryIO,
    wanted: Selection,
    *,
    tenant: str,
    vectors: bool = False,
    tell: Told | None = None,
) -> ExportResult:
    """Write an export to a path or an open binary file. A path gets its name when the file is complete.

    Raises `InvalidInput`, `NotFound`, and `OSError` if the file cannot be written.
    """
    with opened(file) as out, database.snapshot(tenant=tenant) as tx:
        writer = _Writer(out)
        is_whole = wanted == Selection()
        numbers = _choose(tx, resolve(tx, wanted), is_whole=is_whole)
        _Export(tx, writer, *numbers, vectors=vectors, is_whole=is_whole, tell=tell).run(wanted)
        return ExportResult(counts=writer.counts, bytes=writer.bytes)


class _Writer:
    """Writes lines and counts them."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self.counts: dict[str, int] = {}
        self.bytes = self.lines = 0

    def write(self, line: lines.Line) -> None:
        data = lines.encode(line)
        self._out.write(data)
        self.bytes += len(data)
        self.lines += 1
        kind = lines.kind(line)
        if kind not in ("header", "footer"):
            self.counts[kind] = self.counts.get(kind, 0) + 1


class _Export:
    """One export. With a selection, references to what is not exported are left out."""

    def __init__(
        self,
        tx: Transaction,
        writer: _Writer,
        memories: array[int],
        documents: array[int],
        *,
        vectors: bool,
        is_whole: bool,
        tell: Told | None,
    ) -> None:
        self._tx, self._write, self._writer = tx, writer.write, writer
        self._memories, self._documents = memories, documents
        self._vectors, self._is_whole, self._tell = vectors, is_whole, tell
        self._aliases = exports.aliases(tx)
        self._merged = {f"merged:{row['id']}": f"merged:{row['category']}:{row['slug']}" for row in self._aliases}
        self._entities: set[tuple[str, str]] = set()
        self._patterns: set[tuple[str, str]] = set()

    def run(self, wanted: Selection) -> None:
        tx = self._tx
        given = {name: value for name, value in wanted.as_dict().items() if value not in (None, [], False)}
        self._write(
            lines.Header(
                format=lines.FORMAT,
                version=lines.VERSION,
                program=f"jotsam {VERSION}",
                tenant=tx.tenant,
                created_at=tx.now,
                vectors=self._vectors,
                selection=given or None,
            )
        )
        self._allowed_secrets()
        self._projects(wanted)
        self._blocks(wanted)
        if self._is_whole:
            self._items()
            self._names()
        self._rows()
        self._write(lines.Footer(lines=self._writer.lines + 1, counts=dict(sorted(self._writer.counts.items()))))

    def _rows(self) -> None:
        """The lines of the documents and memories."""
        tx = self._tx
        for page in _pages(self._documents, DOCUMENTS):
            for row, redactions in exports.documents(tx, page):
                self._write(_document(row, redactions))
        done = 0
        for page in _pages(self._memories, MEMORIES):
            for row, parts in exports.memories(tx, page, vectors=self._vectors):
                self._named_by(parts)
                self._write(self._memory(row, parts))
            done += len(page)
            if self._tell:
                self._tell("memories", done, len(self._memories))
        self._references()

    def _allowed_secrets(self) -> None:
        for secret in allowed_secrets.every(self._tx):
            self._write(lines.AllowedSecretLine(**secret))

    def _projects(self, wanted: Selection) -> None:
        """All projects, or the selected one with those that are joined to it."""
        if not self._is_whole and wanted.project is None:
            return
        chosen = projects.asked(self._tx, wanted.project)
        for key, row in projects.every(self._tx).items():
            if chosen is None or projects.resolve(self._tx, key) == chosen:
                self._write(lines.ProjectLine(key=key, **{name: row[name] for name in _IN_PROJECT}))

    def _blocks(self, wanted: Selection) -> None:
        """All blocks, or those of the selected project or actor."""
        if wanted.replace(project=None, actor=None) == Selection():
            for block in blocks.every(
                self._tx, project=projects.asked(self._tx, wanted.project), actor=wanted.actor, limit=MAX_BLOCKS
            ):
                self._write(lines.BlockLine(**{name: getattr(block, name) for name in _IN_BLOCK}))

    def _items(self) -> None:
        """All items of the store: none belongs to a project or a memory."""
        for page in items.pages(self._tx):
            vectors: dict[int, tuple[bytes, ...]] = {}
            for row in items.vectors(self._tx, [row["id"] for row in page]):
                vectors[row["item_id"]] = (*vectors.get(row["item_id"], ()), bytes(row["bytes"]))
            for row in page:
                own = {name: row[name] for name in _IN_ITEM}
                self._write(lines.ItemLine(**own, vectors=vectors.get(row["id"], ())))

    def _names(self) -> None:
        """All entities and patterns of the tenant."""
        for page in exports.entities(self._tx):
            for row in page:
                self._write(_entity(row))
        for page in exports.patterns(self._tx):
            for row in page:
                self._write(_pattern(row))

    def _named_by(self, parts: dict[str, list[Row]]) -> None:
        """With a selection, the entities and patterns that a memory is the first to refer to, and no others."""
        if self._is_whole:
            return
        for row in parts["mentions"]:
            if (key := (row["category"], row["slug"])) not in self._entities:
                self._entities.add(key)
                self._write(_entity(row))
        for row in parts["examples"]:
            if (key := (row["type"], row["slug"])) not in self._patterns:
                self._patterns.add(key)
                self._write(_pattern(row))

    def _references(self) -> None:
        tx = self._tx
        for row in self._aliases:
            names = {(row["category"], row["slug"]), (row["into_category"], row["into_slug"])}
            if self._is_whole or names <= self._entities:
                self._write(lines.MergeLine(**{name: value for name, value in row.items() if name != "id"}))
        for page in _pages(self._memories, MEMORIES):
            for row in exports.links(tx, page):
                if _has(self._memories, row["target_id"]):
                    self._write(_link(row))
        for page in _pages(self._memories, MEMORIES):
            for row in exports.notes(tx, page):
                self._note(row)
        for kind in exports.SUPERSEDED:
            numbers = self._documents if kind == "document" else self._memories
            for page in _pages(numbers, MEMORIES):
                for row in exports.superseded(tx, kind, page):
                    if _has(numbers, row["number"]):
                        self._write(lines.SupersededLine(of=kind, id=row["id"], by=row["by_id"]))

    def _note(self, row: Row) -> None:
        """Write a note, unless it may be made of a turn that is not exported."""
        around = [number for name in ("before_id", "after_id") if (number := row.pop(name)) is not None]
        ended_by = row.pop("ended_id")
        if ended_by is not None and not _has(self._memories, ended_by):
            row |= dict.fromkeys(ENDED)
        if all(_has(self._memories, number) for number in around):
            self._write(lines.NoteLine(**row))

    def _memory(self, row: Row, parts: dict[str, list[Row]]) -> lines.MemoryLine:
        extras: dict[str, Any] = {}
        if parts.get("vectors"):
            (one,) = parts["vectors"]
            extras["vector"] = lines.Vector(embedder=one["embedder"], data=one["bytes"])
        for one in parts["recalls"]:
            extras |= {name: one[name] for name in ("recalls", "recalled_at")}
        return lines.MemoryLine(
            id=row["uuid"],
            text=row["body"],
            **{name: row[name] for name in _IN_MEMORY},
            metadata=lines.metadata_of(row["metadata"]),
            rejected=None if row["rejected"] is None else lines.decode_json(row["rejected"]),
            tags=[lines.Tag(tag=one["tag"], extractor=self._extractor(one)) for one in parts["tags"]],
            mentions=[self._mention(one) for one in parts["mentions"]],
            titles=[one["slug"] for one in parts["titles"]],
            dates=[lines.DateRange(**one) for one in parts["date_ranges"]],
            terms=next((lines.PatternTerms(**one) for one in parts["pattern_terms"]), None),
            patterns=[lines.Example(type=one["type"], slug=one["slug"], at=one["at"]) for one in parts["examples"]],
            facts=[_fact(one) for one in parts["facts"]],
            versions=[_version(one) for one in parts["versions"]],
            redactions=_redactions(parts["redactions"]),
            **extras,
        )

    def _mention(self, row: Row) -> lines.Mention:
        same = {name: row[name] for name in ("category", "slug", "confidence")}
        return lines.Mention(**same, extractor=self._extractor(row))

    def _extractor(self, row: Row) -> str | None:
        """The extractor of a tag or mention. One that comes from a merged entity names it by its number."""
        name: str | None = row["extractor"]
        return None if name is None else self._merged.get(name, name)


def _choose(tx: Transaction, chosen: Chosen, *, is_whole: bool) -> tuple[array[int], array[int]]:
    """The numbers of what is exported, eight bytes each: of the selection, and the documents of its memories."""
    memories, documents = array("q"), array("q")
    found: set[int] = set()
    after = 0
    while page := selection.memories(tx, chosen, after=after, limit=MEMORIES):
        memories.extend(page)
        after = page[-1]
        if not is_whole:
            found.update(exports.documents_of(tx, page))
    after = 0
    while rows := selection.documents(tx, chosen, after=after, limit=MEMORIES):
        documents.extend(row["id"] for row in rows)
        after = rows[-1]["id"]
    if not found.issubset(documents):
        documents = array("q", sorted(found.union(documents)))
    return memories, documents


def _has(numbers: array[int], number: int) -> bool:
    place = bisect_left(numbers, number)
    return place < len(numbers) and numbers[place] == number


def _link(row: Row) -> lines.LinkLine:
    same = {name: row[name] for name in ("source", "type", "target", "weight", "created_at")}
    return lines.LinkLine(**same, extractor=row["extractor"], properties=lines.metadata_of(row["properties"]))


def _entity(row: Row) -> lines.EntityLine:
    return lines.EntityLine(category=row["category"], slug=row["slug"], name=row["name"])


def _pattern(row: Row) -> lines.PatternLine:
    return lines.PatternLine(**{name: row[name] for name in ("type", "slug", "terms", "created_at")})


def _document(row: Row, redactions: list[Row]) -> lines.DocumentLine:
    same = {name: row[name] for name in _IN_DOCUMENT}
    found = _redactions(redactions)
    return lines.DocumentLine(id=row["uuid"], text=row["body"], chunked_at=row["cut_at"], redactions=found, **same)


def _fact(row: Row) -> lines.ExportedFact:
    fields = {name: value for name, value in row.items() if name != "uuid"}
    return lines.ExportedFact(id=row["uuid"], **fields, free=is_free(row["predicate"]))


def _version(row: Row) -> lines.EarlierVersion:
    read = {"tags": lines.decode_json(row["tags"]), "metadata": lines.metadata_of(row["metadata"])}
    return lines.EarlierVersion(**{**row, **read})


def _redactions(rows: Sequence[Row]) -> list[lines.Redacted]:
    found = ((row["kind"], {name: value for name, value in row.items() if name != "kind"}) for row in rows)
    return [lines.Redacted(redaction=kind, **rest) for kind, rest in found]


def _pages(numbers: array[int], size: int) -> Iterator[array[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]
