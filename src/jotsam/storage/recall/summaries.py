"""Which summaries of themes follow the memories that an answer shows."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope

SUMMARY_TAG = "summary"
SUMMARIZES = "SUMMARIZES"  # type of the links from a summary to its sources
CLUSTER = "cluster"  # extractor of links, tags and summaries that the step makes


def asks_for(tags: Iterable[str]) -> bool:
    """Whether tags ask for summaries, which are found in no other way."""
    return SUMMARY_TAG in {str(tag).strip().lower() for tag in tags}


def following(tx: Transaction, scope: Scope, uuids: Sequence[str], *, limit: int) -> list[int]:
    """The summaries of at least two of these memories, in scope, those of most of them first."""
    asked = scope.replace(archived=1)
    rows = tx.all("summaries.following", **asked._values(), uuids=json.dumps([*uuids]), limit=limit)
    return [row["ref"] for row in rows]
