"""`GET /metrics`: the numbers of the database, read when they are asked for, and what the server has measured.

They are of all tenants and name none, but those of the lifecycle: these are of the server's own tenant.
"""

from __future__ import annotations

import logging

from jotsam.core.errors import JotsamError
from jotsam.memory import metrics
from jotsam.surfaces.http.health import reason_not_ready
from jotsam.surfaces.http.http_error import HttpError
from jotsam.surfaces.http.route import Call, Reply, Route
from jotsam.surfaces.http.server_metrics import MEDIA_TYPE

log = logging.getLogger("jotsam.http")

PATH = "/metrics"


def show(call: Call) -> Reply:
    """All numbers. The token must be of the server's own tenant. Those of the database are missing while it is down."""
    if call.principal and call.principal.tenant != call.server.settings.tenant:
        raise HttpError(403, "forbidden", "the numbers are of all tenants: use a token of the server's own tenant")
    found = None
    try:
        found = call.server.use(lambda jot: metrics.read(jot.database, tenant=call.server.settings.tenant))
    except JotsamError as error:
        log.warning("no numbers of the database: %s", error)
    ready = found is not None and reason_not_ready(call) is None
    return Reply(body=call.server.metrics.text(found, ready=ready), media_type=MEDIA_TYPE)


ROUTES = (
    Route(
        method="GET",
        path=PATH,
        handler=show,
        scope="admin",
        summary="Metrics of all tenants in Prometheus' text format",
    ),
)
