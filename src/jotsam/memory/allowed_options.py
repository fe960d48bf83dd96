"""Which keyword options the public calls accept, for callers without a type checker. Imports nothing slow."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.answers import Question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

RECALL = frozenset(Question._fields) - {"text", "tenant", "tokens", "limit", "spooled"}
MEMORY = frozenset(
    (
        *("type", "tags", "importance", "confidence", "metadata", "actor", "session", "position", "said_at"),
        *("valid_from", "valid_until", "external_id", "project", "source"),
    )
)
MEMORY_ITEM = MEMORY | {"text", "key"}
DOCUMENT_ITEM = frozenset(("text", "key", "source", "project", "date", "actor", "session"))
TURN = frozenset(("actor", "position", "said_at", "project", "source", "type"))
_LISTS = {"tags", "without", "types", "expand", "pinned"}


def recall_fields(options: Mapping[str, Any], *, prefer: str | None) -> dict[str, Any]:
    """The options of `recall` as fields of a `Question`. Raises `InvalidInput` for an unknown one."""
    validate.check_fields(options, RECALL)
    fields = {"prefer": prefer, **options}
    for name in _LISTS & fields.keys():
        if not isinstance(fields[name], str):
            fields[name] = tuple(validate.check_list(name, fields[name]))
    return fields
