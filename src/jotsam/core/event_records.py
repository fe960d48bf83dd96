"""What happened in a tenant, and where it is in the history."""

from __future__ import annotations

from types import MappingProxyType

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.validate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Position = tuple[int, int, int]  # see storage.events

GAP = "gap"


class Event(Record):
    """Something that happened. `id` is the cursor of the events after it."""

    id: str
    # memory.store, memory.recall, enrichment.start, enrichment.complete, enrichment.failed, consolidation.run; gap
    type: str
    at: int
    subject: str | None = None  # UUID of a memory, a document or a run of the lifecycle
    job_id: int | None = None
    data: Mapping[str, str | int | float | bool | None] = MappingProxyType({})


def position(text: str) -> Position:
    """The position in the history that a cursor names. Raises `InvalidInput`."""
    parts = text.split("-") if isinstance(text, str) else []
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        raise InvalidInput(f"invalid cursor of events {shown(text)}: must be the id of an event, as 1-0-1042")
    run, xact, id = map(int, parts)
    return run, xact, id


def cursor(place: Position) -> str:
    return "-".join(map(str, place))
