"""Rows of a tenant for an export, page by page, and rows of an export on their way back."""

from __future__ import annotations

import json

from jotsam.storage import table_catalogue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.storage.database import Row, Transaction, Value

PAGE = 500

# The queries that read what belongs to memories.
PARTS = {
    "tags": "exports.tags",
    "mentions": "exports.mentions",
    "titles": "exports.titles",
    "date_ranges": "exports.date_ranges",
    "pattern_terms": "exports.pattern_terms",
    "examples": "exports.examples",
    "facts": "exports.facts",
    "versions": "exports.versions",
    "recalls": "exports.recalls",
    "redactions": "exports.redactions_of_memories",
}
VECTORS = {"vectors": "exports.vectors"}
EXTRACTED_BY = ("type_by", "importance_by", "confidence_by")

NUMBERS = {"document": "exports.document_numbers", "memory": "exports.memory_numbers"}
NAMED = {"entity": "exports.entity_numbers", "pattern": "exports.pattern_numbers"}

# What is superseded, or merged into another (`archived`): the query that reads it, and the one that writes it.
SUPERSEDED = {
    "document": ("exports.superseded_documents", "exports.supersede_document"),
    "memory": ("exports.superseded_memories", "exports.supersede_memory"),
    "fact": ("exports.superseded_facts", "exports.supersede_fact"),
    "archived": ("exports.archived_memories", "exports.archive_memory"),
}

# The tables of what belongs to new memories.
OF_MEMORY = (
    *("memory_tag", "metadata_index", "title", "date_range", "pattern_terms", "mention", "pattern_example", "fact"),
    *("memory_version", "recall_count", "change_word"),
)


def aliases(tx: Transaction) -> list[Row]:
    """Merged entities: `id`, `category` and `slug`, and those of the entity they were merged into."""
    return tx.all("exports.aliases")


def entities(tx: Transaction) -> Iterator[list[Row]]:
    """Pages of entities: category, slug and name."""
    yield from _pages(tx, "exports.entities")


def patterns(tx: Transaction) -> Iterator[list[Row]]:
    """Pages of patterns: type, slug, terms and created_at."""
    yield from _pages(tx, "exports.patterns")


def documents(tx: Transaction, ids: Sequence[int]) -> list[tuple[Row, list[Row]]]:
    """Documents, each with its redactions."""
    redactions = _by(tx.all("exports.redactions_of_documents", ids=_json(ids)), "document_id")
    return [(row, redactions.get(row["id"], [])) for row in tx.all("exports.documents", ids=_json(ids))]


def memories(tx: Transaction, ids: Sequence[int], *, vectors: bool = False) -> list[tuple[Row, dict[str, list[Row]]]]:
    """Memories with the UUID of their `document`, each with the rows of `PARTS`, and of its vector if wanted."""
    listed, queries = _json(ids), PARTS | (VECTORS if vectors else {})
    parts = {name: _by(tx.all(query, ids=listed), "memory_id") for name, query in queries.items()}
    return [
        (_named(row), {name: parts[name].get(row["id"], []) for name in queries})
        for row in tx.all("exports.memories", ids=listed)
    ]


def _named(row: Row) -> Row:
    """A memory with the name of the extractor of each value: '' means the one in `extractor`."""
    return row | {name: row["extractor"] for name in EXTRACTED_BY if row[name] == ""}


def _unnamed(row: Mapping[str, Value]) -> dict[str, Value]:
    """The reverse of `_named`, for the rows of a kind that has these columns."""
    same = (name for name in EXTRACTED_BY if row.get(name) and row[name] == row["extractor"])
    return {**row, **dict.fromkeys(same, "")}


def documents_of(tx: Transaction, memories: Sequence[int]) -> list[int]:
    """The documents of which these memories are chunks."""
    return [row["id"] for row in tx.all("exports.documents_of", ids=_json(memories))]


def links(tx: Transaction, ids: Sequence[int]) -> list[Row]:
    """The links that start at these memories: `source`, `type`, `target`, `target_id`, `weight`, ..."""
    return tx.all("exports.links", ids=_json(ids))


def notes(tx: Transaction, ids: Sequence[int]) -> list[Row]:
    """The notes of these memories: the columns of a line, and `before_id`, `after_id` and `ended_id`."""
    return tx.all("exports.notes", ids=_json(ids))


def add_note(tx: Transaction, **columns: Value) -> bool:
    """Add a note to a memory. Returns whether it had none at this place."""
    return tx.one("exports.add_note", **columns) is not None


def superseded(tx: Transaction, kind: str, ids: Sequence[int]) -> list[Row]:
    """What is superseded by a known item: its UUID `id`, and `by_id` and `number` of what replaces it.

    `kind` is one of `SUPERSEDED`; `ids` are those of documents, or of memories.
    """
    return tx.all(SUPERSEDED[kind][0], ids=_json(ids))


def numbers(tx: Transaction, kind: str, uuids: Iterable[str]) -> dict[str, int]:
    """The ids of the memories or documents (`kind`) with these UUIDs, as far as they exist."""
    rows = tx.all(NUMBERS[kind], uuids=_json(dict.fromkeys(uuids)))
    return {row["uuid"]: row["id"] for row in rows}


def named(tx: Transaction, kind: str, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The ids of entities (`kind`) by category and slug, or of patterns by type and slug, as far as they exist."""
    first = "category" if kind == "entity" else "type"
    rows = tx.all(NAMED[kind], slugs=_json(dict.fromkeys(slug for _, slug in keys)))
    return {(row[first], row["slug"]): row["id"] for row in rows}


def add(tx: Transaction, table: str, rows: Sequence[Mapping[str, Value]]) -> None:
    """Add rows with these columns. Those that exist are kept as they are."""
    table_catalogue.add(tx, table_catalogue.forms(tx)["insert"], table, [*map(_unnamed, rows)])


def index(tx: Transaction, rows: Sequence[Mapping[str, Value]]) -> None:
    """Index texts: `ref`, `body`, `context` and `grams` of each."""
    tx.run_many("search.index", rows)


def want_vectors(tx: Transaction, memories: Iterable[int]) -> None:
    """Request vectors of memories that have none."""
    tx.run_many("exports.want_vector", [{"memory_id": number} for number in memories])


def merge(tx: Transaction, *, id: int, into: int) -> None:
    """Merge an entity that is not merged yet."""
    tx.run("exports.add_merge", id=id, into=into)


def supersede(tx: Transaction, kind: str, *, uuid: str, by: int) -> None:
    """Save what supersedes a document, memory or fact (`kind`) that is superseded by nothing known."""
    tx.run(SUPERSEDED[kind][1], uuid=uuid, by=by)


def ended(tx: Transaction, lines: Mapping[str, Iterable[str]]) -> tuple[list[Row], list[Row], list[int]]:
    """What is superseded by nothing that is stored, among the UUIDs of each kind in `SUPERSEDED`.

    As `erasure.superseded`: memories, documents, and the ids of memories with such a fact. What was merged into nothing
    that is stored is not archived any longer.
    """
    uuids = {kind: _json(lines.get(kind, ())) for kind in SUPERSEDED}
    memories = tx.all("exports.ended_memories", uuids=uuids["memory"])
    documents = tx.all("exports.ended_documents", uuids=uuids["document"])
    stating = tx.all("exports.memories_with_ended_facts", uuids=uuids["fact"])
    tx.run("exports.clear_manual_ends", uuids=uuids["fact"])
    tx.run("exports.unarchive_merged", uuids=uuids["archived"])
    return memories, documents, [row["id"] for row in stating]


def documents_of_source(tx: Transaction, *, project: str | None, source: str) -> dict[int, Row]:
    """The texts of a source that are split into memories: by id, `project` and `source`."""
    return {row["id"]: row for row in tx.all("exports.documents_of_source", project=project, source=source)}


def _pages(tx: Transaction, query: str) -> Iterator[list[Row]]:
    after = 0
    while rows := tx.all(query, after=after, limit=PAGE):
        after = rows[-1]["id"]
        yield rows


def _by(rows: Iterable[Row], column: str) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row.pop(column), []).append(row)
    return found


def _json(values: Iterable[object]) -> str:
    return json.dumps(list(values))
