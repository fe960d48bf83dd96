"""What was forgotten to the trash: its rows, one part for each commit of a `forget`, its batch."""

from __future__ import annotations

import json

from jotsam.storage.forgetting import kept_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from jotsam.storage.database import Row, Transaction, Value
    from jotsam.storage.forgetting.kept_rows import Rows

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


def ids(tx: Transaction) -> dict[str, int]:
    """The ids of what can be restored: of memories by UUID, and of entities by `entity:CATEGORY:SLUG`."""
    return {id: number for row in tx.all("trash.ids") for id, number in json.loads(row["undo"])["ids"].items()}


def forget_gone(tx: Transaction) -> None:
    """Remove what was made of a text in the trash and of one that is gone for good: notes of several turns, summaries
    of themes, texts of entities.
    """
    kept = [(row, json.loads(row["undo"]), kept_rows.decoded(row["rows"])) for row in tx.all("trash.made_of_several")]
    if not kept:
        return
    there = _There(tx, [(undo, rows) for _, undo, rows in kept])
    for row, undo, rows in kept:
        changed = there.only(undo, rows)
        if changed != (undo, rows):
            content = {"undo": json.dumps(changed[0], ensure_ascii=False), "rows": kept_rows.encoded(changed[1])}
            tx.run("trash.change", batch=row["batch"], part=row["part"], **content)


class _There:
    """What is stored or in the trash of that of which something in some parts is made."""

    def __init__(self, tx: Transaction, kept: Sequence[tuple[dict[str, Any], list[Rows]]]) -> None:
        numbers = {one for undo, _ in kept for some in undo["summaries"] for one in some["sources"]}
        numbers |= {row["memory_id"] for undo, _ in kept for row in undo.get("endings", ())}
        numbers = numbers.union(*map(_turns, _rows_of((rows for _, rows in kept), "note")))
        stored = tx.all("run_records.memories", ids=json.dumps(sorted(numbers)), uuids="[]")
        self._memories = {row["id"] for row in stored} | {number for id, number in ids(tx).items() if ":" not in id}
        wanted = set[str]().union(*map(_facts, _rows_of((rows for _, rows in kept), "identity")))
        self._facts = {row["uuid"] for row in tx.all("trash.facts", uuids=json.dumps(sorted(wanted)))}
        if not wanted <= self._facts:
            every = (kept_rows.decoded(row["rows"]) for row in tx.all("trash.rows"))
            self._facts |= {row["uuid"] for row in _rows_of(every, "fact")}

    def only(self, undo: dict[str, Any], rows: list[Rows]) -> tuple[dict[str, Any], list[Rows]]:
        """A part without what is made of something else."""
        first, *summaries = rows
        pairs = zip(undo["summaries"], summaries, strict=True)
        whole = [(one, some) for one, some in pairs if self._memories.issuperset(one["sources"])]
        rows = [self._only_rows(some) for some in (first, *(some for _, some in whole))]
        left = {row["uuid"] for some in rows for row in some.get("memory", ())}
        undo = {
            **undo,
            "ids": {id: number for id, number in undo["ids"].items() if ":" in id or id in left},
            "summaries": [one for one, _ in whole],
            "endings": [row for row in undo.get("endings", ()) if row["memory_id"] in self._memories],
        }
        return undo, rows

    def _only_rows(self, rows: Rows) -> Rows:
        known = {"note": lambda row: _turns(row) <= self._memories, "identity": lambda row: _facts(row) <= self._facts}
        return {name: [*filter(known[name], some)] if name in known else some for name, some in rows.items()}


def _rows_of(parts: Iterable[list[Rows]], table: str) -> list[Row]:
    return [row for rows in parts for some in rows for row in some.get(table, ())]


def _turns(note: Row) -> set[int]:
    return {note[name] for name in ("memory_id", "before_id", "after_id")} - {None}


def _facts(identity: Row) -> set[str]:
    return {*json.loads(identity["sources"])}


def forget_tenant(tx: Transaction) -> None:
    tx.run("trash.forget_tenant")
