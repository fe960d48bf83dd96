"""What was forgotten to the trash: its rows, one part for each commit of a `forget`, its batch."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.storage.database import Row, Transaction, Value

SUPERSEDE = {
    "memory": "trash.supersede_memory",
    "document": "trash.supersede_document",
    "fact": "trash.supersede_fact",
    "archived": "trash.archive_memory",
}


def add(tx: Transaction, *, batch: str, part: int, content: Mapping[str, Value]) -> None:
    """`content` has the numbers of `memories` and `documents`, a `sample`, `undo`, and `rows` as `kept_rows.encoded`
    returns them; `lines` of an export are what earlier versions kept.
    """
    tx.run("trash.add", batch=batch, part=part, **{"lines": "", **content})


def batches(tx: Transaction) -> list[Row]:
    """Batches, the latest first: `batch`, `created_at`, `memories` and `documents` (how many), `sample`."""
    return tx.all("trash.batches")


def parts(tx: Transaction, *, batch: str) -> list[int]:
    return [row["part"] for row in tx.all("trash.parts", batch=batch)]


def take(tx: Transaction, *, batch: str, part: int) -> Row | None:
    """Remove a part. Returns what `add` was given; None if it is not in the trash any longer."""
    return tx.one("trash.take", batch=batch, part=part)


def only_of(tx: Transaction, memories: Iterable[int]) -> dict[str, list[int]]:
    """The ids of what only these memories have: of `entity` and `pattern`. Under `identity`, of entities with a text
    that was made of their facts.
    """
    listed = json.dumps([*memories])
    queries = {"entity": "trash.entities", "pattern": "trash.patterns", "identity": "trash.identities"}
    return {table: [row["id"] for row in tx.all(query, memories=listed)] for table, query in queries.items()}


def order(tx: Transaction, number: int, *, memories: Iterable[int]) -> list[Row]:
    """The links of a turn to those before it, but for some that are removed."""
    return tx.all("trash.order", id=number, memories=json.dumps([*memories]))


def write_order(tx: Transaction, number: int, links: Iterable[Row], *, memories: Iterable[int]) -> None:
    """Give a turn the links again that `order` returned, and leave those to the restored memories."""
    listed = [*links]
    stay = {*memories, *(row["target_id"] for row in listed)}
    tx.run("trash.clear_order", id=number, memories=json.dumps(sorted(stay)))
    tx.run_many("trash.write_order", listed)


def is_without_summary(tx: Transaction, theme: int, *, sources: Iterable[int]) -> bool:
    """Whether a theme has no summary, and the sources of the former one are all stored."""
    listed = [*sources]
    row = tx.one("trash.is_without_summary", id=theme, sources=json.dumps(listed), sources_count=len(listed))
    return row is not None


def superseded(tx: Transaction, *, memories: Iterable[int], documents: Iterable[int]) -> list[Row]:
    """What a caller superseded by these, or was merged into them: `kind`, and the UUIDs `id` and `by_id`, `at`."""
    lists = {"memories": json.dumps([*memories]), "documents": json.dumps([*documents])}
    return tx.all("trash.superseded", **lists)


def supersede(tx: Transaction, kind: str, *, id: str, by: int, at: int) -> int | None:
    """Supersede a memory, document or fact (`kind`), given by UUID, unless something else supersedes it by now.

    A memory of the kind `archived` is archived again as merged into another.

    Returns the id of the memory, of that of the fact, or of the document.
    """
    row = tx.one(SUPERSEDE[kind], id=id, by=by, at=at)
    return row["id"] if row else None


def remove_before(tx: Transaction, *, before: int, limit: int) -> int:
    """Delete parts from before a time, the oldest first. Returns how many."""
    return len(tx.all("trash.remove_before", before=before, limit=limit))


def forget_tenant(tx: Transaction) -> None:
    tx.run("trash.forget_tenant")
