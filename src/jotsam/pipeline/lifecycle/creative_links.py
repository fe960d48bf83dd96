"""Finds links between memories that have none, by AutoMem's four rules within bounds of our own. Pure.

Two memories are compared if they are of one project, and of different sessions or documents: those of one follow each
other in a known order. Unlike AutoMem's, each rule asks for something that both texts name and few others do. Alike
memories must share a word: vectors of two greetings are alike too. The others must share an entity: two unrelated texts
are unlike too, and a link between them says nothing.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from jotsam.core.names import (
    CONTRASTS,
    CONTRASTS_WITH,
    DISCOVERED,
    EXPLAINS,
    PARALLEL_CONTEXT,
    SHARES_THEME,
)
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

ALIKE = (EXPLAINS, SHARES_THEME)  # kinds of links between memories that are alike
WEEK_MS = 7 * 86_400_000

# Links of each kind that a run finds at most, the best first: a person can read what a week has found.
MOST = {EXPLAINS: 10, SHARES_THEME: 10, CONTRASTS: 5, PARALLEL_CONTEXT: 5}
MOST_OF_MEMORY = 3  # links found for one memory, by all runs together

# A word or an entity that more of the sample have connects everything with everything: more than two, and this part.
COMMON_PART = 0.03

# Weights of links, as AutoMem's; one that shares a theme has its similarity. How sure the rule is, as we judge it.
WEIGHTS = {EXPLAINS: 0.7, CONTRASTS: 0.6, PARALLEL_CONTEXT: 0.5}
CONFIDENCES = {EXPLAINS: 0.6, SHARES_THEME: 0.6, CONTRASTS: 0.4, PARALLEL_CONTEXT: 0.3}


class Thresholds(Record):
    """Which cosines count as alike and as unlike."""

    explains: float  # above
    theme: float  # above
    same: float  # from here on two texts say the same, which a link of similarity or a merge tells
    contrasts: float  # below
    parallel: float  # below


BY_VECTORS = Thresholds(explains=0.5, theme=0.7, same=0.95, contrasts=0.3, parallel=0.4)

# Texts of one theme share few of their words, so cosines of words are far lower.
BY_WORDS = Thresholds(explains=0.2, theme=0.3, same=0.8, contrasts=0.1, parallel=0.1)


class Sampled(Record):
    """A memory of the sample."""

    id: int
    project: str | None
    type: str | None
    at: int  # when it was said
    context: str  # session or document
    words: frozenset[str] = frozenset()  # that say something
    entities: frozenset[str] = frozenset()  # names
    found: int = 0  # links found for it so far


class FoundLink(Record):
    """A link between two memories, the earlier one first; of an insight and a pattern, the insight."""

    source: int
    target: int
    kind: str
    similarity: float
    shared: str  # a word or the name of an entity that both have and few others

    @property
    def type(self) -> str:
        return CONTRASTS_WITH if self.kind == CONTRASTS else DISCOVERED

    @property
    def weight(self) -> float:
        return WEIGHTS.get(self.kind, self.similarity)


def find_links(
    sample: Sequence[Sampled],
    cosines: Mapping[tuple[int, int], float],
    *,
    linked: Collection[tuple[int, int]],
    thresholds: Thresholds,
) -> list[FoundLink]:
    """Links between memories of the sample, the best of each kind.

    `cosines` of pairs, and the pairs that are `linked`, with the lower id first. A pair without a cosine is left out.
    """
    entities = _rare([one.entities for one in sample])
    words = _rare([one.words for one in sample])
    found = []
    for one, other in combinations(sorted(sample, key=lambda each: each.id), 2):
        pair = one.id, other.id
        is_apart = one.project == other.project and one.context != other.context
        if is_apart and pair in cosines and pair not in linked:
            cosine = round(cosines[pair], 3)
            entity = min(one.entities & other.entities & entities, default="")
            kind = _kind(one, other, cosine, thresholds=thresholds)
            shared = min(one.words & other.words & words, default="") if kind in ALIKE else entity
            if kind and shared:
                found.append(_found(kind, one, other, similarity=cosine, shared=shared))
    return _best(found, {one.id: one.found for one in sample})


def _rare(names: Sequence[frozenset[str]]) -> frozenset[str]:
    """The words or names that few memories of the sample have."""
    counts = Counter(name for some in names for name in some)
    most = max(2, COMMON_PART * len(names))
    return frozenset(name for name, count in counts.items() if count <= most)


def _kind(one: Sampled, other: Sampled, cosine: float, *, thresholds: Thresholds) -> str | None:
    types = {one.type, other.type}
    if types == {"Decision"} and cosine < thresholds.contrasts:
        return CONTRASTS
    if types == {"Insight", "Pattern"} and thresholds.explains < cosine < thresholds.same:
        return EXPLAINS
    if None not in types and len(types) == 2 and thresholds.theme < cosine < thresholds.same:
        return SHARES_THEME
    if abs(one.at - other.at) <= WEEK_MS and cosine < thresholds.parallel:
        return PARALLEL_CONTEXT
    return None


def _found(kind: str, one: Sampled, other: Sampled, *, similarity: float, shared: str) -> FoundLink:
    by_time = sorted((one, other), key=lambda each: (each.at, each.id))
    source, target = sorted(by_time, key=lambda each: each.type or "") if kind == EXPLAINS else by_time
    return FoundLink(source=source.id, target=target.id, kind=kind, similarity=similarity, shared=shared)


def _best(found: Iterable[FoundLink], counts: dict[int, int]) -> list[FoundLink]:
    """The best of each kind: for alike memories the most alike, for others the least alike."""
    kinds, kept = Counter[str](), []
    order = {kind: number for number, kind in enumerate(MOST)}

    def rank(one: FoundLink) -> tuple[int, float, int, int]:
        closeness = -one.similarity if one.kind in ALIKE else one.similarity
        return order[one.kind], closeness, one.source, one.target

    for one in sorted(found, key=rank):
        ends = one.source, one.target
        if kinds[one.kind] < MOST[one.kind] and all(counts[id] < MOST_OF_MEMORY for id in ends):
            kinds[one.kind] += 1
            for id in ends:
                counts[id] += 1
            kept.append(one)
    return kept
