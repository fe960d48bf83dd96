"""Overviews of the knowledge graph: many memories with their links, the surroundings of one, and statistics.

Everything reads one snapshot and a bounded part of it, so that a large memory costs only what its limits allow.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.graph_records import (
    GraphOverview,
    KnowledgeStatistics,
    LinkStatistics,
    Neighbourhood,
    PeriodStatistics,
    ShareStatistics,
    SimilarMemory,
    StatedPreference,
    TypeStatistics,
)
from jotsam.core.records import Link
from jotsam.memory.reading.listing import stored
from jotsam.memory.reading.selection import checked, resolve
from jotsam.memory.reading.show import memory_row, parsed_properties
from jotsam.storage.graph import graph_view
from jotsam.storage.memories import selection
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vectors import Maker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeVar

    from jotsam.core.records import StoredMemory
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.vector_index import Nearest

    K = TypeVar("K")

MAX_MEMORIES = 50_000  # of an overview
MAX_LINKS = 200_000
MAX_DEPTH, MAX_NEIGHBOURS, MAX_SIMILAR = 3, 200, 20
LINKS_PER_NEIGHBOUR = 10
EXAMINED = 20_000  # of the latest memories, for statistics
PAGE = 5_000
DAY_MS, HOUR_MS = 86_400_000, 3_600_000
LATEST_DAYS = 7


def overview(
    tx: Transaction, options: Mapping[str, object], *, limit: int = 500, history: bool = False
) -> GraphOverview:
    """The most important of the selected memories, and the links between them. Raises `InvalidInput`, `NotFound`."""
    validate.check_int("limit", limit, 1, MAX_MEMORIES)
    validate.check_bool("history", history)
    order = selection.IMPORTANCE
    chosen = resolve(tx, checked(options), history=bool(history), archived=False, order=order)
    numbers = [id for _, id in selection.page(tx, chosen, order=order, after=None, limit=limit).keys]
    found = _memories(tx, numbers)
    rows = graph_view.links_between(tx, numbers, limit=MAX_LINKS + 1)
    total = graph_view.count_memories(tx)
    links = sum(row["links"] for row in graph_view.count_links(tx, latest=EXAMINED))
    return GraphOverview(
        memories=tuple(found[number] for number in numbers),
        links=tuple(_link(row, found) for row in rows[:MAX_LINKS]),
        total_memories=total,
        total_links=max(links, len(rows)),
        is_exact=total <= EXAMINED and len(rows) <= MAX_LINKS,
        is_sample=len(numbers) < total,
    )


def neighbourhood(
    tx: Transaction,
    *,
    id: str,
    nearest: Nearest,
    types: Iterable[str] = (),
    depth: int = 1,
    limit: int = 100,
    similar: int = 5,
) -> Neighbourhood:
    """A memory with what links lead to in `depth` steps, and memories of similar meaning.

    `id` as for `show`. Raises `NotFound`, `InvalidInput`.
    """
    validate.check_int("depth", depth, 1, MAX_DEPTH)
    validate.check_int("limit", limit, 1, MAX_NEIGHBOURS)
    validate.check_int("similar", similar, 0, MAX_SIMILAR)
    wanted = [validate.check_text("type", type).strip().upper() for type in validate.check_list("types", types)]
    center = memory_row(tx, id=id)
    numbers, is_complete = _reached(tx, center["id"], types=wanted, depth=depth, limit=limit)
    near = _similar(tx, center["id"], nearest, but=numbers, limit=similar)
    found = _memories(tx, [*numbers, *near])
    rows = graph_view.links_between(tx, numbers, limit=MAX_LINKS)
    return Neighbourhood(
        memory=found[numbers[0]],
        neighbours=tuple(found[number] for number in numbers[1:]),
        links=tuple(_link(row, found) for row in rows if not wanted or row["type"] in wanted),
        similar=tuple(SimilarMemory(memory=found[one], similarity=round(score, 4)) for one, score in near.items()),
        is_complete=is_complete,
    )


def statistics(tx: Transaction) -> KnowledgeStatistics:
    """The tenant's memories by type, time, importance and confidence."""
    rows, total = graph_view.latest(tx, limit=EXAMINED), graph_view.count_memories(tx)
    links = tuple(LinkStatistics(**row) for row in graph_view.count_links(tx, latest=EXAMINED))
    today = tx.now // DAY_MS
    days = _groups((row["at"] // DAY_MS, row) for row in rows if today - LATEST_DAYS < row["at"] // DAY_MS <= today)
    hours = _groups((row["at"] % DAY_MS // HOUR_MS, row) for row in rows)
    return KnowledgeStatistics(
        memories=total,
        links=sum(one.links for one in links),
        is_exact=total <= len(rows),
        examined=len(rows),
        types=tuple(_types(rows)),
        link_types=links,
        importance=_shares((row["importance"] for row in rows), low=0.5, high=0.8),
        confidence=_shares((row["confidence"] for row in rows), low=0.4, high=0.7),
        days=tuple(_period(_date(day), days[day]) for day in sorted(days, reverse=True)),
        hours=tuple(_period(f"{hour:02}", hours[hour]) for hour in sorted(hours)),
    )


def preferences(tx: Transaction, *, actor: str | None = None, limit: int = 10) -> tuple[StatedPreference, ...]:
    """What is preferred over what, by links PREFERS_OVER of the latest memories. Raises `InvalidInput`."""
    validate.check_int("limit", limit, 1)
    rows = graph_view.preferences(tx, actor=actor, latest=EXAMINED, limit=limit)
    names = ("source", "target", "type", "weight", "extractor")
    return tuple(
        StatedPreference(
            link=Link(**{name: row[name] for name in names}, properties=parsed_properties(row["properties"])),
            preferred=row["preferred"],
            over=row["over"],
        )
        for row in rows
    )


def _reached(tx: Transaction, start: int, *, types: list[str], depth: int, limit: int) -> tuple[list[int], bool]:
    """The memory and those that links lead to, the nearest first, and whether these are all."""
    seen = {start: None}
    border = [start]
    for _ in range(depth):
        most = (limit + len(border)) * LINKS_PER_NEIGHBOUR
        rows = graph_view.links_at(tx, border, types=types, limit=most)
        ends = (end for row in rows for end in (row["source_id"], row["target_id"]))
        border = [end for end in dict.fromkeys(ends) if end not in seen]
        room = limit + 1 - len(seen)
        seen |= dict.fromkeys(border[:room])
        if len(border) > room or len(rows) == most:
            return [*seen], False
        if not border:
            break
    return [*seen], True


def _similar(tx: Transaction, number: int, nearest: Nearest, *, but: list[int], limit: int) -> dict[int, float]:
    """The memories with the nearest vectors, which are not among `but`, with their cosines."""
    row = graph_view.vector(tx, number) if limit else None
    if row is None:
        return {}
    maker = Maker(**{name: row[name] for name in Maker._fields})
    within = vectors.whole_scope(tx)
    found = nearest.nearest(tx, row["bytes"], maker=maker, within=within, limit=limit + len(but)) or {}
    return dict([(one, score) for one, score in found.items() if one not in but][:limit])


def _memories(tx: Transaction, numbers: list[int]) -> dict[int, StoredMemory]:
    """Memories by their ids."""
    found: dict[int, StoredMemory] = {}
    for start in range(0, len(numbers), PAGE):
        rows = selection.rows(tx, numbers[start : start + PAGE])
        found |= {number: stored(row, tags) for number, (row, tags) in rows.items()}
    return found


def _link(row: Row, found: Mapping[int, StoredMemory]) -> Link:
    return Link(
        source=found[row["source_id"]].id,
        target=found[row["target_id"]].id,
        type=row["type"],
        weight=row["weight"],
        extractor=row["extractor"],
        properties=parsed_properties(row["properties"]),
    )


def _types(rows: list[Row]) -> Iterator[TypeStatistics]:
    groups = _groups((row["type"] or "", row) for row in rows)
    for type in sorted(groups, key=lambda type: (-len(groups[type]), type)):
        confidence = _mean(row["confidence"] for row in groups[type])
        yield TypeStatistics(type=type or None, memories=len(groups[type]), confidence=confidence)


def _groups(pairs: Iterable[tuple[K, Row]]) -> dict[K, list[Row]]:
    found: dict[K, list[Row]] = {}
    for key, row in pairs:
        found.setdefault(key, []).append(row)
    return found


def _period(name: str, rows: list[Row]) -> PeriodStatistics:
    return PeriodStatistics(period=name, memories=len(rows), importance=_mean(row["importance"] for row in rows))


def _date(day: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(day * DAY_MS / 1000, UTC).date().isoformat()


def _mean(values: Iterable[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return round(sum(given) / len(given), 3) if given else None


def _shares(values: Iterable[float | None], *, low: float, high: float) -> ShareStatistics:
    given = [value for value in values if value is not None]
    below, above = sum(value < low for value in given), sum(value >= high for value in given)
    return ShareStatistics(low=below, medium=len(given) - below - above, high=above)
