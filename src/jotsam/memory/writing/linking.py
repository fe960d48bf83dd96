"""Links that callers create between memories, with a weight and, depending on the type, properties.

Here a link hides nothing from recall: `associate` calls this and supersedes.
"""

from __future__ import annotations

import json

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import LINK_PROPERTIES, LINK_TYPES
from jotsam.core.records import Link
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import metadata_json
from jotsam.memory.reading.show import memory_row, parsed_properties
from jotsam.storage.graph import graph
from jotsam.storage.memories import allowed_secrets, redactions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.storage.database import Row, Transaction

MAX_PROPERTIES = 10_000  # characters of JSON


def lock(tx: Transaction) -> None:
    """Wait for other transactions of the tenant that link many memories, or associate, and make later ones wait.

    Two batches with the same links in different orders would deadlock, and two memories could supersede each other.
    """
    tx.lock(f"links {tx.tenant}")


def link(
    tx: Transaction,
    *,
    source: str,
    type: str,
    target: str,
    weight: float = 1.0,
    properties: Mapping[str, object] | None = None,
) -> Link:
    """Link two memories, or change the weight of their link, and its properties if they are given.

    Raises `NotFound`, `InvalidInput`.
    """
    is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not (is_number and 0 < weight <= 1):
        raise InvalidInput(f"invalid weight {weight!r}: must be a number above 0 and at most 1")
    one, other, kind = ends(tx, source, type, target)
    text = _properties_json(kind, properties)
    redactor = Redactor(lambda: allowed_secrets.fingerprints(tx))
    text = redactor.redact_metadata(text, name="properties")
    graph.link(tx, source=one["id"], target=other["id"], type=kind, weight=float(weight), properties=text)
    if redactor.found:
        redactions.save(tx, redactor.found, memory=one["id"])
    said = parsed_properties(text)
    return Link(source=one["uuid"], target=other["uuid"], type=kind, weight=float(weight), properties=said)


def unlink(tx: Transaction, *, source: str, type: str, target: str) -> Link:
    """Delete a link that a caller created. Raises `NotFound`, `InvalidInput`."""
    one, other, kind = ends(tx, source, type, target)
    row = graph.unlink_manual(tx, source=one["id"], target=other["id"], type=kind)
    if row is None:
        raise NotFound(f"there is no link {one['uuid']} {kind} {other['uuid']}: `jotsam show --links` shows links")
    said = parsed_properties(row["properties"])
    return Link(source=one["uuid"], target=other["uuid"], type=kind, weight=float(row["weight"]), properties=said)


def ends(tx: Transaction, source: str, type: str, target: str) -> tuple[Row, Row, str]:
    """The rows of two memories, and the link type as stored. Raises `NotFound`, `InvalidInput`."""
    kind = validate.check_text("type", type).strip().upper()
    validate.check_choice("type", kind, LINK_TYPES)
    one, other = (memory_row(tx, id=id) for id in (source, target))
    if one["id"] == other["id"]:
        raise InvalidInput(f"{source!r} and {target!r} are the same memory: give two")
    return one, other, kind


def _properties_json(type: str, properties: Mapping[str, object] | None) -> str | None:
    """Properties as they are stored; None if none are given."""
    if properties is None:
        return None
    if not hasattr(properties, "items"):
        raise InvalidInput(f"invalid properties {validate.shown(properties)}: must be a dict")
    allowed = LINK_PROPERTIES.get(type, ())
    unknown = sorted(str(name) for name in properties if name not in allowed)
    if unknown:
        has = f"has {', '.join(allowed)}" if allowed else "has none"
        raise InvalidInput(f"unknown property {unknown[0]!r} of a link: {type} {has}")
    text = metadata_json(dict(properties), name="properties")
    text = metadata_json(validate.replace_unstorable_in_json(json.loads(text or "{}")), name="properties")
    if text is not None and len(text) > MAX_PROPERTIES:
        raise InvalidInput(f"invalid properties of {len(text):,} characters: must be at most {MAX_PROPERTIES:,}")
    return text
