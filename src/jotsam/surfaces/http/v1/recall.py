"""What the routes of `/v1/recall` and `/v1/brief` tell beside the answer: what it does not cover yet."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.surfaces.http.route import Call, Reply, given
from jotsam.surfaces.http.v1.fields import options_of
from jotsam.surfaces.http.v1.staleness import brief_with_staleness, with_staleness


def recall(call: Call) -> Reply:
    """The best hits, and what the answer covers."""
    options = options_of(call.query if call.body is None else call.body)
    began = monotonic_ms()
    answer = call.jot.recall(options.pop("question"), **options)
    took_ms = monotonic_ms() - began
    call.server.events.recalled(call.principal.tenant, results=len(answer.hits), elapsed_ms=took_ms)
    body, headers = with_staleness(answer)
    return Reply(body=body, headers=headers)


def brief(call: Call) -> Reply:
    """What was decided, preferred and left open in a project."""
    body, headers = brief_with_staleness(call.jot.brief(**given(call.query)))
    return Reply(body=body, headers=headers)
