"""`GET /metrics`: the numbers of the database, read when they are asked for, and what the server has measured.

They are of all tenants, so they need an operator. They name no tenant, and those of the lifecycle are of the server's
own one.
"""

from __future__ import annotations

import logging

from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.server_metrics import MEDIA_TYPE

log = logging.getLogger("jotsam.http")

PATH = "/metrics"
LONGEST_S = 5  # for the database: Prometheus waits for 10


def show(call: Call) -> Reply:
    """All numbers. Those of the database are missing while it is down."""
    try:
        found, ready = call.server.checks.numbers().result(LONGEST_S)
    except TimeoutError:
        log.warning("no numbers of the database: it did not answer within %d s", LONGEST_S)
        found, ready = None, False
    return Reply(body=call.server.metrics.text(found, ready=ready), media_type=MEDIA_TYPE)


ROUTES = (
    Route(
        method="GET",
        path=PATH,
        handler=show,
        scope="operator",
        summary="Metrics of all tenants in Prometheus' text format",
    ),
)
