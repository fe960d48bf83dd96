"""Links that the step `creative` of the lifecycle found: its sample of memories, and the links themselves."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction, Value

EXTRACTOR = "creative/1"  # of these links


def last_ended(tx: Transaction) -> int:
    """A number that is the same until the next run of the step has ended."""
    row = tx.one("found_links.last_ended")
    return int(row["id"]) if row else 0


def bounds(tx: Transaction) -> tuple[int, int] | None:
    """The ids of the first and the last memory; None without memories."""
    first, last = tx.one("found_links.first_id"), tx.one("found_links.last_id")
    return (int(first["id"]), int(last["id"])) if first and last else None


def sample(tx: Transaction, numbers: Iterable[int]) -> list[Row]:
    """The memories whose ids follow some numbers, those that are current.

    With `id`, `uuid`, `version`, `project`, `type`, `body`, `summary`, `session`, `document_id`, what relevance depends
    on (see `relevance.inputs`), and how many links were `found` for them.
    """
    ids = {row["id"] for row in tx.all("found_links.sample", numbers=json.dumps(sorted(numbers)))} - {None}
    return tx.all("found_links.candidates", refs=json.dumps(sorted(ids)))


def entities(tx: Transaction, refs: Iterable[int]) -> list[Row]:
    """The entities that memories mention, without people: `memory_id`, `id`, `name`."""
    return tx.all("found_links.entities", refs=json.dumps([*refs]))


def linked(tx: Transaction, refs: Iterable[int]) -> set[tuple[int, int]]:
    """The pairs of these memories that have a link of any type but PRECEDED_BY, lower id first."""
    rows = tx.all("found_links.links", refs=json.dumps([*refs]))
    return {(min(row.values()), max(row.values())) for row in rows}


def can_link(tx: Transaction, *, source: tuple[int, int], target: tuple[int, int]) -> bool:
    """Whether two memories, each by its id and version, are current and have no link but PRECEDED_BY."""
    (one, version), (other, other_version) = source, target
    ends = {"source_id": one, "source_version": version, "target_id": other, "target_version": other_version}
    row = tx.one("found_links.ends", **ends)
    return row is not None and row["links"] == 0


def delete(tx: Transaction, *, source: int, target: int, type: str) -> bool:
    """Delete a link. False if it is not there any longer."""
    ends: dict[str, Value] = {"source_id": source, "target_id": target, "type": type, "extractor": EXTRACTOR}
    return tx.one("found_links.delete", **ends) is not None


def every(tx: Transaction, *, kind: str | None, limit: int) -> list[Row]:
    """The links of a kind, or all: source and target (UUIDs), source_id, target_id, type, weight, properties."""
    pattern = None if kind is None else f'%"kind": "{kind}"%'
    return tx.all("found_links.every", kind=pattern, extractor=EXTRACTOR, limit=limit)
