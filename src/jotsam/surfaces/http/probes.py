"""`/healthz`, `/readyz` and `/metrics`: whether the process answers, whether it can do its work, and its numbers.

The first two are open to everyone and answer in time, however long the database does not, and however many requests
wait for it. The numbers are of all tenants, so they need an operator. They name no tenant, and those of the lifecycle
are of the server's own one.
"""

from __future__ import annotations

import asyncio
import logging

from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.database_checks import NO_ANSWER, Readiness
from jotsam.surfaces.http.server.server_metrics import MEDIA_TYPE

log = logging.getLogger("jotsam.http")

RETRY_AFTER_S = 5
LONGEST_S = 3  # that `/readyz` takes

METRICS_PATH = "/metrics"
LONGEST_METRICS_S = 5  # for the database: Prometheus waits for 10


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

PROBE_ROUTES = (
    Route(method="GET", path=PATHS[0], handler=health, probe=True, summary="Whether the process answers"),
    Route(method="GET", path=PATHS[1], handler=readiness, probe=True, summary="Whether the server can do its work"),
)


def metrics(call: Call) -> Reply:
    """All numbers. Those of the database are missing while it is down."""
    try:
        found, ready = call.server.checks.numbers().result(LONGEST_METRICS_S)
    except TimeoutError:
        log.warning("no numbers of the database: it did not answer within %d s", LONGEST_METRICS_S)
        found, ready = None, False
    return Reply(body=call.server.metrics.text(found, ready=ready), media_type=MEDIA_TYPE)


METRICS_ROUTES = (
    Route(
        method="GET",
        path=METRICS_PATH,
        handler=metrics,
        scope="operator",
        summary="Metrics of all tenants in Prometheus' text format",
    ),
)
