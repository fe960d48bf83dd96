"""The documents of a tenant, page by page, each with its state: whether it can be found, and if not, why."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.records import Record
from jotsam.ingest.validation import check_line
from jotsam.storage.memories import documents, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database, Row

MAX_LIMIT = 200
EXAMINED = 20_000  # documents among which those of one page are looked for
LAST = 2**62  # above every id
BEGINNING = 120  # characters
COUNTS = ("chunks", "enriched", "superseded", "dead")

INGESTED, PENDING, FAILED, DEAD, DISCARDED = STATES = ("ingested", "pending", "failed", "dead", "discarded")


class ListedDocument(Record):
    """A document of a list, without its text.

    `state` is that of the job that splits it: ingested, pending, failed (it will be retried), dead, or discarded.
    """

    id: str
    state: str
    source: str | None
    beginning: str | None  # of the text, if there is no source
    project: str | None
    actor: str | None
    session: str | None
    date: int | None
    created_at: int
    superseded_at: int | None
    job_id: int
    error: str | None  # of that job
    retry_at: int | None  # when a failed job is retried
    chunks: int = 0  # that are memories
    enriched: int = 0  # of these
    superseded: int = 0  # of these, as all chunks of an earlier text of a source are
    dead: int = 0  # chunks that are not enriched, because their job is dead

    @property
    def is_superseded(self) -> bool:
        """Whether recall finds it only with its history."""
        return self.superseded_at is not None or 0 < self.chunks == self.superseded


class DocumentPage(Record):
    """Documents of a list. Pass `next` as `before` for the page that follows; None: this is the last."""

    documents: tuple[ListedDocument, ...]
    next: int | None
    is_cut: bool = False  # only the latest `EXAMINED` were examined: `next` continues there


def list_documents(
    database: Database,
    *,
    tenant: str,
    words: str | None = None,
    project: str | None = None,
    state: str | None = None,
    before: int | None = None,
    limit: int = 50,
) -> DocumentPage:
    """A page of documents, those stored last first. `words` is part of the source. Raises `InvalidInput`."""
    validate.check_int("limit", limit, 1, MAX_LIMIT)
    wanted = documents.Listed(
        before=LAST if before is None else validate.check_int("before", before, 0, LAST),
        project=check_line("project", project),
        words=check_line("words", words),
        state=validate.check_choice("state", state, STATES),
    )
    with database.snapshot(tenant=tenant) as tx:
        wanted = wanted.replace(project=projects.asked(tx, wanted.project))
        rows, last = documents.listed(tx, wanted, examined=EXAMINED, limit=limit + 1)
        progress = documents.progress(tx, [row["id"] for row in rows[:limit]])
    has_more = len(rows) > limit
    return DocumentPage(
        documents=tuple(_listed(row, progress.get(row["id"])) for row in rows[:limit]),
        next=rows[limit - 1]["id"] if has_more else last,
        is_cut=not has_more and last is not None,
    )


def _listed(row: Row, progress: Row | None) -> ListedDocument:
    same = ("state", "source", "project", "actor", "session", "date", "created_at", "superseded_at", "job_id", "error")
    found = ListedDocument(
        id=row["uuid"],
        beginning=None if row["beginning"] is None else " ".join(row["beginning"].split())[:BEGINNING],
        retry_at=row["wake_at"] if row["state"] == FAILED else None,
        **{name: row[name] for name in same},
    )
    return found.replace(**{name: int(progress[name]) for name in COUNTS}) if progress else found
