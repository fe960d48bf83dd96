"""Documents: raw text as it was accepted, after redaction."""

from __future__ import annotations

from jotsam.core.records import Document, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def save(tx: Transaction, document: Document, *, key: str | None, job_id: int, joined_from: str | None = None) -> int:
    """Save a document. Returns its id, under which its text is indexed."""
    row = tx.one(
        "documents.save",
        uuid=document.id,
        tenant=document.tenant,
        project=document.project,
        joined_from=joined_from,
        source=document.source,
        key=key,
        actor=document.actor,
        session=document.session,
        date=document.date,
        date_by=document.date_by,
        body=document.text,
        job_id=job_id,
    )
    assert row is not None
    number: int = row["id"]
    return number


def find_duplicate(tx: Transaction, document: Document, *, key: str | None) -> Row | None:
    """The id, uuid, job_id and processed_at of a document with the same key, or of the newest with an equal text.

    The newest is that of its source and actor. Locks the key or the source, so that the caller can save the document in
    this transaction if it is new.
    """
    if key is not None:
        tx.lock(f"document {document.tenant} {key}")
        return tx.one("documents.by_key", tenant=document.tenant, key=key)
    if document.source is None:
        return None
    tx.lock(f"source {document.tenant} {document.source}")
    return tx.one(
        "documents.unchanged",
        tenant=document.tenant,
        source=document.source,
        project=document.project,
        actor=document.actor,
        body=document.text,
    )


def get(tx: Transaction, *, uuid: str) -> Row | None:
    """A document with its `id`, `body`, `job_id` and `cut_at`."""
    return tx.one("documents.get", uuid=uuid)


def by_number(tx: Transaction, *, number: int) -> Row | None:
    return tx.one("documents.by_number", id=number)


def by_prefix(tx: Transaction, *, prefix: str) -> list[str]:
    """The UUIDs that start with a prefix, at most two: enough to know whether it is unique."""
    rows = tx.all("documents.by_prefix", low=prefix, high=prefix + "g")
    return [row["uuid"] for row in rows]


def mark_chunked(tx: Transaction, number: int) -> None:
    """Record that its chunks are memories now."""
    tx.run("documents.mark_chunked", id=number)


def unchunked(tx: Transaction, *, after: int, limit: int) -> dict[int, Document]:
    """By id, the indexed fields of the next documents that are not chunked yet."""
    return _indexed_fields(tx.all("documents.unchunked", after=after, limit=limit))


def waiting_for_index(tx: Transaction, *, limit: int) -> dict[int, Document]:
    """The same of the first documents that the text index does not have yet."""
    return _indexed_fields(tx.all("text_index.waiting", limit=limit))


def _indexed_fields(rows: Iterable[Row]) -> dict[int, Document]:
    same = ("project", "source", "actor")
    return {row["id"]: Document(text=row["body"], **{name: row[name] for name in same}) for row in rows}


def discarded(
    tx: Transaction,
    *,
    after: int = 0,
    limit: int,
    uuid: str | None = None,
    project: str | None = None,
    source: str | None = None,
) -> list[Row]:
    """The id and uuid of the next documents that are not chunked and have no job: it was discarded."""
    wanted = {"uuid": uuid, "project": project, "source": source}
    return tx.all("documents.discarded", after=after, limit=limit, **wanted)


def set_ingest_job(tx: Transaction, *, number: int, job_id: int) -> None:
    """Set the job that chunks a document."""
    tx.run("documents.set_ingest_job", id=number, job_id=job_id)


def lock_source(tx: Transaction, *, project: str | None, source: str) -> None:
    """Block other transactions that decide which text of a source is the newest."""
    tx.all("documents.lock_source", project=project, source=source)


def adjacent(tx: Transaction, *, project: str | None, source: str, number: int) -> dict[int, Row]:
    """A document (0) with the chunked ones of its source just before (-1) and after it (1): id, date, created_at."""
    rows = tx.all("documents.adjacent", project=project, source=source, id=number)
    return {row["step"]: row for row in rows}


def newer(tx: Transaction, *, refs: Iterable[int]) -> dict[int, str]:
    """By reference, the UUID of a newer document of the same source, which will supersede it when it is chunked.

    References are ids of memories, and negative ids of documents that are not chunked yet.
    """
    import json

    every = [*refs]
    memories, waiting = [ref for ref in every if ref > 0], [-ref for ref in every if ref < 0]
    lists = {"memories": json.dumps(memories), "documents": json.dumps(waiting)}
    return {row["ref"]: row["uuid"] for row in tx.all("documents.newer", **lists)}


def supersede(tx: Transaction, *, number: int, by: int, at: int) -> None:
    """Another document replaces this one from `at` on."""
    tx.run("documents.supersede", id=number, by=by, at=at)


def restore(tx: Transaction, *, number: int) -> None:
    """Make it current again."""
    tx.run("documents.restore", id=number)


def successors(tx: Transaction, *, number: int) -> list[Row]:
    """The `id` and `uuid` of what supersedes it, directly and indirectly, in order."""
    return tx.all("documents.successors", id=number)


def count(tx: Transaction) -> int:
    row = tx.one("documents.count")
    return int(row["documents"]) if row else 0


def ids(tx: Transaction) -> list[int]:
    return [row["id"] for row in tx.all("documents.ids")]


def record(row: Row) -> Document:
    return Document(
        text=row["body"],
        id=row["uuid"],
        tenant=row["tenant"],
        project=row["project"],
        source=row["source"],
        date=row["date"],
        date_by=row["date_by"],
        actor=row["actor"],
        session=row["session"],
        created_at=row["created_at"],
    )


def of_job(tx: Transaction, job_id: int) -> str | None:
    """The UUID of the document that a job split, or splits."""
    row = tx.one("documents.of_job", job_id=job_id)
    return row["uuid"] if row else None


def by_project(tx: Transaction) -> list[Row]:
    """For each named project: how many documents, and when the first and the last were stored."""
    return tx.all("documents.by_project")


class Listed(Record):
    """Which documents `listed` returns."""

    before: int  # with a lower id
    project: str | None = None
    words: str | None = None  # part of the source
    state: str | None = None  # ingested, pending, failed, dead or discarded


def listed(tx: Transaction, wanted: Listed, *, examined: int, limit: int) -> tuple[list[Row], int | None]:
    """Documents with their states, the newest first, and the id of the last examined one, if there are as many."""
    words = wanted.words and wanted.words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    like = {"words": f"%{words.lower()}%", "spelled": f"%{words}%"} if words else {"words": None, "spelled": None}
    where = {"before": wanted.before, "unchunked": int(wanted.state not in (None, "ingested")), "examined": examined}
    rows = tx.all("documents.listed", **where, **like, project=wanted.project, state=wanted.state, limit=limit)
    last = tx.one("documents.last_examined", **where)
    return rows, last["id"] if last else None


def progress(tx: Transaction, numbers: Iterable[int]) -> dict[int, Row]:
    """By id of a document: `chunks` that are memories; those `enriched`, `superseded`, or with a `dead` job."""
    import json

    return {row["document_id"]: row for row in tx.all("documents.progress", ids=json.dumps([*numbers]))}
