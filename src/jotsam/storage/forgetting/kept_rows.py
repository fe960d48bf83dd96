"""What the trash keeps of memories and documents besides the lines of an export, so that they are restored exactly.

These are the ids that their rows had, and the rows that no line has. Each column that refers to what can be deleted
with a memory is in `FROM_ROWS` or in `FROM_LINES`.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.storage.database import Row, Transaction

    Rows = Mapping[str, Any]  # by the names in `KEPT`: the columns, and a list of values for each row

# The rows that are kept, in the order in which they are written: the queries that read and write them.
KEPT = {
    "job": ("kept_rows.job", "kept_rows.write_job"),
    "document_job": ("kept_rows.document_job", "kept_rows.write_document_job"),
    "relevance": ("kept_rows.relevance", "kept_rows.write_relevance"),
    "theme_member": ("kept_rows.theme_member", "kept_rows.write_theme_member"),
    "theme_summary": ("kept_rows.theme_summary", "kept_rows.write_theme_summary"),
    "triage": ("kept_rows.triage", "kept_rows.write_triage"),
    "note": ("kept_rows.note", "kept_rows.write_note"),
    "note_ended": ("kept_rows.note_ended", "kept_rows.write_note_ended"),
    "triage_crystal": ("kept_rows.triage_crystal", "kept_rows.write_triage_crystal"),
    "merge": ("kept_rows.merge", "kept_rows.write_merge"),
    "identity": ("kept_rows.identity", "kept_rows.write_identity"),
    "llm_cache": ("kept_rows.llm_cache", "kept_rows.write_llm_cache"),
    "embedding": ("kept_rows.embedding", "kept_rows.write_embedding"),
}

# The columns that they restore, each after its table.
FROM_ROWS = frozenset(
    (
        *("entity canonical_id", "identity entity_id", "llm_cache memory_id", "embedding memory_id"),
        *("relevance memory_id", "theme summary_id", "theme_member memory_id"),
        *("triage memory_id", "triage crystal_id"),
        *("note memory_id", "note before_id", "note after_id", "note ended_by"),
    )
)

# Columns of rows that lines restore, with the ids of `ids` where a table has some. The vector is one of them.
FROM_LINES = frozenset(
    (
        *("change_word memory_id", "date_range memory_id", "fact memory_id", "fact superseded_by"),
        *("document superseded_by", "memory archived_by", "memory document_id", "memory superseded_by"),
        *("link source_id", "link target_id", "memory_tag memory_id", "memory_version memory_id"),
        *("mention entity_id", "mention memory_id", "metadata_index memory_id", "pattern_example memory_id"),
        *("pattern_example pattern_id", "pattern_terms memory_id", "recall_count memory_id"),
        *("redaction document_id", "redaction memory_id", "title memory_id"),
        "embedding_index memory_id",  # a copy of the vector, which PostgreSQL may have
    )
)


def ids(tx: Transaction, *, memories: Iterable[int], documents: Iterable[int]) -> dict[str, int]:
    """The ids of these and of what is deleted with them, by UUID.

    Those of entities, patterns and redactions are under `entity:CATEGORY:SLUG`, `pattern:TYPE:SLUG` and
    `redaction:UUID:NUMBER`.
    """
    found = tx.all("kept_rows.ids", memories=json.dumps([*memories]), documents=json.dumps([*documents]))
    return {row["name"]: row["id"] for row in found}


def read(tx: Transaction, *, memories: Iterable[int], documents: Iterable[int]) -> dict[str, Any]:
    """The rows of these that no line has."""
    lists = {"memories": json.dumps([*memories]), "documents": json.dumps([*documents])}
    kept = {}
    for name, (query, _) in KEPT.items():
        of = "documents" if name == "document_job" else "memories"
        if rows := tx.all(query, **{of: lists[of]}):
            kept[name] = [[*rows[0]], *([*row.values()] for row in rows)]
    return kept


def write(tx: Transaction, kept: Rows) -> bool:
    """Add rows that were kept, of what is stored again. What is there by now stays as it is.

    A text about an entity is left out if one of its facts is gone. Returns whether vectors are wanted.
    """
    wanted = False
    for name, (_, query) in KEPT.items():
        columns, *values = kept.get(name, ([],))
        rows = [dict(zip(columns, row, strict=True)) for row in values]
        tx.run_many(query, [row for row in rows if name != "identity" or _is_founded(tx, row)])
        wanted = wanted or (name == "embedding" and any(row["wanted"] for row in rows))
    return wanted


def write_orphans(tx: Transaction, orphans: Mapping[str, list[Row]]) -> None:
    """Add entities and patterns that `erasure.orphans_of` returned. What is there by now stays as it is."""
    entities = orphans.get("entity", [])
    tx.run_many("exports.restore_entity", entities)
    tx.run_many("exports.restore_pattern", orphans.get("pattern", []))
    tx.run_many("kept_rows.write_merge", [row for row in entities if row["canonical_id"]])


def order(tx: Transaction, number: int, *, memories: Iterable[int]) -> list[Row]:
    """The links of a turn to those before it, but for some that are removed."""
    return tx.all("kept_rows.order", id=number, memories=json.dumps([*memories]))


def write_order(tx: Transaction, number: int, links: Iterable[Row], *, memories: Iterable[int]) -> None:
    """Give a turn the links again that `order` returned, and leave those to the restored memories."""
    listed = [*links]
    stay = {*memories, *(row["target_id"] for row in listed)}
    tx.run("kept_rows.clear_order", id=number, memories=json.dumps(sorted(stay)))
    tx.run_many("kept_rows.write_order", listed)


def is_without_summary(tx: Transaction, theme: int, *, sources: Iterable[int]) -> bool:
    """Whether a theme has no summary, and the sources of the former one are all stored."""
    listed = [*sources]
    row = tx.one("kept_rows.is_without_summary", id=theme, sources=json.dumps(listed), sources_count=len(listed))
    return row is not None


def _is_founded(tx: Transaction, row: Row) -> bool:
    uuids = {*json.loads(row["sources"])}
    return len(tx.all("identities.alive", uuids=json.dumps(sorted(uuids)))) == len(uuids)
