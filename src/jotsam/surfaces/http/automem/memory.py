"""AutoMem's routes of single memories and of those with a tag."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from jotsam.admin.embedders import is_configured
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import InvalidInput
from jotsam.memory.automem import memories
from jotsam.memory.automem.memories import WITHOUT_EFFECT
from jotsam.surfaces.http.automem.memory_shapes import ignored, memory, memory_id
from jotsam.surfaces.http.automem.query_values import number
from jotsam.surfaces.http.requests.route import Call, Reply, Route, given

CREATED = 201  # also when the client waited
MAX_ITEMS = 500
BY_TAG, MAX_BY_TAG = 20, 200
FORGOTTEN = "it was forgotten for good, so it is not stored again"
SOURCE = "automem"

Number = float | str | UnsetType | None  # as text too


class MemoryFields(Struct):
    """A memory to store. Unknown fields are ignored, and so is the value of those without effect."""

    content: str | None = None
    tags: list[str] | str | UnsetType | None = UNSET
    importance: Number = UNSET
    metadata: dict[str, Any] | UnsetType | None = UNSET
    type: str | UnsetType | None = UNSET
    confidence: Number = UNSET
    timestamp: str | UnsetType | None = UNSET
    t_valid: str | UnsetType | None = UNSET
    t_invalid: str | UnsetType | None = UNSET
    id: str | None = None
    embedding: Any = None
    updated_at: Any = None
    last_accessed: Any = None


class MemoryBatch(Struct):
    """Memories to store."""

    memories: list[MemoryFields] | None = None


class Changes(Struct):
    """Fields of a memory to change; what is not given stays. Unknown fields are ignored."""

    content: str | UnsetType | None = UNSET
    tags: list[str] | str | UnsetType | None = UNSET
    importance: Number = UNSET
    metadata: dict[str, Any] | UnsetType | None = UNSET
    type: str | UnsetType | None = UNSET
    confidence: Number = UNSET
    t_valid: str | UnsetType | None = UNSET
    t_invalid: str | UnsetType | None = UNSET
    timestamp: Any = None
    embedding: Any = None
    updated_at: Any = None
    last_accessed: Any = None


class TagQuery(Struct):
    """Tags, and the page of a list."""

    tags: list[str] = []  # msgspec copies it.
    limit: str | None = None
    offset: str | None = None


def store(call: Call) -> Reply:
    """Accept one memory."""
    began, body = monotonic_ms(), call.body
    if not (body.content or "").strip():
        raise InvalidInput("'content' is required")
    [receipt] = memories.store(call.jot, [given(body)], source=SOURCE)
    if receipt.forgotten:
        raise InvalidInput(f"the memory is refused: {FORGOTTEN}")
    stored = memory(call.jot.get(receipt.id))
    vectors = is_configured(call.jot.settings)
    reply = {
        "status": "success",
        "memory_id": receipt.id,
        "stored_at": stored["timestamp"],
        **{name: stored[name] for name in ("type", "confidence", "metadata", "timestamp", "updated_at")},
        "last_accessed": stored["last_accessed"],
        "qdrant": "queued" if vectors else "unconfigured",
        "embedding_status": "queued" if vectors else "skipped",
        "enrichment": "queued",
        "job_id": receipt.job_id,
        "duplicate": receipt.duplicate,
        "warnings": list(receipt.warnings),
        **ignored(body, WITHOUT_EFFECT),
        "query_time_ms": monotonic_ms() - began,
    }
    return Reply(body=reply, status=CREATED, wait_for=(receipt.id,))


def store_batch(call: Call) -> Reply:
    """Accept up to 500 memories, all or none."""
    began, items = monotonic_ms(), call.body.memories
    if not items:
        raise InvalidInput("'memories' must be a non-empty array")
    if len(items) > MAX_ITEMS:
        raise InvalidInput(f"Batch size limit is {MAX_ITEMS} memories per request, not {len(items):,}")
    for index, item in enumerate(items):
        if not (item.content or "").strip():
            raise InvalidInput(f"Memory at index {index} missing 'content'")
    receipts = memories.store(call.jot, [given(item) for item in items], source=SOURCE)
    ids = [receipt.id for receipt in receipts if not receipt.forgotten]
    warnings = [f"item {at}: {text}" for at, receipt in enumerate(receipts) for text in receipt.warnings]
    warnings += [f"item {at}: {FORGOTTEN}" for at, receipt in enumerate(receipts) if receipt.forgotten]
    reply = {
        "status": "success",
        "stored": len(ids),
        "memory_ids": ids,
        "qdrant": f"queued ({len(ids)})" if is_configured(call.jot.settings) else "unconfigured",
        "enrichment": "queued",
        "warnings": warnings,
        "query_time_ms": monotonic_ms() - began,
    }
    return Reply(body=reply, status=CREATED, wait_for=ids)


def get(call: Call) -> Reply:
    """One memory."""
    return Reply(body={"status": "success", "memory": memory(call.jot.get(memory_id(call.path["id"])))})


def change(call: Call) -> Reply:
    """Change fields of a memory. A new text is enriched again."""
    id, body = memory_id(call.path["id"]), call.body
    fields = given(body)
    if "content" in fields and not (fields["content"] or "").strip():
        raise InvalidInput("'content' must not be empty")
    memories.change(call.jot, id, fields)
    none = ignored(body, ("embedding", "timestamp", "updated_at", "last_accessed"))
    return Reply(body={"status": "success", "memory_id": id, **none}, wait_for=(id,))


def delete(call: Call) -> Reply:
    """Forget one memory, with everything made of it."""
    id = memory_id(call.path["id"])
    memories.forget(call.jot, ids=[call.jot.get(id).id])
    return Reply(body={"status": "success", "memory_id": id})


def list_by_tag(call: Call) -> Reply:
    """The memories with one of the tags, the most important first."""
    tags = _tags(call.query)
    limit, offset = number(call.query.limit, BY_TAG, 1, MAX_BY_TAG), number(call.query.offset, 0, 0, 1 << 30)
    page, has_more = memories.with_tags(call.jot, tags, limit=limit, offset=offset)
    place = {"count": len(page), "limit": limit, "offset": offset, "has_more": has_more}
    return Reply(body={"status": "success", "tags": tags, **place, "memories": [memory(one) for one in page]})


def delete_by_tag(call: Call) -> Reply:
    """Forget the memories with one of the tags."""
    tags = _tags(call.query)
    count = memories.forget(call.jot, tags=tags)
    return Reply(body={"status": "success", "tags": tags, "deleted_count": count})


def _tags(query: TagQuery) -> list[str]:
    tags = [tag.strip() for tag in query.tags if tag.strip()]
    if not tags:
        raise InvalidInput("'tags' query parameter is required")
    return tags


ROUTES = (
    Route(
        method="POST",
        path="/memory",
        handler=store,
        scope="write",
        body=MemoryFields,
        status=CREATED,
        summary="Store one memory",
        errors="automem",
    ),
    Route(
        method="POST",
        path="/memory/batch",
        handler=store_batch,
        scope="write",
        body=MemoryBatch,
        status=CREATED,
        summary="Store up to 500 memories",
        errors="automem",
    ),
    Route(
        method="GET",
        path="/memory/by-tag",
        handler=list_by_tag,
        scope="read",
        query=TagQuery,
        summary="List the memories with one of the tags",
        errors="automem",
    ),
    Route(
        method="DELETE",
        path="/memory/by-tag",
        handler=delete_by_tag,
        scope="write",
        query=TagQuery,
        summary="Forget the memories with one of the tags",
        errors="automem",
    ),
    Route(method="GET", path="/memory/{id}", handler=get, scope="read", summary="One memory", errors="automem"),
    Route(
        method="PATCH",
        path="/memory/{id}",
        handler=change,
        scope="write",
        body=Changes,
        summary="Change fields of a memory",
        errors="automem",
    ),
    Route(
        method="DELETE", path="/memory/{id}", handler=delete, scope="write", summary="Forget a memory", errors="automem"
    ),
)
