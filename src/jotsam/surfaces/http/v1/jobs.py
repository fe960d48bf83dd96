"""`/v1/jobs`, `/v1/items` and `/v1/wait`: follow what was accepted, and deal with what failed."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.validate import MAX_ID, job_id_of
from jotsam.memory.job_details import JobDetails
from jotsam.memory.show import Details
from jotsam.surfaces.http.route import MAX_WAIT_S, Call, Reply, Route, given, items
from jotsam.surfaces.http.v1.accepting import item
from jotsam.surfaces.http.v1.fields import ActorQuery, PageLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

JobId = Annotated[int, Meta(ge=0, le=MAX_ID)]
Text = str | UnsetType


class JobPage(Struct, forbid_unknown_fields=True):
    """Which page of a list of jobs."""

    kind: Text = UNSET
    cursor: str | None = None
    limit: PageLimit = 100


class JobList(JobPage, forbid_unknown_fields=True):
    """Which jobs that are not done."""

    state: Literal["ready", "leased", "waiting", "dead", "blocked"] | UnsetType = UNSET
    error: Text = UNSET
    older_ms: int | UnsetType = UNSET


class DeadJobList(JobPage, forbid_unknown_fields=True):
    """Which dead letters."""

    error: Text = UNSET
    group: Text = UNSET


class FailureQuery(Struct, forbid_unknown_fields=True):
    """Failures of which jobs."""

    kind: Text = UNSET


class JobIds(Struct, forbid_unknown_fields=True):
    """Which jobs to change."""

    ids: list[JobId]
    dry_run: bool = False


class Waited(Record):
    """Whether all of it is done or dead. False: the time was over."""

    done: bool


class WaitBody(Struct, forbid_unknown_fields=True):
    """What to wait for: the jobs of these documents and memories, or without ids all of the tenant."""

    ids: Annotated[list[str], Meta(max_length=500)] = []
    timeout_ms: Annotated[int, Meta(ge=0, le=MAX_WAIT_S * 1_000)] = MAX_WAIT_S * 1_000


def listed(call: Call) -> Reply:
    """Jobs that are not done."""
    options = _page(call)
    return _items(call.jot.admin.jobs(**options), options)


def dead(call: Call) -> Reply:
    """Dead letters."""
    options = _page(call)
    return _items(call.jot.admin.dead(**options), options)


def stuck(call: Call) -> Reply:
    """Jobs without progress."""
    options = _page(call)
    return _items(call.jot.admin.stuck(**options), options)


def failures(call: Call) -> Reply:
    """Similar errors, grouped."""
    return items(call.jot.admin.failure_groups(**given(call.query)))


def get(call: Call) -> Reply:
    """It can be read after it is done, too."""
    return Reply(body=call.jot.admin.job(job_id_of(call.path["id"])))


def retry(call: Call) -> Reply:
    """Revive dead jobs, and run waiting ones now."""
    changes = call.jot.admin.retry_many(call.body.ids, dry_run=call.body.dry_run)
    return items([item(one) for one in changes])


def discard(call: Call) -> Reply:
    """Delete jobs that are not running."""
    changes = call.jot.admin.discard_many(call.body.ids, dry_run=call.body.dry_run)
    return items([item(one) for one in changes])


def show(call: Call) -> Reply:
    """Everything stored about a document, memory or job."""
    return Reply(body=call.jot.show(call.path["id"], **given(call.query)))


def wait(call: Call) -> Reply:
    """Wait until jobs are done or dead."""
    body = call.body
    return Reply(wait_for=body.ids, wait_ms=body.timeout_ms, waited=lambda done: Reply(body=Waited(done=done)))


def _page(call: Call) -> dict[str, Any]:
    """The options of a list, with one job more than a page has, and the place where it begins."""
    options = given(call.query)
    cursor = options.pop("cursor")
    if cursor is not None and not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 19):
        raise InvalidInput(f"invalid cursor {cursor[:80]!r}: must be the `next_cursor` of a page")
    return {**options, "after": int(cursor or 0), "limit": options["limit"] + 1}


def _items(found: Sequence[Any], options: dict[str, Any]) -> Reply:
    """A page of jobs, and where the next one begins."""
    if len(found) < options["limit"]:
        return items(found)
    last = found[-2]
    return items(found[:-1], next_cursor=str(getattr(last, "job", last).id))


ROUTES = (
    Route(
        method="GET",
        path="/v1/jobs",
        handler=listed,
        scope="read",
        query=JobList,
        result="Job[]",
        summary="Jobs that are not done, oldest first",
    ),
    Route(
        method="GET",
        path="/v1/jobs/stuck",
        handler=stuck,
        scope="read",
        query=JobPage,
        result="StuckJob[]",
        summary="Jobs without progress, with the reason",
    ),
    Route(
        method="GET",
        path="/v1/jobs/failures",
        handler=failures,
        scope="read",
        query=FailureQuery,
        result="FailureGroup[]",
        summary="Dead and failed jobs by similar errors",
    ),
    Route(
        method="GET",
        path="/v1/jobs/dead",
        handler=dead,
        scope="read",
        query=DeadJobList,
        result="Job[]",
        summary="Dead letters, oldest first",
    ),
    Route(
        method="POST",
        path="/v1/jobs/retry",
        handler=retry,
        scope="write",
        body=JobIds,
        result="JobChange[]",
        summary="Revive dead jobs, and run waiting ones now",
    ),
    Route(
        method="POST",
        path="/v1/jobs/discard",
        handler=discard,
        scope="write",
        body=JobIds,
        result="JobChange[]",
        summary="Delete jobs that are not running",
    ),
    Route(
        method="GET",
        path="/v1/jobs/{id}",
        handler=get,
        scope="read",
        result=JobDetails,
        summary="One job in any state, with its deliveries",
    ),
    Route(
        method="GET",
        path="/v1/items/{id}",
        handler=show,
        scope="read",
        query=ActorQuery,
        result=Details,
        summary="Everything stored about one document, memory or job",
    ),
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
