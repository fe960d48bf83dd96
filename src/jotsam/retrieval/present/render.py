"""Render an answer: numbered hits inside a fence, and the footer as the last line.

Pure. Nothing inside the fence can close it.
"""

from __future__ import annotations

from jotsam.core import fence
from jotsam.core.clock import format_time
from jotsam.retrieval.present.footer import footer
from jotsam.retrieval.question.terms import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.core.answers import Coverage, Hit
    from jotsam.core.records import Fact

MAX_BRIEF = 20  # characters of a part of a heading that is shortened
MAX_CONFLICTS = 2  # ids in a heading


def render(blocks: Sequence[str], coverage: Coverage) -> str:
    """The text of an answer. Without hits it is the footer alone."""
    return "\n".join([fenced(blocks), footer(coverage)] if blocks else [footer(coverage)])


def fenced(blocks: Sequence[str]) -> str:
    """The blocks inside the fence, without a footer."""
    return fence.fenced(["\n\n".join(blocks)])


def heading(hit: Hit, number: int, *, home: str | None = None, above: Hit | None = None, brief: bool = False) -> str:
    """The line above a hit: number, where it is from, date, validity, and the start of the id for `show`.

    Source, section, date and project are left out if they equal those of `above`, the previous hit of the same block,
    and the project if it is `home`. If the heading is `brief`, the source is shortened, and section, date and the ids
    of a conflict are left out. Validity is never left out. A fact has the id of its memory.
    """
    limit = MAX_BRIEF if brief else fence.MAX_PART
    source, actor, project = fence.origin(
        source=hit.source, actor=hit.actor, project=hit.project, home=home, limit=limit
    )
    parts = [
        _section(source, hit, above, brief),
        "" if brief or (above is not None and _day(above) == _day(hit)) else _day(hit),
        actor,
        "" if above is not None and above.project == hit.project else project,
        "not chunked yet" if hit.kind == "document" and not brief else "",
        *_validity(hit),
        _conflict(hit, brief),
    ]
    id = hit.facts[0].memory if hit.kind == "fact" else hit.id
    return f"[{number}] " + " | ".join(part for part in (*parts, id[:SHORT_ID]) if part)


def fact_line(fact: Fact) -> str:
    """A fact as one line: triple, confidence, validity, and what superseded it."""
    times = ((fact.valid_from, "from"), (fact.valid_until, "until"))
    more = [f"{word} {format_time(at)[:10]}" for at, word in times if at is not None]
    if fact.superseded_at is not None:
        by = f" by {fact.superseded_by[:SHORT_ID]}" if fact.superseded_by else ""
        more.append(f"superseded {format_time(fact.superseded_at)[:10]}{by}")
    details = ", ".join((f"{fact.confidence:.1f}", *more))
    return fence.part(f"{fact.subject} {fact.predicate} {fact.object} ({details})")


def _section(source: str, hit: Hit, above: Hit | None, brief: bool) -> str:
    """Source and section, as far as they differ from those of the hit above."""
    section = "" if brief else fence.part(hit.section)
    if above is None or above.source != hit.source:
        return " > ".join(part for part in (source, section) if part)
    return f"> {section}" if section and above.section != hit.section else ""


def _day(hit: Hit) -> str:
    return format_time(hit.date)[:10] if hit.date is not None else ""


def _validity(hit: Hit) -> Iterator[str]:
    """Whether and when the hit is valid, and what it replaces."""
    yield from standing(hit)
    if hit.newer_text is not None:
        pending = "" if hit.kind == "document" else " is pending"
        yield f"a newer text of this source{pending}: {hit.newer_text[:SHORT_ID]}"
    if hit.valid_from is not None:
        yield f"valid from {format_time(hit.valid_from)[:10]}"
    if hit.valid_until is not None:
        yield f"valid until {format_time(hit.valid_until)[:10]}"
    if hit.replaces:
        yield "replaces " + ", ".join(id[:SHORT_ID] for id in hit.replaces)


def standing(hit: Hit) -> Iterator[str]:
    """What became of a hit: superseded, archived, or a summary of others."""
    if hit.superseded_at is not None:
        by = f" by {hit.superseded_by[:SHORT_ID]}" if hit.superseded_by else ""
        yield f"superseded {format_time(hit.superseded_at)[:10]}{by}"
    if hit.summary_of:
        yield f"summary of {hit.summary_of:,} memories"
    if hit.archived_at is not None:
        into = f", merged into {hit.archived_by[:SHORT_ID]}" if hit.archived_by else ""
        yield f"archived {format_time(hit.archived_at)[:10]}{into}"


def _conflict(hit: Hit, brief: bool) -> str:
    """That another hit contradicts it, and which one. Of a superseded hit, `_validity` is enough."""
    if not hit.conflicts or hit.superseded_at is not None:
        return ""
    if brief:
        return "[conflict]"
    more = len(hit.conflicts) - MAX_CONFLICTS
    ids = ", ".join(id[:SHORT_ID] for id in hit.conflicts[:MAX_CONFLICTS])
    return f"[conflict] may be outdated, see {ids}{f' and {more} more' if more > 0 else ''}"
