"""Hits: what was ranked, with its text and everything that is known about where it stands."""

from __future__ import annotations

import json

from jotsam.core.answers import Hit
from jotsam.storage import documents, search
from jotsam.storage import facts as room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from jotsam.core.records import Fact
    from jotsam.retrieval.rank.fuse import Ranked
    from jotsam.retrieval.search.failures import Missing
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

BATCH = 50
SAME = (
    *(
        "source",
        "section",
        "project",
        "date",
        "actor",
        "session",
        "document",
        "position",
        "type",
        "external_id",
        "job_id",
    ),
    *("valid_from", "valid_until", "superseded_at", "superseded_by"),
)


def hits(
    tx: Transaction,
    ranked: Sequence[Ranked],
    scope: Scope,
    conflicts: Mapping[int, Iterable[int]],
    facts: Mapping[int, tuple[Fact, ...]],
    missing: Missing,
) -> Iterator[Hit]:
    """The hits with their whole text, best first, loaded as they are taken. `conflicts` are other references, `facts`
    what is asked for and each of them says. What else each says and has ended is told too: whoever reads its text must
    not take that for what holds. A memory that is superseded as a whole says so itself.
    """
    for start in range(0, len(ranked), BATCH):
        some = ranked[start : start + BATCH]
        refs = [item.ref for item in some]
        known = {row["ref"]: row for row in search.rows(tx, refs=refs)}
        heirs = [ref for ref, row in known.items() if row["is_heir"]]
        replaced = search.replaced(tx, refs=heirs) if heirs else {}
        stand = [ref for ref, row in known.items() if ref > 0 and (row["superseded_at"] or scope.at + 1) > scope.at]
        ended: Mapping[int, tuple[Fact, ...]] = {}
        with missing.leg("facts"):
            ended = room.ended(tx, refs=stand, at=scope.at) if stand else {}
        newer = documents.newer(tx, refs=known)
        for item in some:
            if item.ref in known:
                against = [known[other]["uuid"] for other in conflicts.get(item.ref, ()) if other in known]
                more = {"replaces": tuple(replaced.get(item.ref, ())), "conflicts": tuple(against)}
                told = _each_once((*facts.get(item.ref, ()), *ended.get(item.ref, ())))
                yield _hit(tx, item, known[item.ref], facts=told, newer_text=newer.get(item.ref), **more)


def _each_once(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple({fact.id: fact for fact in facts}.values())


def lines(line: int | None, text: str) -> tuple[int, int] | None:
    """The first and the last line of a text that begins in this line of its document, without white space around."""
    if line is None:
        return None
    first = line + text.count("\n", 0, len(text) - len(text.lstrip()))
    return first, first + text.strip().count("\n")


def _hit(tx: Transaction, item: Ranked, row: Row, **more: Any) -> Hit:
    document = documents.by_number(tx, number=-item.ref) if item.ref < 0 else None
    return Hit(
        kind="memory" if document is None else "document",
        id=row["uuid"],
        text=row["body"] if document is None else document["body"],
        whole=True,
        score=item.score,
        scores={leg: score for leg, score in item.scores.items() if score},
        path=item.path,
        lines=lines(row["line"], row["body"]),
        tags=tuple(json.loads(row["tags"])),
        **{name: row[name] for name in SAME},
        **more,
    )
