"""`Selection`: which memories a caller lists, forgets or exports."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Selection(Record):
    """Which memories and documents of a tenant. Those that match every given field; without fields, all of them.

    Times are milliseconds since 1970 UTC. Tags, types, importance and metadata match memories only, not documents.
    """

    ids: tuple[str, ...] = ()  # of memories and documents: UUIDs, their prefixes, or external ids
    document: str | None = None  # this document and its chunks
    source: str | None = None
    project: str | None = None
    session: str | None = None
    actor: str | None = None
    tags: tuple[str, ...] = ()  # with at least one of them, ignoring case
    every_tag: bool = False  # with all of them instead
    types: tuple[str, ...] = ()  # of one of these types, ignoring case
    since: int | None = None  # at this time or later; a memory without a time counts by when it was stored
    until: int | None = None  # before this time
    before: int | None = None  # stored before this time
    min_importance: float | None = None
    metadata: Mapping[str, object] | None = None  # see `core.comparisons`
