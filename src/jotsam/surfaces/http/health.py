"""`/healthz` and `/readyz`: whether the process answers, and whether the server can do its work. Open to everyone.

They answer in time, however long the database does not, and however many requests wait for it.
"""

from __future__ import annotations

import asyncio
import logging

from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.database_checks import NO_ANSWER, Readiness

log = logging.getLogger("jotsam.http")

RETRY_AFTER_S = 5
LONGEST_S = 3  # that `/readyz` takes


async def health(call: Call) -> Reply:
    """The process answers. Touches no database: restarting the process would not repair one."""
    return Reply(body={"status": "ok"})


async def readiness(call: Call) -> Reply:
    """The server can do its work, and in a word how well; or the reason why not."""
    try:
        found = await asyncio.wait_for(asyncio.wrap_future(call.server.checks.readiness()), LONGEST_S)
    except TimeoutError:
        found = Readiness(reason=NO_ANSWER)
        log.warning("not ready: the database did not answer within %d s", LONGEST_S)
    if found.reason is None:
        return Reply(body={"status": "ready", "health": found.health})
    body = {"status": "unavailable", "reason": found.reason}
    return Reply(body=body, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})


PATHS = ("/healthz", "/readyz")

ROUTES = (
    Route(method="GET", path=PATHS[0], handler=health, probe=True, summary="Whether the process answers"),
    Route(method="GET", path=PATHS[1], handler=readiness, probe=True, summary="Whether the server can do its work"),
)
