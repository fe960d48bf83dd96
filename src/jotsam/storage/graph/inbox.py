"""What was learned lately, and what of it contradicts itself. Each query reads a bounded part."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def learned(tx: Transaction, *, since: int, project: str | None, latest: int) -> list[Row]:
    """Of the latest memories, those stored since a time: id, uuid, text, actor, session, source, project, at."""
    return tx.all("inbox.learned", since=since, project=project, latest=latest)


def notes_of(tx: Transaction, memories: Iterable[int]) -> list[Row]:
    """What turns say that lasts: memory_id, kind, body."""
    return tx.all("inbox.notes_of", memories=json.dumps(sorted(memories)))


def facts_of(tx: Transaction, memories: Iterable[int], *, limit: int) -> list[Row]:
    """Facts of memories that hold: memory_id, subject, predicate, object."""
    return tx.all("inbox.facts_of", memories=json.dumps(sorted(memories)), limit=limit)


def single_values(tx: Transaction, predicates: Iterable[str], *, project: str | None, latest: int) -> list[Row]:
    """Of the latest facts, those that hold, of predicates with one value at a time; the last said first."""
    return tx.all("inbox.single_values", predicates=json.dumps(sorted(predicates)), project=project, latest=latest)
