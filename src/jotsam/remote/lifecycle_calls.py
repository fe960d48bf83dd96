"""What each method of `Client.lifecycle` sends. The signatures are those of `Lifecycle`."""

from __future__ import annotations

import jotsam
from jotsam.core import validate
from jotsam.core.clock import monotonic_ms
from jotsam.remote.request import Request, member, reading, record, segment, tuple_of, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.remote.request import Steps

WAIT_MS = 20_000  # that one request waits
LIVE = ("waiting", "running")
RUNS = "/v1/lifecycle/runs"


class LifecycleCalls:
    """The methods of `Lifecycle` as requests."""

    def steps(self) -> Request[tuple[jotsam.LifecycleStep, ...]]:
        return reading("/v1/lifecycle", tuple_of(lambda: jotsam.LifecycleStep))

    def plan(self, step: str, *, limit: int = 20) -> Request[jotsam.LifecyclePlan]:
        body = {"step": step, "limit": limit}
        return Request(
            method="POST",
            path="/v1/lifecycle/plan",
            read=record(lambda: jotsam.LifecyclePlan),
            body=body,
            is_safe=True,
            longer_ms=WAIT_MS,
        )

    def run(self, step: str, *, wait_ms: int | None = None) -> Steps[jotsam.LifecycleRun]:
        if wait_ms is not None:
            validate.check_int("wait_ms", wait_ms)
        run: jotsam.LifecycleRun = yield writing(RUNS, record(lambda: jotsam.LifecycleRun), {"step": step})
        return run if wait_ms is None else (yield from self.wait(run.id, timeout_ms=wait_ms))

    def wait(self, run: str, *, timeout_ms: int = 60_000) -> Steps[jotsam.LifecycleRun]:
        deadline, path = monotonic_ms() + validate.check_int("timeout_ms", timeout_ms), f"{RUNS}/{segment('run', run)}"
        while True:
            left_ms = min(max(0, deadline - monotonic_ms()), WAIT_MS)
            seconds = -(-left_ms // 1_000)
            found: jotsam.LifecycleRunDetails = yield Request(
                method="GET",
                path=path,
                read=record(lambda: jotsam.LifecycleRunDetails),
                query={"limit": 0},
                headers={"Prefer": f"wait={seconds}"},
                is_safe=True,
                longer_ms=seconds * 1_000,
            )
            if found.run.state not in LIVE or not left_ms:
                return found.run

    def runs(self, *, step: str | None = None, limit: int = 20) -> Request[tuple[jotsam.LifecycleRun, ...]]:
        return reading(RUNS, tuple_of(lambda: jotsam.LifecycleRun), {"step": step, "limit": limit})

    def show(self, run: str, *, after: int = 0, limit: int = 1_000) -> Request[jotsam.LifecycleRunDetails]:
        query = {"after": after, "limit": limit}
        return reading(f"{RUNS}/{segment('run', run)}", record(lambda: jotsam.LifecycleRunDetails), query)

    def undo(self, run: str) -> Request[jotsam.LifecycleRun]:
        return writing(f"{RUNS}/{segment('run', run)}/undo", record(lambda: jotsam.LifecycleRun), {})

    def themes(self, *, project: str | None = None, limit: int = 100) -> Request[tuple[jotsam.MemoryTheme, ...]]:
        query = {"project": project, "limit": limit}
        return reading("/v1/lifecycle/themes", tuple_of(lambda: jotsam.MemoryTheme), query)

    def links(self, *, kind: str | None = None, limit: int = 100) -> Request[tuple[jotsam.Link, ...]]:
        return reading("/v1/lifecycle/links", tuple_of(lambda: jotsam.Link), {"kind": kind, "limit": limit})

    def remove_links(self, *, kind: str | None = None) -> Request[int]:
        return writing("/v1/lifecycle/links/remove", member("removed", int), {"kind": kind})

    def allow_again(self) -> Request[int]:
        return writing("/v1/lifecycle/allow-again", member("allowed", int), {})
