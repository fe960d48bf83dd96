"""Finds the names of a text: every source proposes spans with evidence, and one scorer decides name and category.

The sources are positions and forms that only a name has ("met with", "Acme GmbH"), the gazetteer, capitals, the subject
of the text, and a tagger. A wrong name links unrelated memories, so weak evidence must be confirmed by other evidence.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator

from jotsam.core.records import Entity
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.candidates import (
    Marked,
    Proposal,
    capitals,
    inner_capitals,
    is_excluded,
    known_names,
    mark,
    subjects,
    unknown_words,
)
from jotsam.pipeline.entities.contexts import JOINING_WORDS, find_companies, find_employers, find_projects, find_tools
from jotsam.pipeline.entities.filter import NameTagger, tagged_spans
from jotsam.pipeline.entities.known_names import COMMON, GIVEN, PLACE, TOOL, WORDS, known
from jotsam.pipeline.entities.name_spans import gap_before
from jotsam.pipeline.entities.people import find_people
from jotsam.pipeline.entities.surroundings import surroundings
from jotsam.pipeline.text.memoize import memoize_short
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import SENTENCE, Prose, Span, tokenize

MAX_ENTITIES = 32
# Orders names by the evidence they have: with the tagger only, or without it too.
RULE_CONFIDENCE = 0.98
TAGGER_CONFIDENCE = 0.6
# A tagger needs about 1 ms per sentence. A chunk has about 2,000 characters.
MAX_TAGGER_CHARACTERS = 20_000

THRESHOLD = 1.0
_BY_RULE = 1.6  # A position or form that only a name has.
_CALLED_PROJECT = 2.0  # It is called a project, and may have the name of a tool.
_RECURS = 0.2  # The same capitalised word is in the text again.
_LISTED = 0.35  # A name of a category is beside it in a list.
_UNDECIDED = 0.01
MIN_TOOLS = 2  # of a text in which a doubtful word is rather a tool


def find_entities(text: str, *, tagger: NameTagger | None = None) -> tuple[Entity, ...]:
    """The entities of a text in order of appearance, at most 32, unique by slug. Lines must end in LF.

    Categories are people, organizations, tools, concepts and projects. A `tagger` adds evidence of its own.
    """
    prose = tokenize(text)
    marked = mark(text, prose)
    weighed = _weigh(marked, tagger)
    chosen = _choose(marked, weighed)
    unique: dict[str, Entity] = {}
    for span, category, is_tagged in sorted(chosen):
        entity = _entity(prose, category, span)
        if is_tagged and tagger is not None:
            entity = entity.replace(confidence=TAGGER_CONFIDENCE, extractor=tagger.name)
        if entity.slug and not entity.slug.replace("-", "").isdigit() and len(unique) < MAX_ENTITIES:
            unique.setdefault(entity.slug, entity)
    return tuple(unique.values())


class _Weighed:
    """The evidence for one span."""

    __slots__ = ("by_tagger", "categories", "total")

    def __init__(self) -> None:
        self.total = 0.0
        self.by_tagger = 0.0
        self.categories: defaultdict[str, float] = defaultdict(float)

    def add(self, proposal: Proposal, *, is_tagger: bool = False) -> None:
        self.total += proposal.weight
        if is_tagger:
            self.by_tagger += proposal.weight
        if proposal.category:
            self.categories[proposal.category] += proposal.weight + proposal.vote

    def is_tool(self) -> bool:
        return self.categories["tools"] > 0.5 * sum(self.categories.values())


Weighed = dict[Span, _Weighed]


def _weigh(marked: Marked, tagger: NameTagger | None) -> Weighed:
    """The evidence of all sources, by span."""
    found: Weighed = {}
    for find in (_by_position, known_names, inner_capitals, capitals, unknown_words, subjects):
        for proposal in find(marked):
            found.setdefault(proposal.span, _Weighed()).add(proposal)
    if tagger is not None:
        for proposal in _by_tagger(marked, tagger):
            found.setdefault(proposal.span, _Weighed()).add(proposal, is_tagger=True)
    for span, weighed in found.items():
        for proposal in surroundings(marked, span):
            weighed.add(proposal)
    _share(found)
    _repeat(marked, found)
    _among_tools(marked, found)
    return found


def _among_tools(marked: Marked, found: Weighed) -> None:
    """In a text with several certain tools, a word that may be one is more likely one."""
    sure = {marked.prose.lower[span[0]] for span, one in found.items() if one.total >= THRESHOLD and one.is_tool()}
    if len(sure) < MIN_TOOLS:
        return
    for (start, end), weighed in found.items():
        word = marked.prose.words[start]
        if end == start + 1 and weighed.total < THRESHOLD and known(word) & TOOL:
            is_common = known(word) & COMMON and not marked.lone[start]
            weighed.total += 0.1 if is_common else 0.35


def _by_position(marked: Marked) -> Iterator[Proposal]:
    """Positions and forms that only a name has. A word that one of them has taken is not considered by the next."""
    taken: set[int] = set()
    for find in (find_projects, find_companies, find_employers, find_people):
        for category, (start, end) in find(marked.prose, taken):
            if taken.isdisjoint(range(start, end)) and not gazetteer.NOT_NAMES.issuperset(
                marked.prose.lower[start:end]
            ):
                taken.update(range(start, end))
                vote = _CALLED_PROJECT if category == "projects" else 0.0
                yield Proposal(span=(start, end), weight=_BY_RULE, category=category, vote=vote)
    tools = {at for at, word in enumerate(marked.prose.words) if is_tool(word)}
    for category, span in find_tools(marked.prose, taken | tools):
        is_common = all(known(word) & COMMON for word in marked.prose.words[slice(*span)])
        yield Proposal(span=span, weight=0.5 if is_common else 1.0, category=category)


@memoize_short
def is_tool(word: str) -> bool:
    """Whether the gazetteer has the word as a tool and the dictionary does not have it."""
    found = known(word)
    return bool(found & TOOL and not found & (WORDS | GIVEN))


def _by_tagger(marked: Marked, tagger: NameTagger) -> Iterator[Proposal]:
    prose = marked.prose
    for begin, stop, category, weight in tagged_spans(marked.text[:MAX_TAGGER_CHARACTERS], tagger):
        start = bisect_right(prose.offsets, begin) - 1
        end = bisect_left(prose.offsets, stop)
        if 0 <= start < end and marked.in_title[start]:
            weight *= 0.5
        if category == "concepts" and end == start + 1 and known(prose.words[start]) & (TOOL | PLACE) == TOOL:
            category = "tools"  # To the tagger "in Docker" looks like a place.
        if 0 <= start < end <= start + 6 and not all(map(is_excluded, prose.lower[start:end])):
            yield Proposal(span=(start, end), weight=weight, category=category)


def _share(found: Weighed) -> None:
    """Count half of the evidence for a part as evidence for the whole name."""
    for (start, end), weighed in found.items():
        parts = [found[at, at + 1] for at in range(start, end) if end > start + 1 and (at, at + 1) in found]
        if parts:
            best = max(parts, key=lambda part: part.total)
            weighed.total += 0.5 * best.total
            for category, weight in best.categories.items():
                weighed.categories[category] += 0.4 * weight


def _repeat(marked: Marked, found: Weighed) -> None:
    """Add the evidence of other mentions of a name in the text."""
    prose, spans = marked.prose, dict[str, list[Span]]()
    for span in found:
        spans.setdefault(" ".join(prose.lower[slice(*span)]), []).append(span)
    for mentions in spans.values():
        if len(mentions) > 1:
            best = max(found[span].total for span in mentions)
            categories: defaultdict[str, float] = defaultdict(float)
            for span in mentions:
                for category, weight in found[span].categories.items():
                    categories[category] += weight
            for span in mentions:
                found[span].total = max(found[span].total, min(best, found[span].total + _RECURS) + _RECURS)
                found[span].categories = categories


def _choose(marked: Marked, found: Weighed) -> list[tuple[Span, str, bool]]:
    """The names and whether the tagger was needed for them. Of names that overlap the one with most evidence stays."""
    chosen: dict[Span, str] = {}
    taken: dict[int, str] = {}  # words of chosen names, with the category
    for is_second in (False, True):
        for span in sorted(found, key=lambda one: (-found[one].total - 0.1 * (one[1] - one[0]), one)):
            weighed = found[span]
            if is_second and span not in chosen:
                _count_list(marked.prose, span, weighed, taken)
            if weighed.total < THRESHOLD or any(at in taken for at in range(*span)):
                continue
            if " ".join(marked.prose.lower[slice(*span)]) not in gazetteer.NOT_NAMES:
                chosen[span] = _category(weighed)
                taken.update(dict.fromkeys(range(*span), chosen[span]))
    return [
        (span, category, found[span].total - found[span].by_tagger < THRESHOLD) for span, category in chosen.items()
    ]


def _category(weighed: _Weighed) -> str:
    best = max(weighed.categories, key=lambda one: weighed.categories[one], default="tools")
    return best if weighed.categories[best] > _UNDECIDED else "tools"


def _count_list(prose: Prose, span: Span, weighed: _Weighed, taken: dict[int, str]) -> None:
    """A name of a category beside it in a list is evidence for that category."""
    start, end = span
    category = None
    if prose.gaps[start] in (",", "/"):
        category = taken.get(start - 1)
    elif start > 1 and prose.lower[start - 1] in JOINING_WORDS:
        category = taken.get(start - 2)
    if category is None and gap_before(prose, end) in (",", "/"):
        category = taken.get(end)
    elif category is None and end < len(prose.words) and prose.lower[end] in JOINING_WORDS:
        category = taken.get(end + 1)
    if category is not None:
        weighed.add(Proposal(span=span, weight=_LISTED, category=category))


def _entity(prose: Prose, category: str, span: Span) -> Entity:
    start, end = span
    parts = [prose.words[start]]
    for at in range(start + 1, end):
        parts += (". " if prose.gaps[at] == SENTENCE else " ", prose.words[at])
    name = "".join(parts).strip("_ ")
    name_slug = slug(name)
    canonical = gazetteer.CANONICAL.get(name_slug, name_slug)
    return Entity(category=category, slug=canonical, name=name, confidence=RULE_CONFIDENCE)
