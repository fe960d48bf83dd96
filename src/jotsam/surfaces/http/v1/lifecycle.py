"""`/v1/lifecycle`: when each step runs, what it would change, its runs, and their undo."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.lifecycle_records import LifecyclePlan, LifecycleRun, LifecycleRunDetails
from jotsam.core.records import Record
from jotsam.core.workflow_records import Distilled
from jotsam.memory import lifecycle
from jotsam.surfaces.http.route import Call, Reply, Route, given, items, wants_wait
from jotsam.surfaces.http.v1.accepting import RETRY_AFTER_S
from jotsam.surfaces.http.v1.fields import NoFields, Time, options_of

Number = Annotated[int, Meta(ge=0, le=1_000)] | UnsetType


class PlanBody(Struct, forbid_unknown_fields=True):
    """A step, and how many of its changes to list."""

    step: str
    limit: Number = UNSET


class RunBody(Struct, forbid_unknown_fields=True):
    """The step to run."""

    step: str


class RunList(Struct, forbid_unknown_fields=True):
    """Which runs."""

    step: str | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=1_000)] | UnsetType = UNSET


class ThemeList(Struct, forbid_unknown_fields=True):
    """Themes of which project, and how many."""

    project: str | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=1_000)] | UnsetType = UNSET


class FoundLinks(Struct, forbid_unknown_fields=True):
    """Links of which kind, and how many."""

    kind: str | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=10_000)] | UnsetType = UNSET


class LinkKind(Struct, forbid_unknown_fields=True):
    """The kind of links; without it, all."""

    kind: str | UnsetType | None = UNSET


class WorkflowQuery(Struct, forbid_unknown_fields=True):
    """Sessions of which project, since when, and in how many it must be seen."""

    project: str | UnsetType = UNSET
    since: Time = UNSET
    min_sessions: Annotated[int, Meta(ge=2, le=1_000)] | UnsetType = UNSET


class RemovedLinks(Record):
    """How many links were removed."""

    removed: int


class ChangeList(Struct, forbid_unknown_fields=True):
    """Which of the changes of a run."""

    after: Annotated[int, Meta(ge=0, le=1_000_000_000)] | UnsetType = UNSET
    limit: Number = UNSET


class AllowedChanges(Record):
    """How many changes that were taken back may be made again."""

    allowed: int


def steps(call: Call) -> Reply:
    return items(call.jot.lifecycle.steps())


def plan(call: Call) -> Reply:
    return Reply(body=call.jot.lifecycle.plan(**given(call.body)))


def run(call: Call) -> Reply:
    """Have a worker run a step. A run that waits already is returned instead of a second one."""
    added = call.jot.lifecycle.run(call.body.step)
    headers = {"Location": f"/v1/lifecycle/runs/{added.id}", "Retry-After": str(RETRY_AFTER_S)}
    return Reply(body=added, headers=headers)


def runs(call: Call) -> Reply:
    return items(call.jot.lifecycle.runs(**given(call.query)))


def show(call: Call) -> Reply:
    """A run with what it changed. With `Prefer: wait=n` the answer waits until it has ended, for n seconds at most."""
    wait_ms, id = wants_wait(call.headers) * 1_000, call.path["id"]

    def shown(_: bool = True) -> Reply:
        return Reply(body=call.jot.lifecycle.show(id, **given(call.query)))

    def pending() -> bool:
        return lifecycle.is_live(call.jot.database, id, tenant=call.principal.tenant)

    return Reply(wait_while=pending, wait_ms=wait_ms, waited=shown) if wait_ms else shown()


def undo(call: Call) -> Reply:
    """Take back what a run changed. What something else has changed since stays, and is counted as `kept`."""
    return Reply(body=call.jot.lifecycle.undo(call.path["id"]))


def themes(call: Call) -> Reply:
    return items(call.jot.lifecycle.themes(**given(call.query)))


def links(call: Call) -> Reply:
    return items(call.jot.lifecycle.links(**given(call.query)))


def remove_links(call: Call) -> Reply:
    return Reply(body=RemovedLinks(removed=call.jot.lifecycle.remove_links(**given(call.body))))


def workflows(call: Call) -> Reply:
    return Reply(body=call.jot.distil(**options_of(call.query)))


def allow_again(call: Call) -> Reply:
    return Reply(body=AllowedChanges(allowed=call.jot.lifecycle.allow_again()))


ROUTES = (
    Route(
        method="GET",
        path="/v1/lifecycle",
        handler=steps,
        scope="read",
        result="LifecycleStep[]",
        summary="Each step of the lifecycle, with when it runs and its last run",
    ),
    Route(
        method="POST",
        path="/v1/lifecycle/plan",
        handler=plan,
        scope="read",
        body=PlanBody,
        result=LifecyclePlan,
        summary="What a step would change now; changes nothing",
    ),
    Route(
        method="POST",
        path="/v1/lifecycle/runs",
        handler=run,
        scope="write",
        body=RunBody,
        result=LifecycleRun,
        status=202,
        summary="Have a worker run a step",
    ),
    Route(
        method="GET",
        path="/v1/lifecycle/runs",
        handler=runs,
        scope="read",
        query=RunList,
        result="LifecycleRun[]",
        summary="The latest runs, the latest first",
    ),
    Route(
        method="GET",
        path="/v1/lifecycle/runs/{id}",
        handler=show,
        scope="read",
        query=ChangeList,
        result=LifecycleRunDetails,
        summary="A run with what it changed",
    ),
    Route(
        method="POST",
        path="/v1/lifecycle/runs/{id}/undo",
        handler=undo,
        scope="write",
        body=NoFields,
        result=LifecycleRun,
        summary="Take back what a run changed",
    ),
    Route(
        method="GET",
        path="/v1/lifecycle/themes",
        handler=themes,
        scope="read",
        query=ThemeList,
        result="MemoryTheme[]",
        summary="Groups of similar memories, the largest first",
    ),
    Route(
        method="GET",
        path="/v1/lifecycle/links",
        handler=links,
        scope="read",
        query=FoundLinks,
        result="Link[]",
        summary="Links that the step creative has found",
    ),
    Route(
        method="POST",
        path="/v1/lifecycle/links/remove",
        handler=remove_links,
        scope="write",
        body=LinkKind,
        result=RemovedLinks,
        summary="Remove the links that the step creative has found, of a kind or all",
    ),
    Route(
        method="GET",
        path="/v1/workflows",
        handler=workflows,
        scope="read",
        query=WorkflowQuery,
        result=Distilled,
        summary="Workflows that sessions repeat, as proposals; writes nothing",
    ),
    Route(
        method="POST",
        path="/v1/lifecycle/allow-again",
        handler=allow_again,
        scope="write",
        body=NoFields,
        result=AllowedChanges,
        summary="Let later runs make changes again that were taken back",
    ),
)
