"""The search of the memory, and the list of memories."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.names import TYPES
from jotsam.core.records import Record
from jotsam.retrieval.present.matches import matches, question_stems
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.core.answers import Answer, Coverage, Hit

FILTERS = ("project", "type", "tag", "actor", "session", "since", "until", "as_of", "history", "archived")
MAX_QUESTION = 2_000  # characters
TOKENS, MOST_HITS, HIT_TOKENS = 6_000, 25, 120
PER_PAGE = 50
SHORT = 160  # characters


class TextPart(Record):
    """A part of a text. The parts of a text together are the text."""

    text: str
    is_match: bool


class FoundMemory(Record):
    """A hit as the page shows it."""

    hit: Hit
    address: str  # of its page
    title: str  # empty if the excerpt is short enough to be the title
    parts: tuple[TextPart, ...]  # of its excerpt
    scores: tuple[tuple[str, float], ...]  # the largest part first


def memories(call: PageCall) -> Page:
    """The answer to a question; without one, the list of memories."""
    question = call.query.get("q", "").strip()[:MAX_QUESTION]
    filters = {name: value for name in FILTERS if (value := call.query.get(name, "").strip())}
    values: dict[str, Any] = {
        "question": question,
        "filters": {**dict.fromkeys(FILTERS, ""), **filters},
        "is_filtered": bool(filters),
        "given": {"q": question, **filters} if question else filters,
        "types": [("", "any"), *((name, name) for name in dict.fromkeys((*TYPES, filters.get("type", ""))) if name)],
        "error": "",
        "answer": None,
        "page": None,
        "after": call.query.get("after", ""),
    }
    try:
        values |= _found(call, question, filters) if question else _listed(call, filters)
    except InvalidInput as error:
        return Page(template="memories.html", values={**values, "error": str(error)}, status=400)
    return Page(template="memories.html", values=values)


def _options(filters: Mapping[str, str]) -> dict[str, Any]:
    """The filters as options of `recall` and `list`."""
    same = {name: filters[name] for name in ("project", "actor", "session", "since", "until") if name in filters}
    lists = {f"{name}s": [filters[name]] for name in ("tag", "type") if name in filters}
    return {**same, **lists, "history": "history" in filters, "archived": "archived" in filters}


def _found(call: PageCall, question: str, filters: Mapping[str, str]) -> dict[str, Any]:
    as_of = {"as_of": filters["as_of"]} if "as_of" in filters else {}
    options = {**_options(filters), **as_of}
    answer = call.jot.recall(question, tokens=TOKENS, limit=MOST_HITS, hit_tokens=HIT_TOKENS, **options)
    return {
        "answer": answer,
        "hits": [_shown(hit, question_stems(question)) for hit in answer.hits],
        "notes": coverage_notes(answer.coverage),
        "footer": _footer(answer),
    }


def _listed(call: PageCall, filters: Mapping[str, str]) -> dict[str, Any]:
    after = call.query.get("after") or None
    return {"page": call.jot.list(after=after, limit=PER_PAGE, **_options(filters))}


def _shown(hit: Hit, stems: Sequence[str]) -> FoundMemory:
    id = hit.facts[0].memory if hit.kind == "fact" else hit.id
    line = " ".join(hit.text.split())
    place = " › ".join(part for part in (hit.source, hit.section) if part)
    is_short = hit.document is None and hit.kind != "document" and len(line) <= SHORT
    return FoundMemory(
        hit=hit,
        address=f"/ui/{'documents' if hit.kind == 'document' else 'memories'}/{id}",
        title="" if is_short else place or line,
        parts=marked_parts(line if is_short else hit.text, stems),
        scores=tuple(sorted(hit.scores.items(), key=lambda part: -abs(part[1]))),
    )


def marked_parts(text: str, stems: Sequence[str]) -> tuple[TextPart, ...]:
    """The text in parts, of which some are words of the question in any of their forms."""
    found, last = [], 0
    for start, end in (*matches(text, stems), (len(text), len(text))):
        found += [TextPart(text=text[last:start], is_match=False), TextPart(text=text[start:end], is_match=True)]
        last = end
    return tuple(part for part in found if part.text)


def _footer(answer: Answer) -> str:
    return answer.text.rstrip().rpartition("\n")[2].strip("()")


def coverage_notes(coverage: Coverage) -> list[tuple[str, str, str]]:
    """What an answer does not cover, each with its level and the page that says more."""
    jobs = "/ui/jobs"
    waiting = coverage.pending + coverage.in_progress
    notes = [
        ("info", f"{_texts(waiting)} not processed yet: results may be incomplete.", jobs) if waiting else None,
        ("warning", f"{_jobs(coverage.failed)} failed and will be retried.", f"{jobs}?state=waiting")
        if coverage.failed
        else None,
        ("bad", f"{_jobs(coverage.dead)} failed for good: what they would add is missing.", f"{jobs}?state=dead")
        if coverage.dead
        else None,
        ("info", f"{_memories(coverage.unembedded)} found by words only: no vector yet.", jobs)
        if coverage.unembedded and coverage.embedded
        else None,
        ("warning", f"Not searched: {', '.join(coverage.unavailable)}.", "") if coverage.unavailable else None,
        ("info", f"No result contains: {', '.join(coverage.missing)}.", "")
        if coverage.missing and coverage.returned
        else None,
    ]
    return [note for note in notes if note]


def _texts(count: int) -> str:
    return "1 text is" if count == 1 else f"{count:,} texts are"


def _jobs(count: int) -> str:
    return "1 job" if count == 1 else f"{count:,} jobs"


def _memories(count: int) -> str:
    return "1 memory is" if count == 1 else f"{count:,} memories are"


ROUTES = (PageRoute(method="GET", path="/ui/memories", handler=memories),)
