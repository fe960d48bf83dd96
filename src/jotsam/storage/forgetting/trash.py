"""What was forgotten to the trash: its rows, one part for each commit of a `forget`, its batch."""

from __future__ import annotations

import json

from jotsam.storage.forgetting import kept_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
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


def forget_gone(tx: Transaction) -> None:
    """Remove what was made of a text in the trash and of one that is gone for good: notes of several turns, summaries
    of themes, texts of entities.
    """
    parts = tx.all("trash.made_of_several")
    if not parts:
        return
    there = _There(tx, [*map(_Part, parts)])
    for one in there.parts:
        if one.forget_gone(there):
            rows, undo = kept_rows.encoded(one.rows), json.dumps(one.undo, ensure_ascii=False)
            tx.run("trash.change", batch=one.batch, part=one.part, rows=rows, undo=undo)


class _Part:
    def __init__(self, row: Row) -> None:
        self.batch, self.part = row["batch"], row["part"]
        self.undo: dict[str, Any] = json.loads(row["undo"])
        self.rows: list[Rows] = kept_rows.decoded(row["rows"])

    def memories(self) -> set[int]:
        """The ids of those of which something is made."""
        sources = {number for one in self.undo["summaries"] for number in one["sources"]}
        ended = {row["memory_id"] for row in self.undo.get("endings", ())}
        return sources.union(ended, *(_turns(row) for some in self.rows for row in some.get("note", ())))

    def facts(self) -> set[str]:
        """The UUIDs of those of which something is made."""
        return set[str]().union(*(_facts(row) for some in self.rows for row in some.get("identity", ())))

    def forget_gone(self, there: _There) -> bool:
        """Whether something was removed."""
        before = kept_rows.encoded(self.rows), json.dumps(self.undo)
        if endings := self.undo.get("endings"):
            self.undo["endings"] = [row for row in endings if row["memory_id"] in there.memories]
        first, *summaries = self.rows
        pairs = zip(self.undo["summaries"], summaries, strict=True)
        whole = [(one, rows) for one, rows in pairs if there.memories.issuperset(one["sources"])]
        if len(whole) < len(summaries):
            self.undo["summaries"] = [one for one, _ in whole]
            self.rows = [first, *(rows for _, rows in whole)]
            left = {row["uuid"] for rows in self.rows for row in rows.get("memory", ())}
            self.undo["ids"] = {id: number for id, number in self.undo["ids"].items() if ":" in id or id in left}
        for rows in self.rows:
            if "note" in rows:
                rows["note"] = [row for row in rows["note"] if _turns(row) <= there.memories]
            if "identity" in rows:
                rows["identity"] = [row for row in rows["identity"] if _facts(row) <= there.facts]
        return (kept_rows.encoded(self.rows), json.dumps(self.undo)) != before


class _There:
    """What is stored or in the trash of that of which something in these parts is made."""

    def __init__(self, tx: Transaction, parts: list[_Part]) -> None:
        self.parts = parts
        listed = json.dumps(sorted(set[int]().union(*(one.memories() for one in parts))))
        self.memories = {row["id"] for row in tx.all("run_records.memories", ids=listed, uuids="[]")}
        for row in tx.all("run_records.trash"):
            self.memories |= {number for id, number in json.loads(row["undo"])["ids"].items() if ":" not in id}
        wanted = set[str]().union(*(one.facts() for one in parts))
        self.facts = {row["uuid"] for row in tx.all("trash.facts", uuids=json.dumps(sorted(wanted)))}
        if not wanted <= self.facts:
            for row in tx.all("trash.rows"):
                self.facts |= {one["uuid"] for some in kept_rows.decoded(row["rows"]) for one in some.get("fact", ())}


def _turns(note: Row) -> set[int]:
    return {note[name] for name in ("memory_id", "before_id", "after_id")} - {None}


def _facts(identity: Row) -> set[str]:
    return {*json.loads(identity["sources"])}


def forget_tenant(tx: Transaction) -> None:
    tx.run("trash.forget_tenant")
