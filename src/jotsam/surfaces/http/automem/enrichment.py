"""AutoMem's routes of enrichment: its status, and memories to enrich again."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput
from jotsam.memory.automem import enrichment_status
from jotsam.surfaces.http.requests.route import Call, Reply, Route

RUNNING, STOPPED = "running", "stopped"


class ReprocessRequest(Struct):
    """Memories to enrich again, as a list or separated by commas. Unknown fields are ignored."""

    ids: list[str] | str | None = None
    memory_ids: list[str] | str | None = None
    clear_existing: bool = False


class ReprocessQuery(Struct):
    """The same in the query string."""

    ids: list[str] = []


def status(call: Call) -> Reply:
    """Counts of the queue, and the latest success and error."""
    now = enrichment_status.read_enrichment_status(call.jot.database, call.jot.settings)
    found = call.jot.status()
    waiting = now.pending + now.retrying
    is_running = not now.is_paused and (found.worker != "none" or call.server.options.worker)
    stats: dict[str, Any] = {
        "processed_total": now.done + now.failed_attempts,
        "successes": now.done,
        "failures": now.failed_attempts,
        "last_success_id": now.last_success_id,
        "last_success_at": _time(now.last_success_at),
        "last_error": now.last_error,
        "last_error_at": _time(now.last_error_at),
        "last_error_id": now.last_error_id,
        "dead": now.dead,
    }
    body = {
        "status": RUNNING if is_running else STOPPED,
        "queue_size": waiting,
        "queue_depth": waiting,
        "pending": waiting,
        "inflight": now.in_progress,
        "inflight_count": now.in_progress,
        "max_attempts": now.max_attempts,
        **{name: stats[name] for name in ("processed_total", "successes", "failures")},
        **{name: stats[name] for name in ("last_success_id", "last_success_at", "last_error", "last_error_at")},
        "stats": stats,
        "classification": {
            "llm_attempts": None,
            "llm_successes": None,
            "fallbacks": found.degraded,
            "pattern_classifications": None,
            "last_error": None,
            "last_error_at": None,
        },
    }
    return Reply(body=body)


def reprocess(call: Call) -> Reply:
    """Enrich memories again; with `clear_existing`, what was extracted from them is deleted at once."""
    named = [*_ids(call.body.ids), *_ids(call.body.memory_ids), *(id for text in call.query.ids for id in _ids(text))]
    ids = sorted(set(named))
    if not ids:
        raise InvalidInput("No memory ids provided for reprocessing")
    plan = call.jot.plan_reprocess(ids, force=True)
    queued = call.jot.reprocess(plan, clear=call.body.clear_existing)
    already = len(ids) - queued if queued < len(ids) else 0
    return Reply(body={"status": "queued", "count": len(ids), "ids": ids, "queued_already": already})


def _ids(given: list[str] | str | None) -> list[str]:
    values = given.split(",") if isinstance(given, str) else given or []
    return [value.strip() for value in values if value.strip()]


def _time(at: int | None) -> str | None:
    return None if at is None else format_time(at)


ROUTES = (
    Route(
        method="GET",
        path="/enrichment/status",
        handler=status,
        scope="read",
        summary="Counts of enrichment, and its latest success and error",
        errors="automem",
    ),
    Route(
        method="POST",
        path="/enrichment/reprocess",
        handler=reprocess,
        scope="write",
        query=ReprocessQuery,
        body=ReprocessRequest,
        status=202,
        summary="Enrich memories again",
        errors="automem",
        admin_token=True,
    ),
)
