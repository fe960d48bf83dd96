"""Writes the rows of memories and documents again that were in the trash, as they were.

What was forgotten for good since is left out, with all that belongs to it; so is what is stored again already. What a
table does not hold is made again: the words in the text index, and the jobs of what was not read yet.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Document, Memory
from jotsam.ingest import accept
from jotsam.memory.transfer.import_left_out import document_conflict, memory_conflict
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure, tombstones
from jotsam.storage.forgetting.kept_rows import Writer
from jotsam.storage.lifecycle import identities
from jotsam.storage.memories import documents, memories, notes, projects
from jotsam.storage.recall import summaries, vectors
from jotsam.storage.transfer import exports
from jotsam.worker.enrichment import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.forgetting.kept_rows import Cleared, Rows

TEXTS = ("document", "memory")


class RestoredRows:
    """The rows of a part of the trash."""

    def __init__(self, tx: Transaction, settings: Settings, batch: str) -> None:
        self._tx, self._settings, self._batch = tx, settings, batch
        self._writer = Writer(tx)
        self._numbers: dict[str, dict[str, int]] = {kind: {} for kind in TEXTS}
        # What those mentioned that were forgotten for good.
        self._named: dict[str, set[int]] = {"entity": set(), "pattern": set()}
        tx.lock(f"import {tx.tenant}")

    @property
    def cleared(self) -> list[Cleared]:
        """The references of restored rows to what is gone by now."""
        return self._writer.cleared

    def numbers(self, kind: str) -> dict[str, int]:
        """The ids of the memories or documents that were restored, by UUID."""
        return {**self._numbers[kind]}

    def write(self, rows: Rows) -> None:
        """Write rows. Raises `InvalidInput` if a key or an external id belongs to something else by now."""
        tx = self._tx
        self._leave_out(rows)
        moved = self._follow_projects(rows)
        self._writer.write({kind: rows.get(kind, []) for kind in TEXTS})
        for kind in TEXTS:
            self._numbers[kind] |= self._stored(kind, rows.get(kind, []))
        self._follow_embedders(rows)
        self._writer.write({name: some for name, some in rows.items() if name not in (*TEXTS, "embedder", "identity")})
        self._writer.write({"identity": [row for row in rows.get("identity", ()) if identities.is_founded(tx, row)]})
        for project in moved:
            notes.move(tx, project)
        self._index(rows)
        self._send_jobs(rows)

    def finish(self, cleared: Iterable[Cleared]) -> None:
        """After the last rows: refer to them again, and delete what only those mentioned that were left out."""
        self._writer.refer(cleared)
        if any(self._named.values()):
            entities, patterns = (self._writer.ids_now(table, ids) for table, ids in self._named.items())
            erasure.delete_unused(self._tx, entities=entities, patterns=patterns)

    def _leave_out(self, rows: Rows) -> None:
        """Remove from the rows what was forgotten for good, or is stored again. What belongs to it is not written."""
        tx, whole, single = self._tx, rows.get("document", []), rows.get("memory", [])
        versions = rows.get("memory_version", [])
        refused = tombstones.forgotten_among(tx, (name for row in (*whole, *single, *versions) for name in _names(row)))
        gone = {row["id"] for row in whole if not refused.isdisjoint(_names(row))}
        lost = {row["id"] for row in single if row["document_id"] in gone or not refused.isdisjoint(_names(row))}
        for row in whole:
            chunks = [one for one in single if one["document_id"] == row["id"]]
            cut = [one for one in chunks if one["id"] in lost]
            if cut and len(cut) == len(chunks):
                gone.add(row["id"])
            for one in cut:
                row["body"] = erasure.without_text(row["body"], one["body"], line=one["line"] or 1) or row["body"]
        for table, column in (("mention", "entity_id"), ("pattern_example", "pattern_id")):
            found = {row[column] for row in rows.get(table, ()) if row["memory_id"] in lost}
            self._named[column.removesuffix("_id")] |= found
        for kind, left in (("document", gone), ("memory", lost)):
            stored = exports.numbers(tx, kind, [row["uuid"] for row in rows.get(kind, ())])
            rows[kind] = [row for row in rows.get(kind, ()) if row["id"] not in left and row["uuid"] not in stored]
        rows["memory_version"] = [row for row in versions if refused.isdisjoint(_names(row))]

    def _follow_projects(self, rows: Rows) -> set[str]:
        """Give rows the projects that theirs belong to by now. Returns those that they have left."""
        moved = set[str]()
        for row in (*rows["document"], *rows["memory"]):
            now = projects.of_row(self._tx, row["project"], row["joined_from"])
            if row["project"] and now["project"] != row["project"]:
                moved.add(row["project"])
            row |= now
        return moved

    def _follow_embedders(self, rows: Rows) -> None:
        """Let the vectors belong to a new batch of their embedder, which has another id in another database."""
        stored = {*self._numbers["memory"].values()}
        found = [row for row in rows.get("embedding", ()) if row["memory_id"] in stored]
        makers = {}
        for row in rows.get("embedder", ()):
            known = vectors.embedder(self._tx, row["name"])
            place = known.place if known else row["place"]
            makers[row["id"]] = vectors.begin_batch(self._tx, name=row["name"], place=place, dimension=row["dimension"])
        for row in found:
            if maker := makers.get(row["embedder_id"]):
                row |= {"embedder_id": maker.id, "version": maker.version}
        rows["embedding"] = found

    def _stored(self, kind: str, rows: list[Row]) -> dict[str, int]:
        numbers = exports.numbers(self._tx, kind, [row["uuid"] for row in rows])
        for row in (row for row in rows if row["uuid"] not in numbers):
            if kind == "document":
                conflict = document_conflict(self._tx, id=row["uuid"], key=row["key"])
            else:
                conflict = memory_conflict(self._tx, id=row["uuid"], key=row["key"], external_id=row["external_id"])
            raise InvalidInput(f"batch {self._batch} cannot be restored: {conflict}")
        return numbers

    def _index(self, rows: Rows) -> None:
        """Index the words of what is not chunked: of a chunk no tags, and none that were extracted."""
        tags: dict[int, list[str]] = {}
        for row in sorted(rows.get("memory_tag", ()), key=lambda row: str(row["tag"])):
            if row["extractor"] is None:
                tags.setdefault(row["memory_id"], []).append(row["tag"])
        texts: dict[int, Document | Memory] = {}
        for row in rows["document"]:
            if row["cut_at"] is None:
                same = {name: row[name] for name in ("project", "source", "actor")}
                texts[-row["id"]] = Document(text=row["body"], **same)
        for row in rows["memory"]:
            if row["extractor"] != summaries.CLUSTER:
                same = {name: row[name] for name in ("project", "source", "section", "actor")}
                given = () if row["document_id"] else tuple(tags.get(row["id"], ()))
                metadata = json.loads(row["metadata"] or "null")
                texts[row["id"]] = Memory(text=row["body"], tags=given, metadata=metadata, **same)
        exports.index(self._tx, [{"ref": ref, **accept.index_fields(item)} for ref, item in texts.items()])

    def _send_jobs(self, rows: Rows) -> None:
        """Send the jobs of what was not read yet, and want vectors."""
        tx, attempts = self._tx, self._settings.enrich_attempts
        for row in rows["document"]:
            if row["cut_at"] is None:
                sent = queue.send(tx, accept.ingest_job(row["uuid"], tenant=tx.tenant))
                documents.set_ingest_job(tx, number=row["id"], job_id=sent.id)
        for row in rows["memory"]:
            if row["enriched_at"] is None:
                sent = queue.send(tx, accept.enrich_job(row["uuid"], tenant=tx.tenant, attempts=attempts))
                memories.set_enrich_job(tx, number=row["id"], job_id=sent.id)
        wanted = any(row["wanted"] for row in rows["embedding"])
        if tx.compares_vectors():
            vectors.index(tx, rows["embedding"])
        if self._settings.has_embedder:
            known = {row["memory_id"] for row in rows["embedding"]}
            read = (row for row in rows["memory"] if row["enriched_at"] is not None and row["id"] not in known)
            missing = [row["id"] for row in read if row["extractor"] != summaries.CLUSTER]
            exports.want_vectors(tx, missing)
            wanted = wanted or bool(missing)
        if wanted:
            queue.ensure(tx, embed.job_spec(tx.tenant))


def _names(row: Row) -> Iterator[tuple[str, str | None]]:
    yield tombstones.TEXT, row["body"]
    yield tombstones.KEY, row.get("key")
    yield tombstones.EXTERNAL_ID, row.get("external_id")
