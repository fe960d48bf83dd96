"""The trash: what was forgotten with `trash` can be restored until it is `trash_days` old or the trash is emptied.

It is deleted from all other tables, so that nothing else has to know about the trash. What is kept are the rows as they
were; `restored_rows` writes them again. Here are the repairs: of what they superseded, and of the order of turns.
"""

from __future__ import annotations

import json
import os
from functools import partial
from itertools import count

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import Record
from jotsam.core.settings import Settings
from jotsam.ingest import start_worker
from jotsam.memory.forgetting import forget_person
from jotsam.memory.forgetting.forget import PAGE, carry_out, remove, revive
from jotsam.memory.transfer import export_format as lines
from jotsam.memory.transfer.import_rows import Rows as ImportedRows
from jotsam.memory.transfer.import_tally import Tally
from jotsam.memory.transfer.restored_rows import RestoredRows
from jotsam.pipeline.statements.find_changes import find_changes
from jotsam.storage.forgetting import erasure, kept_rows, trash
from jotsam.storage.forgetting.kept_rows import Cleared
from jotsam.storage.graph import facts
from jotsam.storage.lifecycle import themes
from jotsam.storage.memories import changes, documents, memories, notes
from jotsam.storage.transfer import exports
from jotsam.worker.enrichment import fact_validity, ingest, links
from jotsam.worker.enrichment.changes import apply_changes, update_memories, update_replaced_by_document
from jotsam.worker.enrichment.notes import relate_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from jotsam.memory.forgetting.forget_records import ForgetPlan, ForgetReceipt
    from jotsam.storage.database import Database, Row, Transaction, Value
    from jotsam.storage.forgetting.kept_rows import Rows

SAMPLE_CHARACTERS = 120
# Of a column that refers to what replaces a row: what it is called in `exports.SUPERSEDED`.
REPLACED = {
    ("document", "superseded_by"): "document",
    ("memory", "superseded_by"): "memory",
    ("memory", "archived_by"): "archived",
    ("fact", "superseded_by"): "fact",
}


class ForgottenBatch(Record):
    """What one `forget` put into the trash."""

    id: str
    forgotten_at: int  # in ms since 1970 UTC
    memories: int  # chunks of documents included
    documents: int
    sample: str  # the beginning of one of the texts


def forget(database: Database, settings: Settings, plan: ForgetPlan) -> ForgetReceipt:
    """Forget what a plan lists, and keep it in the trash.

    Raises `InvalidInput` for a chunk of a document that stays.
    """
    _check_whole(database, settings.tenant, plan)
    batch, parts = os.urandom(4).hex(), count(1)

    def keep(tx: Transaction, memories: list[Row], documents: list[Row]) -> None:
        if memories or documents:
            _keep(tx, memories, documents, batch=batch, part=next(parts))

    remove_all = carry_out if plan.person is None else forget_person.carry_out
    receipt = remove_all(database, settings, plan, keep=keep)
    return receipt.replace(trash=batch, erased=False) if receipt.memories or receipt.documents else receipt


def _check_whole(database: Database, tenant: str, plan: ForgetPlan) -> None:
    """A document could not get the lines of a chunk back."""
    for begin in range(0, len(plan.memories), PAGE):
        with database.snapshot(tenant=tenant) as tx:
            numbers, _ = erasure.numbers(tx, memories=plan.memories[begin : begin + PAGE], documents=())
            for row in erasure.listed(tx, memories=numbers):
                if row["document_id"] is not None:
                    stays = "is a chunk of a document that stays"
                    raise InvalidInput(f"{row['uuid']} {stays}: forget the whole document, or without trash")


def _keep(tx: Transaction, memories: list[Row], documents: list[Row], *, batch: str, part: int) -> None:
    numbers = {"memory": [row["id"] for row in memories], "document": [row["id"] for row in documents]}
    summaries = themes.summaries_without(tx, numbers["memory"])
    gone = [*numbers["memory"], *(one["id"] for one in summaries)]
    only, orphans = trash.only_of(tx, gone), erasure.orphans_of(tx, memories=gone)
    names = {table: [*only[table], *orphans[table]] for table in orphans}
    kept = [kept_rows.rows_of_forgotten(tx, {**numbers, **names}, also={"identity": {"entity_id": only["identity"]}})]
    kept += [kept_rows.rows_of_forgotten(tx, {"memory": [one["id"]]}, also={}) for one in summaries]
    rows = [some for some, _ in kept]
    undo = {
        "ids": _ids(rows),
        "cleared": [one.as_dict() for _, cleared in kept for one in cleared],
        "superseded": trash.superseded(tx, memories=numbers["memory"], documents=numbers["document"]),
        "order": _order_of(tx, memories),
        "summaries": summaries,
        "endings": notes.endings(tx, gone),
    }
    content: dict[str, Value] = {
        "memories": len(memories),
        "documents": len(documents),
        "sample": [*documents, *memories][0]["body"][:SAMPLE_CHARACTERS],
        "undo": json.dumps(undo, ensure_ascii=False),
        "rows": kept_rows.encoded(rows),
    }
    trash.add(tx, batch=batch, part=part, content=content)


def _ids(some: list[Rows]) -> dict[str, int]:
    """The ids of memories by UUID, and of entities by `entity:CATEGORY:SLUG`: records of runs refer to them."""
    ids = {row["uuid"]: row["id"] for rows in some for row in rows.get("memory", ())}
    named = (row for rows in some for row in rows.get("entity", ()))
    return ids | {f"entity:{row['category']}:{row['slug']}": row["id"] for row in named}


def _order_of(tx: Transaction, rows: list[Row]) -> dict[str, Any]:
    """By UUID of each turn: the ids of those beside it, and the links of the one after it."""
    numbers, order = {row["id"] for row in rows}, {}
    for row in rows:
        turn = memories.get(tx, uuid=row["uuid"])
        if turn is not None and turn["session"] is not None:
            before, after = memories.beside_in_session(tx, turn)
            linked = None if after is None or after in numbers else trash.order(tx, after, memories=numbers)
            order[row["uuid"]] = {"beside": [before, after], "links": linked}
    return order


def move(tx: Transaction, number: int, *, batch: str) -> int | None:
    """Move a memory that is no chunk of a document to the trash. Returns its part of the batch; None: it is gone."""
    part = max(trash.parts(tx, batch=batch), default=0) + 1
    return part if remove(tx, [number], partial(_keep, batch=batch, part=part)) else None


def restore_part(tx: Transaction, batch: str, part: int) -> bool:
    """Store a part of a batch again. False: it is not in the trash any longer, or was forgotten for good since.

    Raises `InvalidInput` if it cannot be restored; then it stays in the trash.
    """
    row = trash.take(tx, batch=batch, part=part)
    if row is None:
        return False
    try:
        return sum(_restore(tx, Settings(tenant=tx.tenant), row, batch).values()) > 0
    except InvalidInput:
        trash.add(tx, batch=batch, part=part, content=row)
        raise


def batches(database: Database, *, tenant: str) -> tuple[ForgottenBatch, ...]:
    """What is in the trash, the latest first."""
    with database.snapshot(tenant=tenant) as tx:
        return tuple(_batch(row) for row in trash.batches(tx))


def _batch(row: Row) -> ForgottenBatch:
    return ForgottenBatch(
        id=row["batch"],
        forgotten_at=row["created_at"],
        memories=int(row["memories"]),
        documents=int(row["documents"]),
        sample=row["sample"],
    )


def restore(database: Database, settings: Settings, batch: str) -> ForgottenBatch:
    """Store a batch again, with the same ids. Returns what was restored: not what was forgotten for good since.

    Each part is restored whole in one commit, so an interruption leaves the others in the trash. The last is the first,
    because the links between two parts are in the one that was deleted first.
    Raises `NotFound`, and `InvalidInput` for a part that cannot be restored.
    """
    with database.snapshot(tenant=settings.tenant) as tx:
        found = next((_batch(row) for row in trash.batches(tx) if row["batch"] == batch), None)
        parts = trash.parts(tx, batch=batch)
    if found is None:
        raise NotFound(f"there is no batch {batch!r} in the trash: `jotsam db trash` lists them")
    added = {"memory": 0, "document": 0}
    for part in reversed(parts):

        def write(tx: Transaction, part: int = part) -> dict[str, int]:
            tx.set_tenant(settings.tenant)
            row = trash.take(tx, batch=batch, part=part)
            return _restore(tx, settings, row, batch) if row else {}

        new = start_worker.commit(database, write, worker=settings.worker)
        added = {kind: number + new.get(kind, 0) for kind, number in added.items()}
    return found.replace(memories=added["memory"], documents=added["document"])


def _restore(tx: Transaction, settings: Settings, row: Row, batch: str) -> dict[str, int]:
    """Returns how many of each kind were restored."""
    if row["lines"]:
        return _import(tx, settings, row["lines"], batch)
    undo, (rows, *summaries) = json.loads(row["undo"]), kept_rows.decoded(row["rows"])
    restored = RestoredRows(tx, settings, batch)
    restored.write(rows)
    numbers = restored.numbers("memory")
    for one, some in zip(undo["summaries"], summaries, strict=True):
        if trash.is_without_summary(tx, one["theme"], sources=one["sources"]):
            restored.write(some)
    restored.finish(Cleared(**one) for one in undo["cleared"])
    _end_replacements(tx, restored.cleared)
    _connect(tx, rows, numbers, restored.numbers("document"), undo)
    notes.lock(tx)
    notes.end_again(tx, undo.get("endings", ()))
    relate_all(tx, notes.written(tx, {*numbers.values(), *(row["memory_id"] for row in rows.get("note", ()))}))
    return {"memory": len(numbers), "document": len(restored.numbers("document"))}


def _import(tx: Transaction, settings: Settings, kept: str, batch: str) -> dict[str, int]:
    """Store what an earlier version put into the trash, which kept lines of an export, as an import of them does."""
    tally = Tally("")
    imported = ImportedRows(settings, tally, reprocess=False)
    found = [lines.decode(line.encode()) for line in kept.split("\n") if line]
    imported.write(tx, [*enumerate(found, 1)])
    imported.commit()
    imported.finish(tx)
    imported.commit()
    if tally.problems:
        raise InvalidInput(f"batch {batch} cannot be restored: {tally.problems[0].reason}")
    return tally.added


def _end_replacements(tx: Transaction, cleared: list[Cleared]) -> None:
    """What was superseded by something that is forgotten by now is valid again, and what was merged is not archived."""
    uuids: dict[str, list[str]] = {}
    for one in cleared:
        if kind := REPLACED.get((one.table, one.column)):
            uuids.setdefault(kind, []).append(one.row["uuid"])
    if uuids:
        for _ in revive(tx, *exports.ended(tx, uuids)):
            pass


def _connect(tx: Transaction, rows: Rows, numbers: dict[str, int], whole: dict[str, int], undo: dict[str, Any]) -> None:
    """Supersede what they superseded, and give turns and versions of a source their places.

    `numbers` has the ids of the restored memories by UUID, `whole` those of the documents.
    """
    tx.lock(f"facts {tx.tenant}")
    touched = {*numbers.values()}
    followers = {row["target_id"]: row["source_id"] for row in rows.get("link", ()) if _is_order(row)}
    for one in undo["superseded"]:
        by = (whole if one["kind"] == "document" else numbers).get(one["by_id"])
        number = trash.supersede(tx, one["kind"], id=one["id"], by=by, at=one["at"]) if by else None
        if by and number and one["kind"] == "document":
            memories.supersede_chunks(tx, document=number, by=by, at=one["at"])
            update_replaced_by_document(tx, number)
        elif number:
            touched.add(number)
    for row in rows.get("document", ()):
        if row["uuid"] in whole and row["cut_at"] is not None:
            _order_versions(tx, row["project"], row["source"], row["id"])
    read = [row for row in rows.get("memory", ()) if row["uuid"] in numbers and row["enriched_at"] is not None]
    for row in read:
        if row["session"] is not None:
            order = undo["order"].get(row["uuid"])
            _order_turns(tx, row["uuid"], order, numbers.values(), followers.get(row["id"]))
    for number in sorted(touched):
        fact_validity.update_validity(tx, facts.keys(tx, number=number), number=number)
        update_memories(tx, changes.replaced(tx, number))
    for row in read:
        _find_changes(tx, row["uuid"])


def _is_order(link: Row) -> bool:
    """Whether it leads from a turn to the one before it."""
    return link["type"] == ingest.PRECEDED_BY and link["weight"] == 1 and link["extractor"] is not None


def _order_versions(tx: Transaction, project: str | None, source: str | None, number: int) -> None:
    if source is None:
        return
    documents.lock_source(tx, project=project, source=source)
    if 1 not in documents.adjacent(tx, project=project, source=source, number=number):
        erasure.restore_source(tx, document=number)
    ingest.supersede_versions(tx, project=project, source=source, number=number)
    update_replaced_by_document(tx, number)


def _order_turns(
    tx: Transaction, uuid: str, order: dict[str, Any] | None, restored: Iterable[int], follower: int | None
) -> None:
    """`follower` is the turn that came after this one when it was forgotten."""
    turn = memories.get(tx, uuid=uuid)
    if turn is None:  # It was forgotten for good.
        return
    before, after = memories.session_neighbours(tx, turn)
    if order is None or order["beside"] != [before, after]:  # Others have come or gone.
        links.link_to_earlier(tx, turn)
        others = [] if follower in (None, after) else erasure.listed(tx, memories=[follower])
        for follows in (memories.get(tx, uuid=one["uuid"]) for one in others):
            if follows is not None:  # Its link to this turn was restored too.
                links.link_to_earlier(tx, follows)
    elif after is not None and order["links"] is not None:
        trash.write_order(tx, after, order["links"], memories=restored)


def _find_changes(tx: Transaction, uuid: str) -> None:
    """Compute what a memory changes, and what changes it: others may have come or gone since."""
    row = memories.get(tx, uuid=uuid)
    if row is not None:
        apply_changes(tx, row, find_changes(row["body"]))


def empty(database: Database, *, tenant: str) -> bool:
    """Delete what is in the trash. Returns whether the bytes are gone, as `ForgetReceipt.erased`."""
    with database.transaction(tenant=tenant) as tx:
        trash.forget_tenant(tx)
        erasure.remove_traces(tx)
    return database.erase()
