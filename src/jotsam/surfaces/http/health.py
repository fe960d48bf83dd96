"""`/healthz` and `/readyz`: whether the process answers, and whether the server can do its work. Open to everyone."""

from __future__ import annotations

import logging

from jotsam.admin.readiness import why_not_ready
from jotsam.core.errors import JotsamError
from jotsam.surfaces.http.route import Call, Reply, Route

log = logging.getLogger("jotsam.http")

RETRY_AFTER_S = 5


def health(call: Call) -> Reply:
    """The process answers. Touches no database: restarting the process would not repair one."""
    return Reply(body={"status": "ok"})


def readiness(call: Call) -> Reply:
    """The server can do its work, or the reason why not."""
    reason = reason_not_ready(call)
    if reason is None:
        return Reply(body={"status": "ready"})
    body = {"status": "unavailable", "reason": reason}
    return Reply(body=body, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})


def reason_not_ready(call: Call) -> str | None:
    """Why the server cannot do its work, or None."""
    if call.server.stopping.is_set():
        return "the server is stopping"
    try:
        return call.server.use(lambda jot: why_not_ready(jot.database))
    except JotsamError as error:
        log.warning("not ready: %s", error, extra={"fields": {"request_id": call.request_id}})
        return "the database cannot be opened" if not error.retry else "the database does not answer"


PATHS = ("/healthz", "/readyz")

ROUTES = (
    Route(method="GET", path=PATHS[0], handler=health, summary="Whether the process answers"),
    Route(method="GET", path=PATHS[1], handler=readiness, summary="Whether the server can do its work"),
)
