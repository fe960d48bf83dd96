"""`/v1/status`: counts of the tenant."""

from __future__ import annotations

from jotsam.memory.status import Status
from jotsam.surfaces.http.route import Call, Reply, Route


def status(call: Call) -> Reply:
    """What waits, what is done, and what went wrong."""
    return Reply(body=call.jot.status())


ROUTES = (
    Route(
        method="GET",
        path="/v1/status",
        handler=status,
        scope="read",
        result=Status,
        summary="Counts of jobs, documents, memories and spending",
    ),
)
