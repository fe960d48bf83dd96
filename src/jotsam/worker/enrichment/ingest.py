"""The job `ingest`: splits a document into chunks and stores a memory for each. Takes milliseconds, uses no model.

The memories, their jobs and the acknowledgement are one commit. A document of many chunks is committed in slices,
guarded by the fencing token, to hold the write lock only briefly. After a crash the next delivery continues where the
last slice ended.
"""

from __future__ import annotations

from jotsam.core.clock import new_id
from jotsam.core.errors import LeaseLost
from jotsam.core.records import Memory
from jotsam.ingest import accept
from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.text.words import index_terms
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure, tombstones
from jotsam.storage.graph import graph
from jotsam.storage.memories import documents, memories
from jotsam.storage.recall import search
from jotsam.worker.enrichment.changes import update_replaced_by_document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from jotsam.core.job_records import Job
    from jotsam.core.records import Chunk, Document
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database, Transaction

SLICE = 100
PRECEDED_BY = "PRECEDED_BY"
CHUNKER = "cut"  # the extractor of PRECEDED_BY links between chunks


def handler(database: Database, *, context: Callable[[Memory], str], chunk_tokens: int, attempts: int) -> Handler:
    """A handler of `ingest` jobs. `context` returns what is indexed along with a memory's text.

    `attempts` is the limit for the `enrich` job of each chunk.
    """

    def ingest(job: Job) -> Callable[[Transaction], None] | None:
        with database.snapshot(tenant=job.tenant) as tx:
            row = documents.get(tx, uuid=str(job.payload).strip('"'))
        if row is None:
            return None  # The document was forgotten after the job was sent.
        document, number = documents.record(row), row["id"]
        chunks = chunk(document.text, limit=chunk_tokens)
        writer = _ChunkWriter(document, number, context, attempts, _lines(document.text, chunks))
        while len(chunks) > SLICE:
            with database.transaction(durable=False, tenant=job.tenant) as tx:
                if not queue.extend(tx, job, lease_ms=job.lease_ms):
                    raise LeaseLost(f"job {job.id}: the lease was lost to another delivery")
                if not erasure.is_document(tx, number):
                    return None
                writer.save(tx, chunks[:SLICE])
            chunks = chunks[SLICE:]

        def save(tx: Transaction) -> None:
            if not erasure.is_document(tx, number):
                return  # It was forgotten since.
            if document.source is not None:
                documents.lock_source(tx, project=document.project, source=document.source)
            writer.save(tx, chunks)
            if writer.refused and not writer.has_chunks(tx):
                erasure.delete(tx, erasure.Doomed.of(memories=(), documents=(number,)))
                return
            if writer.refused:
                erasure.set_body(tx, document=number, body=_without(document.text, writer.refused))
            search.unindex(tx, -number)
            documents.mark_chunked(tx, number)
            now = documents.get(tx, uuid=document.id)
            if now is not None and now["superseded_at"] is not None:
                by, at = now["superseded_by"], now["superseded_at"]
                memories.supersede_chunks(tx, document=number, by=by, at=at)
                update_replaced_by_document(tx, number)
            if document.source is not None:
                supersede_versions(tx, project=document.project, source=document.source, number=number)

        return save

    return ingest


def _lines(text: str, chunks: Sequence[Chunk]) -> dict[int, int]:
    """The first line of each chunk, by its position."""
    lines: dict[int, int] = {}
    line, offset = 1, 0
    for piece in chunks:
        line += text.count("\n", offset, piece.start)
        lines[piece.position] = line
        offset = piece.start
    return lines


def _without(text: str, pieces: Iterable[Chunk]) -> str:
    """The text with empty lines instead of these chunks."""
    for piece in sorted(pieces, key=lambda piece: piece.start, reverse=True):
        text = text[: piece.start] + "\n" * piece.text.count("\n") + text[piece.end :]
    return text


def supersede_versions(tx: Transaction, *, project: str | None, source: str, number: int) -> None:
    """Order the versions of a source: this one supersedes the previous one, and the next one supersedes this one."""
    texts = documents.adjacent(tx, project=project, source=source, number=number)
    for old, new in ((texts.get(-1), texts[0]), (texts[0], texts.get(1))):
        if old is not None and new is not None:
            at = new["date"] if new["date"] >= old["date"] else new["created_at"]
            memories.supersede_source(tx, document=old["id"], by=new["id"], at=min(at, tx.now))
            update_replaced_by_document(tx, old["id"])


class _ChunkWriter:
    """Stores the chunks of one document as memories, each linked to the previous one."""

    def __init__(
        self,
        document: Document,
        number: int,
        context: Callable[[Memory], str],
        attempts: int,
        lines: Mapping[int, int],
    ) -> None:
        self._document = document
        self._number = number
        self._context = context
        self._attempts = attempts
        self._lines = lines
        self.refused: list[Chunk] = []  # that were forgotten for good

    def has_chunks(self, tx: Transaction) -> bool:
        return bool(memories.of_document(tx, self._number))

    def save(self, tx: Transaction, chunks: Sequence[Chunk]) -> None:
        forgotten = tombstones.forgotten_among(tx, ((tombstones.TEXT, piece.text) for piece in chunks))
        for piece in chunks:
            if (tombstones.TEXT, piece.text) in forgotten:
                self.refused.append(piece)
            elif memories.chunk_number(tx, document=self._number, position=piece.position) is None:
                self._save(tx, piece)

    def _save(self, tx: Transaction, piece: Chunk) -> None:
        document = self._document
        memory = Memory(
            text=piece.text,
            id=new_id(),
            tenant=document.tenant,
            project=document.project,
            actor=document.actor,
            session=document.session,
            position=piece.position,
            line=self._lines[piece.position],
            said_at=document.date,
            source=document.source,
            section=piece.section,
        )
        sent = queue.send(tx, accept.enrich_job(memory.id, tenant=memory.tenant, attempts=self._attempts))
        number = memories.save(tx, memory, metadata=None, key=None, job_id=sent.id, document=self._number)
        words, grams = index_terms(memory.text)
        search.index(tx, number, body=words, context=self._context(memory), grams=grams)
        before = memories.chunk_number(tx, document=self._number, position=piece.position - 1)
        if before is not None:
            graph.link(tx, source=number, target=before, type=PRECEDED_BY, extractor=CHUNKER)
