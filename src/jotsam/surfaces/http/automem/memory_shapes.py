"""Memories as AutoMem's clients read them, and the ids that they send."""

from __future__ import annotations

import re

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput
from jotsam.memory.automem.memories import type_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.core.records import StoredMemory

_UUID = re.compile("([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})")

IMPORTANCE = 0.5  # shown for a memory without one


def memory_id(text: object, *, name: str = "memory_id") -> str:
    """A UUID in its usual form. Raises `InvalidInput`."""
    digits = str(text).strip().lower().removeprefix("urn:uuid:").strip("{}").replace("-", "")
    found = _UUID.fullmatch(digits)
    if found is None:
        raise InvalidInput(f"'{name}' must be a valid UUID, not {str(text)[:60]!r}")
    return "-".join(found.groups())


def memory(found: StoredMemory) -> dict[str, Any]:
    """All fields of a memory."""
    type, confidence = type_of(found)
    said_at = format_time(found.created_at if found.said_at is None else found.said_at)
    updated_at = format_time(found.changed_at or found.created_at)
    body: dict[str, Any] = {
        "id": found.id,
        "content": found.text,
        "summary": found.summary,
        "tags": list(found.tags),
        "importance": IMPORTANCE if found.importance is None else found.importance,
        "type": type,
        "confidence": confidence,
        "metadata": dict(found.metadata or {}),
        "timestamp": said_at,
        "updated_at": updated_at,
        "last_accessed": updated_at,
        "t_valid": said_at if found.valid_from is None else format_time(found.valid_from),
        "t_invalid": None if found.valid_until is None else format_time(found.valid_until),
        "enriched": found.enriched_at is not None,
        "enriched_at": None if found.enriched_at is None else format_time(found.enriched_at),
        "processed": found.enriched_at is not None,
    }
    if found.superseded_at is not None:
        body["superseded_at"] = format_time(found.superseded_at)
    if found.superseded_by is not None:
        body["superseded_by"] = found.superseded_by
    if found.archived_at is not None:
        body |= {"archived": True, "archived_at": format_time(found.archived_at)}
    return body


def summary(found: StoredMemory, text: str | None = None) -> dict[str, Any]:
    """A memory in a list of related ones. `text`, or its first words, replace a missing summary."""
    whole = memory(found)
    short = {name: whole[name] for name in ("id", "type", "timestamp", "importance", "confidence", "summary")}
    short["tags"] = whole["tags"][:5]
    if text is not None:
        short["summary"] = text
    elif found.summary is None:
        short["content"] = found.text if len(found.text) <= 160 else f"{found.text[:157].rsplit(' ', 1)[0]}…"
        del short["summary"]
    return short


def ignored(fields: object, names: tuple[str, ...]) -> dict[str, list[str]]:
    """The given fields that have no effect, for the reply."""
    found = [name for name in names if getattr(fields, name, None) not in (None, "")]
    return {"ignored": found} if found else {}
