"""`/v1/wait`: wait for what was accepted."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from jotsam.core.records import Record
from jotsam.surfaces.http.route import MAX_WAIT_S, Call, Reply, Route


class Waited(Record):
    """Whether all of it is done or dead. False: the time was over."""

    done: bool


class WaitBody(Struct, forbid_unknown_fields=True):
    """What to wait for: the jobs of these documents and memories, or without ids all of the tenant."""

    ids: Annotated[list[str], Meta(max_length=500)] = []
    timeout_ms: Annotated[int, Meta(ge=0, le=MAX_WAIT_S * 1_000)] = MAX_WAIT_S * 1_000


def wait(call: Call) -> Reply:
    """Wait until jobs are done or dead."""
    body = call.body
    return Reply(wait_for=body.ids, wait_ms=body.timeout_ms, waited=lambda done: Reply(body=Waited(done=done)))


ROUTES = (
    Route(
        method="POST",
        path="/v1/wait",
        handler=wait,
        scope="read",
        body=WaitBody,
        result=Waited,
        summary="Wait until jobs are done or dead",
    ),
)
