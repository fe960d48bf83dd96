"""An answer as the page Ask shows it: the line on top, the hits by session or source, facets, and what is missing."""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote, urlencode

from jotsam.core.records import Record
from jotsam.retrieval.present.answer_line import answer_line
from jotsam.retrieval.present.equal_hits import fold_equal
from jotsam.retrieval.present.matches import matches, question_stems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.core.answers import Answer, Coverage, Hit
    from jotsam.retrieval.present.answer_line import AnswerLine
    from jotsam.retrieval.present.equal_hits import EqualHits

SHORT = 160  # characters
SHOWN = 3  # hits of a group that are not folded
MAX_VALUES = 6  # of a facet
FACETS = ("type", "project", "actor", "session", "source")


class TextPart(Record):
    """A part of a text. The parts of a text together are the text."""

    text: str
    is_match: bool


class FoundMemory(Record):
    """A hit as the page shows it."""

    place: int  # in the order of the answer, from 1
    hit: Hit
    others: tuple[Hit, ...]  # that say the same
    address: str  # of its page
    title: str  # empty if the excerpt is short enough to be the title
    parts: tuple[TextPart, ...]  # of its excerpt
    scores: tuple[tuple[str, float], ...]  # the largest part first


class FoundGroup(Record):
    """The hits of one session or source, or those of neither."""

    kind: str  # session, source, or "" for neither
    label: str
    address: str
    hits: tuple[FoundMemory, ...]

    @property
    def first(self) -> tuple[FoundMemory, ...]:
        return self.hits[:SHOWN]

    @property
    def rest(self) -> tuple[FoundMemory, ...]:
        """Those that are folded. One is not: the line to unfold it would be as long."""
        return self.hits[SHOWN:]


class FacetValue(Record):
    """A value that some of the hits have. Its address adds the filter, or removes it if `is_on`."""

    value: str
    label: str  # of a session its title
    count: int
    address: str
    is_on: bool


class Facet(Record):
    """A filter with the values of the hits, the most frequent first."""

    name: str
    values: tuple[FacetValue, ...]


class Missing(Record):
    """What an answer does not cover, in one line, and the page that says more."""

    level: str
    text: str
    address: str = ""


class Found(Record):
    """An answer, arranged."""

    line: AnswerLine | None
    line_address: str
    groups: tuple[FoundGroup, ...]
    facets: tuple[Facet, ...]
    missing: Missing | None
    shown: int  # lines, after folding
    hits: int


def arrange(
    answer: Answer, *, titles: Mapping[str, str], given: Mapping[str, str], at: int, is_about_now: bool
) -> Found:
    """An answer to a question with the filters that were given; `titles` are those of its sessions.

    Without `is_about_now` it has no answer line.
    """
    line = answer_line(answer, at=at) if is_about_now else None
    folded = fold_equal(answer.hits)
    return Found(
        line=line,
        line_address=f"/ui/memories/{line.memory}" if line else "",
        groups=_groups(folded, question_stems(answer.question), titles),
        facets=tuple(_facets(answer.hits, given, titles)),
        missing=missing_line(answer.coverage),
        shown=len(folded),
        hits=len(answer.hits),
    )


def _groups(folded: Sequence[EqualHits], stems: Sequence[str], titles: Mapping[str, str]) -> tuple[FoundGroup, ...]:
    """The hits by session or source, in the order of the best of each group."""
    found: dict[tuple[str, str], list[FoundMemory]] = {}
    for place, one in enumerate(folded, 1):
        found.setdefault(_group_of(one.hit), []).append(_shown(place, one, stems))
    return tuple(
        FoundGroup(
            kind=kind,
            label=titles.get(name, "") or name if kind == "session" else name,
            address=_group_address(kind, name, hits[0].hit),
            hits=tuple(hits),
        )
        for (kind, name), hits in found.items()
    )


def _group_of(hit: Hit) -> tuple[str, str]:
    if hit.session:
        return "session", hit.session
    return ("source", hit.source) if hit.source else ("", "")


def _group_address(kind: str, name: str, hit: Hit) -> str:
    if kind == "session":
        return f"/ui/sessions/{quote(name)}"
    document = hit.id if hit.kind == "document" else hit.document
    if kind == "source" and document:
        return f"/ui/documents/{document}"
    return f"/ui/memories?{urlencode({'source': name})}" if kind else ""


def _shown(place: int, one: EqualHits, stems: Sequence[str]) -> FoundMemory:
    hit = one.hit
    id = hit.facts[0].memory if hit.kind == "fact" else hit.id
    line = " ".join(hit.text.split())
    is_short = hit.document is None and hit.kind != "document" and len(line) <= SHORT
    return FoundMemory(
        place=place,
        hit=hit,
        others=one.others,
        address=f"/ui/{'documents' if hit.kind == 'document' else 'memories'}/{id}",
        title="" if is_short else hit.section or line,
        parts=marked_parts(line if is_short else _without_headings(hit), stems),
        scores=tuple(sorted(hit.scores.items(), key=lambda part: -abs(part[1]))),
    )


def _without_headings(hit: Hit) -> str:
    """The text without the headings at its beginning, which the title has."""
    lines = hit.text.split("\n")
    at = next((at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")), 0)
    return "\n".join(lines[at:]) if hit.section else hit.text


def marked_parts(text: str, stems: Sequence[str]) -> tuple[TextPart, ...]:
    """The text in parts, of which some are words of the question in any of their forms."""
    found, last = [], 0
    for start, end in (*matches(text, stems), (len(text), len(text))):
        found += [TextPart(text=text[last:start], is_match=False), TextPart(text=text[start:end], is_match=True)]
        last = end
    return tuple(part for part in found if part.text)


def _facets(hits: Iterable[Hit], given: Mapping[str, str], titles: Mapping[str, str]) -> Iterator[Facet]:
    """The filters with the values of the hits. One value that all hits have is shown only to be taken away."""
    found = [*hits]
    for name in FACETS:
        counts = Counter(value for hit in found if (value := getattr(hit, name)))
        chosen = given.get(name)
        if chosen or len(counts) > 1 or (counts and sum(counts.values()) < len(found)):
            values = [_facet_value(name, value, count, given) for value, count in counts.most_common(MAX_VALUES)]
            labels = titles if name == "session" else {}
            yield Facet(
                name=name, values=tuple(one.replace(label=labels.get(one.value) or one.value) for one in values)
            )


def _facet_value(name: str, value: str, count: int, given: Mapping[str, str]) -> FacetValue:
    is_on = name in given
    # An empty project is all projects, also if the switch has one.
    rest = {key: text for key, text in given.items() if key != name} | ({"project": ""} if name == "project" else {})
    query = rest if is_on else {**given, name: value}
    return FacetValue(value=value, label=value, count=count, address=f"/ui/memories?{urlencode(query)}", is_on=is_on)


def missing_line(coverage: Coverage) -> Missing | None:
    """What an answer does not cover. The worst part gives the level, the first that has a page gives the address."""
    waiting = coverage.pending + coverage.in_progress
    jobs = "/ui/jobs"
    found = [
        (coverage.dead, "bad", f"{_count(coverage.dead, 'job')} failed for good", f"{jobs}?state=dead"),
        (coverage.failed, "warning", f"{_count(coverage.failed, 'job')} will be retried", f"{jobs}?state=waiting"),
        (waiting, "info", f"{_count(waiting, 'text')} {'is' if waiting == 1 else 'are'} not processed yet", jobs),
        (
            coverage.unembedded if coverage.embedded else 0,
            "info",
            f"{_count(coverage.unembedded, 'memory')} found by words only, without a vector yet",
            jobs,
        ),
        (len(coverage.unavailable), "warning", f"not searched: {', '.join(coverage.unavailable)}", ""),
    ]
    parts = [(level, text, address) for count, level, text, address in found if count]
    sentences = [f"Results may be incomplete: {', '.join(text for _, text, _ in parts)}."] if parts else []
    if coverage.nothing and coverage.returned:
        begin = "Not known yet: nothing here" if coverage.is_incomplete else "Nothing here"
        sentences.insert(
            0, f"{begin} speaks of {', '.join(coverage.missing) or 'this'}; the nearest results are below."
        )
    elif coverage.missing and coverage.returned:
        sentences.append(f"No result contains: {', '.join(coverage.missing)}.")
    if not sentences:
        return None
    level = parts[0][0] if parts else "warning" if coverage.nothing else "info"
    return Missing(level=level, text=" ".join(sentences), address=next((one for *_, one in parts if one), ""))


def _count(number: int, word: str) -> str:
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number:,} {word if number == 1 else plural}"
