"""Links that need no model: PRECEDED_BY to earlier memories, and the patterns that a memory exemplifies.

Idempotent. The cost does not depend on the number of stored memories.
"""

from __future__ import annotations

from jotsam.pipeline.extraction.extract import RULES
from jotsam.pipeline.likeness.pattern_detection import MAX_THEMES, find_themes, frequent_terms
from jotsam.pipeline.text.slugs import slug
from jotsam.storage.graph import graph, patterns
from jotsam.storage.memories import memories
from jotsam.worker.enrichment.ingest import PRECEDED_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.extraction.extract import Extraction
    from jotsam.storage.database import Row, Transaction

# The minimum type confidence of a memory that counts for patterns.
MIN_TYPE_CONFIDENCE = 0.5
# How far back, and to how many memories of its tenant and project, a memory is linked.
RECENT_MS, MAX_RECENT = 7 * 86_400_000, 5


def link_to_earlier(tx: Transaction, row: Row) -> None:
    """Link a memory to the previous turn of its session (weight 1), or to recent memories (weight 0.5 and less).

    Recent memories are those of its tenant and project within a week. A turn has those before it in its session, and
    links to them would be a fifth of a file. A turn that arrives late is inserted into the chain: the following turn is
    linked to it instead of the previous one. Chunks of a document are linked by `ingest`.
    """
    if row["document_id"] is not None:
        return
    number, before = row["id"], None
    if row["session"] is not None:
        before, after = memories.session_neighbours(tx, row)
        if after is not None:
            _link_to_previous(tx, after, number)
    if before is None:
        _link_to_recent(tx, number)
    else:
        _link_to_previous(tx, number, before)


def _link_to_previous(tx: Transaction, number: int, before: int) -> None:
    """Make `before` the only memory that a turn follows."""
    graph.clear_links_from(tx, number, type=PRECEDED_BY, but=before)
    graph.link(tx, source=number, target=before, type=PRECEDED_BY, extractor=RULES)


def _link_to_recent(tx: Transaction, number: int) -> None:
    """Link a memory to the latest ones before it. The weight decreases with the rank."""
    followed = graph.link_targets(tx, number, type=PRECEDED_BY)
    for rank, target in enumerate(memories.stored_before(tx, number, within_ms=RECENT_MS, limit=MAX_RECENT), 2):
        if target not in followed:
            graph.link(tx, source=number, target=target, type=PRECEDED_BY, weight=round(1 / rank, 3), extractor=RULES)


def update_patterns(tx: Transaction, row: Row, found: Extraction) -> None:
    """Store the frequent terms of a memory, and the patterns that it shares with the latest memories of its type.

    A pattern that the memory already exemplifies is kept while its term is still frequent in it. Only new patterns
    depend on the latest memories, to which a reprocessed older memory does not belong.
    """
    number = row["id"]
    is_given = row["type"] is not None and row["type_by"] is None
    type, confidence = (row["type"], 1.0) if is_given else (found.type, found.type_confidence or 0.0)
    own = frequent_terms(row["body"]) if type is not None and confidence > MIN_TYPE_CONFIDENCE else ()
    kept = patterns.clear(tx, number, type=type, but={slug(term) for term in own})
    if type is None or not own:
        return
    others, said = patterns.latest_terms(tx, type=type)
    patterns.set_terms(tx, type=type, number=number, terms=own)
    said[number] = row["created_at"] if row["said_at"] is None else row["said_at"]
    new = [theme for theme in find_themes(own, others, number=number) if slug(theme.term) not in kept]
    for theme in sorted(new[: max(MAX_THEMES - len(kept), 0)], key=lambda theme: theme.term):
        name = slug(theme.term)
        # A new pattern includes the earlier memories of the theme; to a known one only this memory is added.
        is_old = patterns.exists(tx, type=type, slug=name)
        members = {at: said[at] for at in ((number,) if is_old else theme.members)}
        patterns.save(tx, type=type, slug=name, terms=theme.shared, said=members)
