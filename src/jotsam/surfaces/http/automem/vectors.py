"""AutoMem's `/admin/reembed` and `/admin/sync`. Both queue memories: vectors are made in the background here."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from jotsam.admin import embedders
from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.http_error import HttpError

NOT_CONFIGURED = "Embedding provider is not configured: set embed_model"


class EmbedBody(Struct):
    """Which memories. The worker chooses the size of its batches. Unknown fields are ignored."""

    batch_size: Any = None
    limit: Any = None
    force: bool = True
    dry_run: bool = False


def reembed(call: Call) -> Reply:
    """Make the vectors of all memories again; with `force: false`, those of memories without one."""
    _check(call)
    count, _ = embedders.refresh(call.jot, force=call.body.force)
    status = "queued" if count else "complete"
    body = {"status": status, "processed": 0, "queued": count, "failed": 0, "total": count, "metadata_preserved": True}
    return Reply(body={**body, **_ignored(call.body)})


def sync(call: Call) -> Reply:
    """Make the vectors that are missing."""
    _check(call)
    count, _ = embedders.refresh(call.jot, dry_run=call.body.dry_run)
    now = embedders.status(call.jot)
    vectors = sum(one.vectors for one in now.made if one.name == now.name)
    status = "dry_run" if call.body.dry_run else "queued" if count else "already_synced"
    body = {"status": status, "falkordb_count": now.memories, "qdrant_count": vectors}
    body |= {"missing_count": count, "synced": 0, "queued": 0 if call.body.dry_run else count}
    return Reply(body={**body, "waiting": now.waiting, "failed": now.failed, "orphaned_count": 0})


def _check(call: Call) -> None:
    if not embedders.is_configured(call.jot.settings):
        raise HttpError(503, "unavailable", NOT_CONFIGURED)


def _ignored(body: EmbedBody) -> dict[str, Any]:
    names = [name for name in ("batch_size", "limit") if getattr(body, name) is not None]
    return {"ignored": names} if names else {}


ROUTES = (
    Route(
        method="POST",
        path="/admin/reembed",
        handler=reembed,
        scope="write",
        body=EmbedBody,
        summary="Make vectors again",
        errors="automem",
        admin_token=True,
    ),
    Route(
        method="POST",
        path="/admin/sync",
        handler=sync,
        scope="write",
        body=EmbedBody,
        summary="Make the vectors that are missing",
        errors="automem",
        admin_token=True,
    ),
)
