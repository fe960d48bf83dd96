"""What an answer does not cover yet, as every answer states it: in its body and as a header."""

from __future__ import annotations

from functools import wraps

from jotsam.core.answers import Answer, Brief
from jotsam.core.records import Record
from jotsam.memory.jobs.jobs import pending_depth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.memory.api.client import Jotsam
    from jotsam.surfaces.http.requests.route import Call, Reply


class Staleness(Record):
    """Work that is not in the answer yet. `complete`: no such work."""

    pending: int  # accepted, waiting for the first try
    processing: int
    failed: int  # failed at least once and will be retried
    dead: int  # dead letters
    oldest_pending_age_s: float | None = None
    complete: bool = True


class StaleAnswer(Answer):
    """An answer, with what it does not cover yet."""

    staleness: Staleness


class StaleBrief(Brief):
    """A brief, with what it does not cover yet."""

    staleness: Staleness


def with_staleness(answer: Answer) -> tuple[StaleAnswer, dict[str, str]]:
    """The answer, and the header with the same count."""
    covered = answer.coverage
    age = covered.oldest_pending_ms
    waiting = covered.pending + covered.in_progress + covered.failed
    stale = Staleness(
        pending=covered.pending,
        processing=covered.in_progress,
        failed=covered.failed,
        dead=covered.dead,
        oldest_pending_age_s=None if age is None else age / 1_000,
        complete=not (waiting or covered.dead or covered.unavailable),
    )
    fields = {name: getattr(answer, name) for name in Answer._fields}
    return StaleAnswer(**fields, staleness=stale), pending_header(waiting)


def brief_with_staleness(brief: Brief) -> tuple[StaleBrief, dict[str, str]]:
    """The brief, and the header with the same count."""
    waiting = brief.pending + brief.in_progress + brief.failed
    stale = Staleness(
        pending=brief.pending,
        processing=brief.in_progress,
        failed=brief.failed,
        dead=brief.dead,
        complete=not (waiting or brief.dead),
    )
    fields = {name: getattr(brief, name) for name in Brief._fields}
    return StaleBrief(**fields, staleness=stale), pending_header(waiting)


def covered(read: Callable[[Call], Reply]) -> Callable[[Call], Reply]:
    """A handler whose answer also states what is not enriched yet, beside its own fields.

    It is counted first: what is done while the answer is read is then rather said to be missing.
    """

    @wraps(read)
    def handler(call: Call) -> Reply:
        stale = _staleness(call.jot)
        reply = read(call)
        body = reply.body.as_dict() if isinstance(reply.body, Record) else reply.body
        assert isinstance(body, dict)
        header = pending_header(stale.pending + stale.processing + stale.failed)
        return reply.replace(body={**body, "staleness": stale}, headers={**reply.headers, **header})

    return handler


def _staleness(jot: Jotsam) -> Staleness:
    depth, now = pending_depth(jot.database, tenant=jot.settings.tenant)
    return Staleness(
        pending=depth.pending,
        processing=depth.in_progress,
        failed=depth.failed,
        dead=depth.dead,
        oldest_pending_age_s=None if depth.oldest is None else max(0, now - depth.oldest) / 1_000,
        complete=not (depth.live or depth.dead),
    )


def pending_header(waiting: int) -> dict[str, str]:
    return {"X-Pending-Ingests": str(waiting)}
