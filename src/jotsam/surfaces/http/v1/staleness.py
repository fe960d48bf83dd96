"""What an answer does not cover yet, as every answer states it: in its body and as a header."""

from __future__ import annotations

from jotsam.core.answers import Answer, Brief
from jotsam.core.records import Record


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


def pending_header(waiting: int) -> dict[str, str]:
    return {"X-Pending-Ingests": str(waiting)}
