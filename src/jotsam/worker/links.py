"""Links of a memory that need no model: to what was said before it, and to the patterns that it shows.

Doing it twice changes nothing, and what it costs does not grow with the memories there are.
"""

from __future__ import annotations

from jotsam.pipeline.extract import RULES
from jotsam.pipeline.pattern_detection import MAX_THEMES, find_themes, frequent_terms
from jotsam.pipeline.text.slugs import slug
from jotsam.storage import graph, memories, patterns
from jotsam.worker.ingest import PRECEDED_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction
    from jotsam.worker.save_extraction import Found

SURE_ENOUGH = 0.5
"""Of its type a memory must be as sure as this to show a pattern of it."""
NEAR_MS, MOST_BEFORE = 7 * 86_400_000, 5
"""How far back a memory is linked within its tenant and project, and to how many."""


def link(tx: Transaction, row: Row) -> None:
    """PRECEDED_BY in two senses: to the one before it in its conversation, with weight 1; and to the latest of its
    tenant and project within a week, with weights from 0.5 downwards.

    One that was handed in later than what was said after it comes between: that is linked to it, and no longer to the
    one before. Chunks of a document were linked when it was cut.
    """
    if row["document_id"] is not None:
        return
    number = row["id"]
    if row["session"] is not None:
        before, after = memories.said_around(tx, row)
        if after is not None:
            _follow(tx, after, number)
            _be_near(tx, after)
        if before is not None:
            _follow(tx, number, before)
    _be_near(tx, number)


def _follow(tx: Transaction, number: int, before: int) -> None:
    """A memory of a conversation follows one other, and no more than one."""
    graph.unlink_from(tx, number, type=PRECEDED_BY, but=before)
    graph.link(tx, source=number, target=before, type=PRECEDED_BY, extractor=RULES)


def _be_near(tx: Transaction, number: int) -> None:
    """Link a memory to the latest before it but the one that it follows; the nearer, the heavier."""
    followed = graph.followed(tx, number, type=PRECEDED_BY)
    for rank, target in enumerate(memories.handed_in_before(tx, number, within_ms=NEAR_MS, limit=MOST_BEFORE), 2):
        if target not in followed:
            graph.link(tx, source=number, target=target, type=PRECEDED_BY, weight=round(1 / rank, 3), extractor=RULES)


def show_patterns(tx: Transaction, row: Row, found: Found) -> None:
    """Note what the memory is about, and which themes now recur among the memories of its type.

    A pattern that it shows already it goes on showing for as long as it is about that: only whether a theme is new to
    it is asked of the latest memories, of which an older one that is read again is none.
    """
    number = row["id"]
    is_given = row["type"] is not None and row["type_by"] is None
    type, sure = (row["type"], 1.0) if is_given else (found.type, found.sure)
    own = frequent_terms(row["body"]) if type is not None and sure > SURE_ENOUGH else ()
    kept = patterns.clear(tx, number, type=type, but={slug(term) for term in own})
    if type is None or not own:
        return
    others, said = patterns.latest(tx, type=type)
    patterns.set_theme(tx, type=type, number=number, terms=own)
    said[number] = row["created_at"] if row["said_at"] is None else row["said_at"]
    new = [theme for theme in find_themes(own, others, number=number) if slug(theme.term) not in kept]
    for theme in sorted(new[: max(MAX_THEMES - len(kept), 0)], key=lambda theme: theme.term):
        name = slug(theme.term)
        # Whoever had the theme before it was a pattern is noted when it becomes one; later ones note themselves.
        is_old = patterns.is_known(tx, type=type, slug=name)
        members = {at: said[at] for at in ((number,) if is_old else theme.members)}
        patterns.save(tx, type=type, slug=name, terms=theme.shared, said=members)
