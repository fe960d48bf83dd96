"""Fields of AutoMem's requests under our names: for its tools over MCP and its routes over HTTP.

Only names are translated here. Values are checked by the calls that get them.
"""

from __future__ import annotations

from jotsam.core.names import LINK_PROPERTIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

RELATES_TO = "RELATES_TO"
SUPERSEDED_STRENGTH = 0.9  # of the link from a memory to the one that replaces it
LEAST = 0.001  # a weight of ours is above 0

# Names of fields with the names of our options.
STORED = {"tags": "tags", "importance": "importance", "metadata": "metadata", "type": "type"}
STORED |= {"confidence": "confidence", "t_valid": "valid_from", "t_invalid": "valid_until"}
PAIR = {"memory1_id": "source", "type": "type", "memory2_id": "target", "strength": "weight"}


def renamed(fields: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The given fields of those in `names`, under our names."""
    return {ours: fields[theirs] for theirs, ours in names.items() if theirs in fields}


def association(fields: Mapping[str, Any]) -> dict[str, Any]:
    """An association as `associate` takes it. Properties that links of its type do not have are left out."""
    found = {"type": RELATES_TO, **renamed(fields, PAIR)}
    if found.get("weight") == 0:
        found["weight"] = LEAST
    kind = found["type"].strip().upper() if isinstance(found["type"], str) else ""
    properties = {name: fields[name] for name in LINK_PROPERTIES.get(kind, ()) if fields.get(name) is not None}
    return {**found, "properties": properties} if properties else found
