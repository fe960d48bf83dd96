"""Records of the knowledge graph as a whole: overviews, neighbourhoods, statistics, and entities to review."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import Link, StoredMemory


class GraphOverview(Record):
    """The most important of the selected memories, and the links between them."""

    memories: tuple[StoredMemory, ...]
    links: tuple[Link, ...]
    total_memories: int  # of the tenant
    total_links: int
    is_exact: bool  # False: there are more memories or links than these totals
    is_sample: bool  # some memories of the tenant are not among `memories`


class SimilarMemory(Record):
    """A memory of similar meaning, by its vector."""

    memory: StoredMemory
    similarity: float  # cosine, at most 1


class Neighbourhood(Record):
    """A memory, those that links lead to from it in a few steps, and those of similar meaning."""

    memory: StoredMemory
    neighbours: tuple[StoredMemory, ...]  # the nearest first
    links: tuple[Link, ...]  # between all of them
    similar: tuple[SimilarMemory, ...]  # not among the neighbours, the most similar first
    is_complete: bool  # False: there are more neighbours than the limit


class TypeStatistics(Record):
    """Memories of one type. `confidence` is the mean of those that have one."""

    type: str | None
    memories: int
    confidence: float | None


class LinkStatistics(Record):
    """How many links of one type there are."""

    type: str
    links: int


class PeriodStatistics(Record):
    """Memories said on one day, or in one hour of the day, in UTC. `importance` is the mean of those that have one."""

    period: str  # "2026-03-18", or "14"
    memories: int
    importance: float | None


class ShareStatistics(Record):
    """How many memories have a low, medium and high value of importance or confidence."""

    low: int
    medium: int
    high: int


class KnowledgeStatistics(Record):
    """The tenant's memories by type, time, importance and confidence.

    All but `memories` describe the `examined` memories, which are the latest ones.
    """

    memories: int
    links: int
    is_exact: bool  # False: there are more memories than `memories`, or some are not examined
    examined: int
    types: tuple[TypeStatistics, ...]  # the most frequent first
    link_types: tuple[LinkStatistics, ...]  # the most frequent first
    importance: ShareStatistics  # low: below 0.5, high: from 0.8
    confidence: ShareStatistics  # low: below 0.4, high: from 0.7
    days: tuple[PeriodStatistics, ...]  # the last 7 days with memories, the latest first
    hours: tuple[PeriodStatistics, ...]  # hours of the day with memories


class StatedPreference(Record):
    """A link PREFERS_OVER with the texts of its memories."""

    link: Link
    preferred: str
    over: str


class MergeCandidate(Record):
    """Two entities of one category that may be the same. Both are tags: `entity:<category>:<slug>`."""

    name: str  # what `merge` would make an alias
    into: str
    likeness: float  # of their slugs, 0 to 1
    shared: float  # the part of the memories of the rarer one that mention both, 0 to 1
    confidence: float  # 0.4 of the likeness and 0.6 of the shared part
    is_likely: bool  # one name is part of the other, and most memories mention both
    is_ambiguous: bool  # a given name that several full names begin with


class ReviewedEntity(Record):
    """An entity, and why its name may be none: `doubt` is None if nothing speaks against it."""

    category: str
    slug: str
    name: str
    memories: int
    latest: str  # UUID of the latest memory that mentions it
    doubt: str | None = None  # number, label, common-word, phrase, identifier or several-categories
