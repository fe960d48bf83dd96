"""Links of a memory that need no model: to what was said before it, and to the patterns that it shows.

Doing it twice changes nothing, and what it costs does not grow with the memories there are.
"""

from __future__ import annotations

from jotsam.pipeline.pattern import terms, themes
from jotsam.pipeline.rules import RULES
from jotsam.pipeline.slugs import slug
from jotsam.storage import graph, memories, patterns
from jotsam.worker.ingest import PRECEDED_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction
    from jotsam.worker.keep import Found

DAY_MS = 86_400_000
SURE_ENOUGH = 0.5
"""Of its type a memory must be as sure as this to show a pattern of it."""
NEAR_DAYS, MOST_BEFORE = 7, 5
"""How far back a memory that was handed in alone is linked, and to how many."""


def link(tx: Transaction, row: Row) -> None:
    """PRECEDED_BY in one of two senses: to the one before it in its conversation, with weight 1; or, where it belongs
    to none, to the latest of its tenant and project, with weights from 0.5 downwards.

    One that was handed in later than what was said after it comes between: that is linked to it, and no longer to the
    one before. Chunks of a document were linked when it was cut.
    """
    if row["document_id"] is not None:
        return
    tenant, number = row["tenant"], row["id"]
    if row["session"] is not None:
        before, after = memories.said_around(tx, row)
        if before is not None:
            _follow(tx, number, before)
        if after is not None:
            _follow(tx, after, number)
        return
    since = row["created_at"] - NEAR_DAYS * DAY_MS
    earlier = memories.handed_in_before(
        tx, tenant=tenant, project=row["project"], number=number, since=since, limit=MOST_BEFORE
    )
    for rank, target in enumerate(earlier, 2):
        graph.link(tx, source=number, target=target, type=PRECEDED_BY, weight=round(1 / rank, 3), extractor=RULES)


def _follow(tx: Transaction, number: int, before: int) -> None:
    """A memory of a conversation follows one other, and no more than one."""
    graph.unlink_from(tx, number, type=PRECEDED_BY, but=before)
    graph.link(tx, source=number, target=before, type=PRECEDED_BY, extractor=RULES)


def show_patterns(tx: Transaction, row: Row, found: Found) -> None:
    """Note what the memory is about, and which themes now recur among the memories of its type."""
    tenant, number = row["tenant"], row["id"]
    is_given = row["type"] is not None and row["type_by"] is None
    type, sure = (row["type"], 1.0) if is_given else (found.type, found.sure)
    patterns.clear(tx, number)
    own = terms(row["body"]) if type is not None and sure > SURE_ENOUGH else ()
    if type is None or not own:
        return
    others, said = patterns.latest(tx, tenant=tenant, type=type)
    patterns.set_theme(tx, tenant=tenant, type=type, number=number, terms=own)
    said[number] = row["created_at"] if row["said_at"] is None else row["said_at"]
    for theme in sorted(themes(own, others, number=number), key=lambda theme: theme.term):
        name = slug(theme.term)
        # Whoever had the theme before it was a pattern is noted when it becomes one; later ones note themselves.
        is_old = patterns.is_known(tx, tenant=tenant, type=type, slug=name)
        members = {at: said[at] for at in ((number,) if is_old else theme.members)}
        patterns.save(tx, tenant=tenant, type=type, slug=name, terms=theme.shared, said=members)
