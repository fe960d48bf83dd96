"""What each method of `Client.lifecycle` sends. The signatures are those of `Lifecycle`."""

from __future__ import annotations

import jotsam
from jotsam.core import validate
from jotsam.core.clock import monotonic_ms
from jotsam.remote.request import Request, record, segment, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.remote.request import Steps

WAIT_MS = 20_000  # that one request waits
LIVE = ("waiting", "running")
RUNS = "/v1/lifecycle/runs"


class LifecycleCalls:
    """The methods of `Lifecycle` as requests."""

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
