"""AutoMem's `/associate`. INVALIDATED_BY and EVOLVED_INTO hide the first memory from recall."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import LINK_TYPES
from jotsam.memory.automem.fields import RELATES_TO, association
from jotsam.memory.writing import associate
from jotsam.surfaces.http.automem.memory_shapes import memory_id
from jotsam.surfaces.http.requests.route import Call, Reply, Route, given

MAX_ITEMS = 500
MISSING = "One or both memories do not exist"


class Pair(Struct):
    """Two memories, the type of their link, and its properties. Unknown fields are ignored."""

    memory1_id: str | None = None
    memory2_id: str | None = None
    type: str | None = None
    strength: float | str | None = None
    context: Any | UnsetType = UNSET
    reason: Any | UnsetType = UNSET
    pattern_type: Any | UnsetType = UNSET
    confidence: Any | UnsetType = UNSET
    resolution: Any | UnsetType = UNSET
    observations: Any | UnsetType = UNSET
    timestamp: Any | UnsetType = UNSET
    transformation: Any | UnsetType = UNSET
    role: Any | UnsetType = UNSET


class Pairs(Pair):
    """One pair, or many."""

    associations: list[Any] | None = None


def associate_pairs(call: Call) -> Reply:
    """Link one pair of memories, or many."""
    if call.body.associations is not None:
        return _many(call, call.body.associations)
    item = _checked(given(call.body))
    try:
        done = associate.associate(call.jot.database, tenant=call.jot.settings.tenant, **association(item))
    except NotFound as error:
        raise NotFound(MISSING) from error
    link = done.link
    reply = {
        "status": "success",
        "message": f"Association created between {link.source} and {link.target}",
        "relation_type": link.type,
        "strength": item["strength"],
        "supersedes": done.supersedes,
    }
    return Reply(body={**reply, **(link.properties or {})})


def _many(call: Call, given: list[Any]) -> Reply:
    if not given:
        raise InvalidInput("'associations' must be a non-empty array")
    if len(given) > MAX_ITEMS:
        raise InvalidInput(f"Batch size limit is {MAX_ITEMS} associations per request, not {len(given):,}")
    items: dict[int, dict[str, Any]] = {}
    failed: list[dict[str, Any]] = []
    for index, one in enumerate(given):
        try:
            items[index] = _checked(one)
        except InvalidInput as error:
            failed.append({"index": index, "reason": str(error)})
    wanted = [association(item) for item in items.values()]
    results = associate.associate_many(call.jot.database, wanted, tenant=call.jot.settings.tenant)
    succeeded = []
    for (index, item), result in zip(items.items(), results, strict=True):
        if result.error is not None:
            reason = MISSING if isinstance(result.error, NotFound) else str(result.error)
            failed.append({"index": index, "reason": reason})
        else:
            ends = {name: item[name] for name in ("memory1_id", "memory2_id")}
            succeeded.append({"index": index, **ends, "relation_type": item["type"], "strength": item["strength"]})
    failed.sort(key=lambda one: one["index"])
    reply = {
        "status": "partial_success" if failed else "success",
        "created_count": len(succeeded),
        "failed_count": len(failed),
        "succeeded": succeeded,
        "failed": failed,
        "summary": f"{len(succeeded)}/{len(given)} associations created successfully",
    }
    return Reply(body=reply, status=207 if failed else 201)


def _checked(item: Any) -> dict[str, Any]:
    """A pair with its ids, type and strength checked. Raises `InvalidInput`."""
    if not isinstance(item, dict):
        raise InvalidInput("Association item must be an object")
    ends = [str(item.get(name) or "").strip() for name in ("memory1_id", "memory2_id")]
    if not all(ends):
        raise InvalidInput("'memory1_id' and 'memory2_id' are required")
    one, other = (memory_id(end, name=name) for end, name in zip(ends, ("memory1_id", "memory2_id"), strict=True))
    if one == other:
        raise InvalidInput("Cannot associate a memory with itself")
    type = str(item.get("type") or RELATES_TO).strip().upper()
    if type not in LINK_TYPES:
        raise InvalidInput(f"Relation type must be one of {', '.join(sorted(LINK_TYPES))}, not {type[:60]!r}")
    strength = associate.WEIGHT if item.get("strength") is None else item["strength"]
    if isinstance(strength, str):
        with suppress(ValueError):
            strength = float(strength)
    if isinstance(strength, bool) or not isinstance(strength, int | float) or not 0 <= strength <= 1:
        raise InvalidInput(f"'strength' must be a number between 0 and 1, not {str(strength)[:60]!r}")
    return {**item, "memory1_id": one, "memory2_id": other, "type": type, "strength": strength}


ROUTES = (
    Route(
        method="POST",
        path="/associate",
        handler=associate_pairs,
        scope="write",
        body=Pairs,
        status=201,
        summary="Link memories",
        errors="automem",
    ),
)
