"""Load hits: the ranked references with their text, metadata, facts and validity.

The summary that follows the shown hits it was made of. It takes the place of none of them.
"""

from __future__ import annotations

import json

from jotsam.core.answers import Hit
from jotsam.retrieval.rank import reversals
from jotsam.retrieval.rank.fuse import Ranked
from jotsam.retrieval.rank.recency import Ordered
from jotsam.retrieval.search.failures import Failures
from jotsam.storage.graph import facts
from jotsam.storage.memories import documents
from jotsam.storage.recall import search, summaries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from jotsam.core.records import Fact
    from jotsam.retrieval.present.layout import Layout
    from jotsam.retrieval.rank.judge import Judge
    from jotsam.retrieval.rank.reversals import Reversal
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.search import Scope


FIRST, BATCH = 12, 50  # hits loaded at once: the first are mostly enough for the budget
# Fields of a hit that are columns of its row.
COLUMNS = (
    *("source", "section", "project", "date", "actor", "session", "document", "position", "type", "external_id"),
    *("job_id", "valid_from", "valid_until", "superseded_at", "superseded_by", "archived_at"),
    *("archived_by", "summary_of"),
)
MOST = 1  # summaries after an answer; the path of such a hit is SUMMARIZES


def load_hits(
    tx: Transaction,
    ordered: Ordered,
    scope: Scope,
    requested: Mapping[int, tuple[Fact, ...]],
    failures: Failures,
    judge: Judge,
    layout: Layout | None = None,
) -> Iterator[Hit]:
    """The hits with their whole text, best first, loaded in batches as they are consumed, and judged.

    The facts of a hit are those `requested` by the question, then its own superseded facts, because its text still
    states them. A memory that is superseded as a whole has none of the latter. Memories for which the `layout` has
    no room are left out, except those with facts, which may be shown alone.
    """
    start = 0
    known: list[Reversal] | None = None
    while start < len(ordered.ranked):
        batch = ordered.ranked[start : start + (BATCH if start else FIRST)]
        start += len(batch)
        refs = list(dict.fromkeys([*(item.ref for item in batch), *_conflicting(ordered, batch)]))
        rows = {row["ref"]: row for row in search.details(tx, refs=refs)}
        successors = [ref for ref, row in rows.items() if row["is_heir"]]
        replaced = search.predecessors(tx, refs=successors) if successors else {}
        current = [ref for ref, row in rows.items() if ref > 0 and (row["superseded_at"] or scope.at + 1) > scope.at]
        superseded: Mapping[int, tuple[Fact, ...]] = {}
        with failures.of("facts"):
            superseded = facts.superseded(tx, refs=current, at=scope.at) if current else {}
        newer = documents.newer(tx, refs=rows)
        if known is None:
            known = reversals.load(tx, project=scope.project)
        for item in batch:
            if item.ref not in rows:
                continue
            stated = _distinct((*requested.get(item.ref, ()), *superseded.get(item.ref, ())))
            if layout is not None and not stated and not layout.holds(rows[item.ref]["body"] or ""):
                continue
            conflicts = [rows[other]["uuid"] for other in ordered.conflicts.get(item.ref, ()) if other in rows]
            reasons = ordered.reasons.get(item.ref, [])
            row = rows[item.ref]
            reversal = reversals.reversal_of(row["body"] or "", row["project"], row["date"] or 0, known)
            if (rows[item.ref]["superseded_at"] or scope.at + 1) > scope.at:
                reversing = [reversal.uuid] if reversal else []
                conflicts = [*dict.fromkeys((*reversing, *(row["uuid"] for row in reasons), *conflicts))]
            yield _hit(
                tx,
                item,
                rows[item.ref],
                judge,
                facts=stated,
                newer_text=newer.get(item.ref),
                replaces=tuple(replaced.get(item.ref, ())),
                conflicts=tuple(conflicts),
                reason=reversal.text if reversal else reasons[0]["sentence"] if reasons else None,
            )


def _conflicting(ordered: Ordered, batch: Iterable[Ranked]) -> Iterator[int]:
    """What contradicts the hits of a batch, which may be in another one."""
    for item in batch:
        yield from ordered.conflicts.get(item.ref, ())


def _distinct(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple({fact.id: fact for fact in facts}.values())


def line_range(line: int | None, text: str) -> tuple[int, int] | None:
    """The first and last line of a text in its document, given the line it starts in. White space around is ignored."""
    if line is None:
        return None
    first = line + text.count("\n", 0, len(text) - len(text.lstrip()))
    return first, first + text.strip().count("\n")


def _hit(tx: Transaction, item: Ranked, row: Row, judge: Judge, **fields: Any) -> Hit:
    document = documents.by_number(tx, number=-item.ref) if item.ref < 0 else None
    text = row["body"] if document is None else document["body"]
    stated = (f"{fact.subject} {fact.predicate.replace('_', ' ')} {fact.object}" for fact in fields["facts"])
    return Hit(
        kind="memory" if document is None else "document",
        id=row["uuid"],
        text=text,
        evidence=judge.evidence(item, row, " ".join((*stated, text))),
        whole=True,
        score=item.score,
        scores={name: score for name, score in item.scores.items() if score},
        path=item.path,
        lines=line_range(row["line"], row["body"]),
        tags=() if row["tags"] == "[]" else tuple(json.loads(row["tags"])),
        **{name: row[name] for name in COLUMNS},
        **fields,
    )


class Summaries:
    """Finds the summaries of what is shown."""

    def __init__(self, tx: Transaction, scope: Scope, judge: Judge) -> None:
        self._tx = tx
        self._scope = scope
        self._judge = judge

    def __call__(self, shown: Sequence[Hit]) -> Iterable[Hit]:
        """The summary of at least two of these hits; of several, that of most of them. () while one is shown anyway."""
        uuids = [hit.id for hit in shown if hit.kind == "memory"]
        if len(uuids) < 2:
            return ()
        refs = summaries.following(self._tx, self._scope, uuids, limit=MOST)
        ranked = [Ranked(ref=ref, score=0.0, scores={}, path=(summaries.SUMMARIZES,)) for ref in refs]
        ordered = Ordered(ranked=ranked, conflicts={}, reasons={})
        found = load_hits(self._tx, ordered, self._scope, {}, Failures(self._tx), self._judge)
        return [hit for hit in found if hit.id not in uuids]
