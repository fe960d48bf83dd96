"""What the routes of `/v1/lifecycle` do beside calling the library: where to follow a run, and waiting for it."""

from __future__ import annotations

from jotsam.memory import lifecycle
from jotsam.surfaces.http.route import Call, Reply, given, wants_wait
from jotsam.surfaces.http.v1.accepting import RETRY_AFTER_S


def run(call: Call) -> Reply:
    """Have a worker run a step. A run that waits already is returned instead of a second one."""
    added = call.jot.lifecycle.run(call.body.step)
    headers = {"Location": f"/v1/lifecycle/runs/{added.id}", "Retry-After": str(RETRY_AFTER_S)}
    return Reply(body=added, headers=headers)


def show(call: Call) -> Reply:
    """A run with what it changed. With `Prefer: wait=n` the answer waits until it has ended, for n seconds at most."""
    wait_ms, id = wants_wait(call.headers) * 1_000, call.path["id"]

    def shown(_: bool = True) -> Reply:
        return Reply(body=call.jot.lifecycle.show(id, **given(call.query)))

    def pending() -> bool:
        return lifecycle.is_live(call.jot.database, id, tenant=call.principal.tenant)

    return Reply(wait_while=pending, wait_ms=wait_ms, waited=shown) if wait_ms else shown()
