"""`Jotsam.lifecycle`: the steps that change memories long after they were accepted, with a dry run and an undo."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.operations import AllowedChanges, Operation, RemovedLinks
from jotsam.memory.lifecycle import lifecycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.lifecycle_records import (
        LifecyclePlan,
        LifecycleRun,
        LifecycleRunDetails,
        LifecycleStep,
        MemoryTheme,
    )
    from jotsam.core.records import Link
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database

POLL_MS = 50
PLAN_MS = 20_000  # that a plan may take
START_WORKER_MS = 1_000  # a waiting call checks this often that a worker is running


class Lifecycle:
    """The lifecycle of the memories of one tenant."""

    def __init__(self, database: Database, settings: Settings, *, start_worker: Callable[[], None]) -> None:
        """`start_worker` starts a worker if there is work and none is running."""
        self._database = database
        self._settings = settings
        self._start_worker = start_worker

    @Operation(
        route="GET /v1/lifecycle",
        scope="read",
        summary="Each step of the lifecycle, with when it runs and its last run",
    )
    def steps(self) -> tuple[LifecycleStep, ...]:
        """Each step, with when it runs by itself, and its last run."""
        return lifecycle.steps(self._database, self._settings)

    @Operation(
        route="POST /v1/lifecycle/plan",
        scope="read",
        body="PlanBody: A step, and how many of its changes to list.",
        limits={"limit": (0, lifecycle.MAX_SHOWN)},
        longer_ms=PLAN_MS,
        summary="What a step would change now; changes nothing",
    )
    def plan(self, step: str, *, limit: int = 20) -> LifecyclePlan:
        """What a step would change now, with the first `limit` changes: a dry run. Raises `InvalidInput`."""
        validate.check_int("limit", limit, 0, lifecycle.MAX_SHOWN)
        return lifecycle.plan(self._database, self._settings, step, limit=limit)

    @Operation(
        route="POST /v1/lifecycle/runs",
        scope="write",
        status=202,
        body="RunBody: The step to run.",
        summary="Have a worker run a step",
    )
    def run(self, step: str, *, wait_ms: int | None = None) -> LifecycleRun:
        """Have a worker run a step. A run of it that waits already is returned instead of a second one.

        With `wait_ms`, waits so long until it has ended; its `state` shows whether it has. Raises `InvalidInput`.
        """
        if wait_ms is not None:
            validate.check_int("wait_ms", wait_ms)
        run = lifecycle.request(self._database, self._settings, step)
        return run if wait_ms is None else self.wait(run.id, timeout_ms=wait_ms)

    def wait(self, run: str, *, timeout_ms: int = 60_000) -> LifecycleRun:
        """Wait until a run has ended; its `state` shows whether it has. Raises `NotFound`, `InvalidInput`."""
        now, tenant = monotonic_ms(), self._settings.tenant
        deadline, start_at = now + validate.check_int("timeout_ms", timeout_ms), now
        while lifecycle.is_live(self._database, run, tenant=tenant) and now < deadline:
            if now >= start_at:
                self._start_worker()
                start_at = now + START_WORKER_MS
            sleep(POLL_MS / 1000)
            now = monotonic_ms()
        return self.show(run, limit=0).run

    @Operation(
        route="GET /v1/lifecycle/runs",
        scope="read",
        limits={"limit": (1, lifecycle.MAX_SHOWN)},
        summary="The latest runs, the latest first",
    )
    def runs(self, *, step: str | None = None, limit: int = 20) -> tuple[LifecycleRun, ...]:
        """The latest runs, the latest first; with `step`, of this step. Raises `InvalidInput`."""
        validate.check_int("limit", limit, 1, lifecycle.MAX_SHOWN)
        return lifecycle.runs(self._database, tenant=self._settings.tenant, step=step, limit=limit)

    @Operation(
        route="GET /v1/lifecycle/runs/{id}",
        scope="read",
        limits={"after": (0, 1_000_000_000), "limit": (0, lifecycle.MAX_SHOWN)},
        summary="A run with what it changed",
    )
    def show(self, run: str, *, after: int = 0, limit: int = 1_000) -> LifecycleRunDetails:
        """A run by its id or the beginning of it, with what it changed.

        That is the first `limit` changes, or those after the first `after`. Raises `NotFound`, `InvalidInput`.
        """
        validate.check_int("after", after)
        validate.check_int("limit", limit, 0, lifecycle.MAX_SHOWN)
        return lifecycle.show(self._database, run, tenant=self._settings.tenant, after=after, limit=limit)

    @Operation(
        route="POST /v1/lifecycle/runs/{id}/undo",
        scope="write",
        summary="Take back what a run changed",
        about="Take back what a run changed. What something else has changed since stays, and is counted as `kept`.",
    )
    def undo(self, run: str) -> LifecycleRun:
        """Take back what a run changed. What something else has changed since stays, and is counted as `kept`.

        No later run does again what was taken back, until `allow_again`. Raises `NotFound`, and `InvalidInput` for a
        run that was undone already, and while a run is at work.
        """
        return lifecycle.undo(self._database, run, tenant=self._settings.tenant)

    @Operation(
        route="GET /v1/lifecycle/themes",
        scope="read",
        limits={"limit": (1, lifecycle.MAX_SHOWN)},
        summary="Groups of similar memories, the largest first",
    )
    def themes(self, *, project: str | None = None, limit: int = 100) -> tuple[MemoryTheme, ...]:
        """Groups of similar memories that `cluster` has found, of a project or of all, the largest first.

        Raises `InvalidInput`.
        """
        from jotsam.storage.lifecycle import themes
        from jotsam.storage.memories import projects

        validate.check_optional_text("project", project)
        validate.check_int("limit", limit, 1, lifecycle.MAX_SHOWN)
        with self._database.snapshot(tenant=self._settings.tenant) as tx:
            return themes.every(tx, project=projects.asked(tx, project), limit=limit)

    @Operation(
        route="GET /v1/lifecycle/links",
        scope="read",
        limits={"limit": (1, 10_000)},
        summary="Links that the step creative has found",
    )
    def links(self, *, kind: str | None = None, limit: int = 100) -> tuple[Link, ...]:
        """The links that `creative` has found, of one kind or of all. Raises `InvalidInput`."""
        from jotsam.memory.lifecycle.guessed_links import guessed_links

        return guessed_links(self._database, tenant=self._settings.tenant, kind=kind, limit=limit)

    @Operation(
        route="POST /v1/lifecycle/links/remove",
        scope="write",
        body="LinkKind: The kind of links; without it, all.",
        result=RemovedLinks,
        summary="Remove the links that the step creative has found, of a kind or all",
    )
    def remove_links(self, *, kind: str | None = None) -> int:
        """Remove the links that `creative` has found, of one kind or all. They are not found again.

        Returns how many. Raises `InvalidInput`.
        """
        from jotsam.memory.lifecycle.guessed_links import remove_guessed_links

        return remove_guessed_links(self._database, tenant=self._settings.tenant, kind=kind)

    @Operation(
        route="POST /v1/lifecycle/allow-again",
        scope="write",
        result=AllowedChanges,
        summary="Let later runs make changes again that were taken back",
    )
    def allow_again(self) -> int:
        """Let later runs do again what was taken back. Returns how many changes that concerns."""
        return lifecycle.allow_again(self._database, tenant=self._settings.tenant)
