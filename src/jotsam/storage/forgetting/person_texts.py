"""All texts of a tenant in which the name of a person can be. What is large is read in pages of `PAGE` rows."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.storage.database import Database, Row, Transaction, Value

PAGE = 500

# Each kind of texts with its query, the columns that order its rows, and where the first page begins: before all rows.
PAGES: dict[str, tuple[str, tuple[str, ...], tuple[Value, ...]]] = {
    "memories": ("person_texts.memories", ("id",), (0,)),
    "documents": ("person_texts.documents", ("id",), (0,)),
    "versions": ("person_texts.versions", ("id", "version"), (0, 0)),
    "facts": ("person_texts.facts", ("id",), (0,)),
    "triage": ("person_texts.triage", ("id",), (0,)),
    "notes": ("person_texts.notes", ("id", "position"), (0, -1)),
    "items": ("person_texts.items", ("id",), (0,)),
    "trash": ("person_texts.trash", ("batch", "part"), ("", 0)),
    "jobs": ("person_texts.jobs", ("id",), (0,)),
    "attempts": ("person_texts.attempts", ("id", "place"), (0, -1)),
    "descriptions": ("person_texts.descriptions", ("id",), (0,)),
    "events": ("person_texts.events", ("id",), (0,)),
    "run_records": ("person_texts.run_records", ("id", "part"), (0, -1)),
    "given_texts": ("person_texts.given_texts", ("session", "slot"), ("", -1)),
    "model_replies": ("person_texts.model_replies", ("id",), ("",)),
    "kept_replies": ("person_texts.kept_replies", ("id",), ("",)),
    "audit": ("person_texts.audit", ("id",), (0,)),
}
# Those of which there are few.
WHOLE = {
    "tags": "person_texts.tags",
    "links": "person_texts.links",
    "blocks": "person_texts.blocks",
    "themes": "person_texts.themes",
    "patterns": "person_texts.patterns",
    "tokens": "person_texts.tokens",
    "allowed_secrets": "person_texts.allowed_secrets",
}


def read_texts(database: Database, tenant: str, kind: str) -> Iterator[Row]:
    """The rows of a kind of `PAGES` or `WHOLE`, each with a `text`. Each page is read in a snapshot of its own."""
    if kind in WHOLE:
        with database.snapshot(tenant=tenant) as tx:
            rows = tx.all(WHOLE[kind])
        yield from rows
        return
    query, columns, place = PAGES[kind]
    while True:
        bounds = dict(zip(("after", "then"), place, strict=False))
        with database.snapshot(tenant=tenant) as tx:
            rows = tx.all(query, **bounds, limit=PAGE)
        yield from rows
        if len(rows) < PAGE:
            return
        place = tuple(rows[-1][column] for column in columns)


def people(tx: Transaction) -> list[Row]:
    """Entities that are people: id, slug, name, and the id of the `person` that they were merged into, or their own."""
    return tx.all("person_texts.people")


def mentioned(database: Database, tenant: str, entities: Iterable[int]) -> Iterator[Row]:
    """The memories that mention one of some entities: id, uuid, and the UUID of the `document` of a chunk."""
    after, listed = 0, json.dumps([*entities])
    while True:
        with database.snapshot(tenant=tenant) as tx:
            rows = tx.all("person_texts.mentioned", entities=listed, after=after, limit=PAGE)
        yield from rows
        if len(rows) < PAGE:
            return
        after = rows[-1]["id"]


def tagged(tx: Transaction, tags: Iterable[str]) -> set[int]:
    """The memories with one of these tags."""
    return {row["id"] for row in tx.all("person_texts.tagged", tags=json.dumps([*tags]))}


def delete_trash(tx: Transaction, *, batch: str, part: int) -> None:
    tx.run("person_texts.delete_trash", batch=batch, part=part)
