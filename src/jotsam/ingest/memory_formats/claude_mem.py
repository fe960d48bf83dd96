"""The database of claude-mem (`~/.claude-mem/claude-mem.db`): observations, session summaries and prompts.

It is opened read-only. Sessions get the id that Claude Code gave them, so that they are those of imported transcripts.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Memory
from jotsam.ingest.memory_formats.items import Item, ItemLink, Rejected, mark, object_of, text_of, texts_of
from jotsam.storage.sqlite import foreign_database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Row = dict[str, Any]

SOURCE = "claude-mem"
MARK = "observations"  # a table that every version has
# Columns differ between its versions, so all are read.
TABLES = {
    "sdk_sessions": "select * from sdk_sessions order by id",
    "observations": "select * from observations order by id",
    "session_summaries": "select * from session_summaries order by id",
    "user_prompts": "select * from user_prompts order by id",
}
SUMMARY = ("request", "investigated", "learned", "completed", "next_steps", "notes")


def read_items(path: str) -> Iterator[Item | ItemLink | Rejected]:
    with foreign_database.opened(path) as database:
        if MARK not in database.tables:
            raise InvalidInput(f"{path}: not a database of claude-mem: it has no table {MARK}")

        def rows(table: str) -> Iterator[Row | None]:
            return database.rows_or_none(TABLES[table]) if table in database.tables else iter(())

        sessions = _Sessions(row for row in rows("sdk_sessions") if row)
        for table, item in (("observations", _observation), ("session_summaries", _summary), ("user_prompts", _prompt)):
            for number, row in enumerate(rows(table), 1):
                if row is None:
                    yield Rejected(line=None, reason=f"row {number:,} of {table}: a text in it is not UTF-8")
                elif found := item(row, sessions):
                    yield found


class _Sessions:
    """The id that Claude Code gave a session, and the project of each."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.named: dict[Any, Any] = {}
        self.projects: dict[Any, Any] = {}
        for row in rows:
            self.named[row.get("memory_session_id")] = row.get("content_session_id")
            self.projects[row.get("content_session_id")] = row.get("project")


def _observation(row: Row, sessions: _Sessions) -> Item | None:
    facts = [f"- {fact}" for fact in texts_of(row.get("facts"))]
    parts = [text_of(row.get(name)) for name in ("title", "subtitle", "narrative", "text")]
    return _item("observation", "\n".join([*(part for part in parts if part), *facts]), row, sessions.named)


def _summary(row: Row, sessions: _Sessions) -> Item | None:
    parts = [(name, text_of(row.get(name))) for name in SUMMARY]
    text = "\n".join(f"{name.replace('_', ' ').capitalize()}: {part}" for name, part in parts if part)
    return _item("summary", text, {**row, "type": "Context"}, sessions.named)


def _prompt(row: Row, sessions: _Sessions) -> Item | None:
    session = row.get("content_session_id")
    about = {**row, "memory_session_id": session, "project": sessions.projects.get(session)}
    item = _item("prompt", text_of(row.get("prompt_text")), about, {session: session})
    return item and item.replace(memory=item.memory.replace(actor="user"))


def _item(kind: str, text: str, row: Row, named: dict[Any, Any]) -> Item | None:
    if not text:
        return None
    session = row.get("memory_session_id")
    about = {name: list(texts_of(row.get(name))) for name in ("files_read", "files_modified", "files_edited")}
    metadata = {**{name: value for name, value in about.items() if value}, **object_of(row.get("metadata"))}
    epoch = row.get("created_at_epoch")
    memory = Memory(
        text=text,
        source=SOURCE,
        project=text_of(row.get("merged_into_project")) or text_of(row.get("project")) or None,
        session=text_of(named.get(session)) or text_of(session) or None,
        type=text_of(row.get("type")) or None,
        tags=(kind, *texts_of(row.get("concepts"))),
        metadata=metadata or None,
        said_at=epoch if isinstance(epoch, int) and epoch > 0 else None,
    )
    return Item(key=f"claude-mem:{kind}:{mark(str(session), str(epoch), text)}", memory=memory)
