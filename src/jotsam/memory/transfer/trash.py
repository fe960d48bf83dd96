"""The trash: what was forgotten with `trash` can be restored until it is `trash_days` old or the trash is emptied.

It is deleted from all other tables, so that nothing else has to know about the trash. What is kept is an export of it,
with the ids of its rows and the rows that an export does not have. An id or a name that is taken by now stays taken.
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
from jotsam.memory.forgetting.forget import PAGE, carry_out, remove
from jotsam.memory.transfer import export
from jotsam.memory.transfer import export_format as lines
from jotsam.memory.transfer.import_rows import Rows
from jotsam.memory.transfer.import_tally import Tally
from jotsam.pipeline.statements.find_changes import find_changes
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure, kept_rows, trash
from jotsam.storage.graph import facts
from jotsam.storage.lifecycle import themes
from jotsam.storage.memories import changes, documents, memories, projects
from jotsam.storage.transfer import exports
from jotsam.worker.enrichment import embed, fact_validity, ingest, links
from jotsam.worker.enrichment.changes import apply_changes, update_memories, update_replaced_by_document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from jotsam.memory.forgetting.forget_records import ForgetPlan, ForgetReceipt
    from jotsam.storage.database import Database, Row, Transaction

SAMPLE_CHARACTERS = 120
KEPT_BEFORE: dict[str, Any] = {
    "kept": {},
    "order": {},
    "summaries": [],
    "orphans": {},
}  # of an older version, which kept less
ARCHIVED = "archived"  # the kind of a reference from a merged memory


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
    numbers = {"memories": [row["id"] for row in memories], "documents": [row["id"] for row in documents]}
    summaries = themes.summaries_without(tx, numbers["memories"])
    gone = {**numbers, "memories": [*numbers["memories"], *(one["id"] for one in summaries)]}
    undo = {
        "ids": kept_rows.ids(tx, **gone),
        "kept": kept_rows.read(tx, **gone),
        "orphans": erasure.orphans_of(tx, memories=gone["memories"]),
        "superseded": trash.superseded(tx, **numbers),
        "order": _order_of(tx, memories),
        "summaries": [{**one, "lines": export.lines_of(tx, memories=[one["id"]], documents=())} for one in summaries],
    }
    trash.add(
        tx,
        batch=batch,
        part=part,
        **{name: len(found) for name, found in numbers.items()},
        sample=[*documents, *memories][0]["body"][:SAMPLE_CHARACTERS],
        undo=json.dumps(undo),
        lines=export.lines_of(tx, **numbers),
    )


def _order_of(tx: Transaction, rows: list[Row]) -> dict[str, Any]:
    """By UUID of each turn: the ids of those beside it, and the links of the one after it."""
    numbers, order = {row["id"] for row in rows}, {}
    for row in rows:
        turn = memories.get(tx, uuid=row["uuid"])
        if turn is not None and turn["session"] is not None:
            before, after = memories.beside_in_session(tx, turn)
            linked = None if after is None or after in numbers else kept_rows.order(tx, after, memories=numbers)
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
        trash.add(tx, batch=batch, part=part, **row)
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
        raise NotFound(f"there is no batch {batch!r} in the trash: `jotsam trash` lists them")
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
    undo = {**KEPT_BEFORE, **json.loads(row["undo"])}
    found = _valid_again(tx, _decoded(row["lines"]))
    tally = _write(tx, settings, found, undo["ids"])
    if tally.problems:
        raise InvalidInput(f"batch {batch} cannot be restored: {tally.problems[0].reason}")
    for one in undo["summaries"]:
        if kept_rows.is_without_summary(tx, one["theme"], sources=one["sources"]):
            _write(tx, settings, _decoded(one["lines"]), undo["ids"])
    kept_rows.write_orphans(tx, undo["orphans"])
    if kept_rows.write(tx, undo["kept"]):
        queue.ensure(tx, embed.job_spec(tx.tenant))
    _connect(tx, found, undo["superseded"], undo["order"])
    return tally.added


def _decoded(text: str) -> list[lines.Line]:
    return [lines.decode(line.encode()) for line in text.split("\n") if line]


def _write(tx: Transaction, settings: Settings, found: list[lines.Line], ids: dict[str, int]) -> Tally:
    """Write lines with the ids that their rows had. One that cannot be written is a problem of the tally."""
    tally = Tally("")
    rows = Rows(settings, tally, reprocess=False, ids=ids)
    rows.write(tx, [*enumerate(found, 1)])
    rows.commit()
    if not tally.problems:
        rows.finish(tx)
        rows.commit()
    return tally


def _valid_again(tx: Transaction, found: list[lines.Line]) -> list[lines.Line]:
    """The lines, of which those that a caller superseded by something that is forgotten by now are valid again.

    What was merged into something that is forgotten by now is not archived.
    """
    own = {line.id for line in found if isinstance(line, lines.DocumentLine | lines.MemoryLine)}
    others = [line for line in found if isinstance(line, lines.SupersededLine) and line.by not in own]
    ends = {one.by for one in others}
    stored = {uuid for kind in ("memory", "document") for uuid in exports.numbers(tx, kind, ends)}
    lost = {one.id for one in others if one.by not in stored and one.of != ARCHIVED}
    parted = {one.id for one in others if one.by not in stored and one.of == ARCHIVED}
    chunks = {(one.id, one.superseded_at) for one in found if isinstance(one, lines.DocumentLine) and one.id in lost}

    def valid(line: lines.Line) -> lines.Line:
        if isinstance(line, lines.DocumentLine) and line.id in lost:
            return lines.changed(line, superseded_at=None)
        if not isinstance(line, lines.MemoryLine):
            return line
        stated = [
            lines.changed(one, superseded_at=None, superseded_how=None)
            if one.id in lost and one.superseded_how == fact_validity.HAND
            else one
            for one in line.facts
        ]
        is_lost = line.id in lost or (line.document, line.superseded_at) in chunks
        at = None if is_lost and line.superseded_how is None else line.superseded_at
        archived_at = None if line.id in parted else line.archived_at
        return lines.changed(line, superseded_at=at, archived_at=archived_at, facts=stated)

    return [valid(line) for line in found] if lost or parted else found


def _connect(tx: Transaction, found: list[lines.Line], superseded: list[Row], order: dict[str, Any]) -> None:
    """Supersede what they superseded, and give turns and versions of a source their places."""
    numbers = exports.numbers(tx, "memory", (line.id for line in found if isinstance(line, lines.MemoryLine)))
    whole = exports.numbers(tx, "document", (line.id for line in found if isinstance(line, lines.DocumentLine)))
    tx.lock(f"facts {tx.tenant}")
    touched = {*numbers.values()}
    followers = {line.target: line.source for line in found if isinstance(line, lines.LinkLine) and _is_order(line)}
    for one in superseded:
        by = (whole if one["kind"] == "document" else numbers).get(one["by_id"])
        number = trash.supersede(tx, one["kind"], id=one["id"], by=by, at=one["at"]) if by else None
        if by and number and one["kind"] == "document":
            memories.supersede_chunks(tx, document=number, by=by, at=one["at"])
            update_replaced_by_document(tx, number)
        elif number:
            touched.add(number)
    for line in found:
        if isinstance(line, lines.DocumentLine) and line.chunked_at is not None and line.id in whole:
            project = projects.of_row(tx, line.project, line.joined_from)["project"]
            _order_versions(tx, project, line.source, whole[line.id])
        elif isinstance(line, lines.MemoryLine) and line.enriched_at is not None and line.session is not None:
            _order_turns(tx, line.id, order.get(line.id), numbers.values(), followers.get(line.id))
    for number in sorted(touched):
        fact_validity.update_validity(tx, facts.keys(tx, number=number), number=number)
        update_memories(tx, changes.replaced(tx, number))
    for line in found:
        if isinstance(line, lines.MemoryLine) and line.enriched_at is not None:
            _find_changes(tx, line.id)


def _is_order(line: lines.LinkLine) -> bool:
    """Whether it leads from a turn to the one before it."""
    return line.type == ingest.PRECEDED_BY and line.weight == 1 and line.extractor is not None


def _order_versions(tx: Transaction, project: str | None, source: str | None, number: int) -> None:
    if source is None:
        return
    documents.lock_source(tx, project=project, source=source)
    if 1 not in documents.adjacent(tx, project=project, source=source, number=number):
        erasure.restore_source(tx, document=number)
    ingest.supersede_versions(tx, project=project, source=source, number=number)
    update_replaced_by_document(tx, number)


def _order_turns(
    tx: Transaction, uuid: str, order: dict[str, Any] | None, restored: Iterable[int], follower: str | None
) -> None:
    """`follower` is the turn that came after this one when it was forgotten."""
    turn = memories.get(tx, uuid=uuid)
    if turn is None:  # It was forgotten for good.
        return
    before, after = memories.session_neighbours(tx, turn)
    if order is None or order["beside"] != [before, after]:  # Others have come or gone.
        links.link_to_earlier(tx, turn)
        follows = memories.get(tx, uuid=follower) if follower is not None else None
        if follows is not None and follows["id"] != after:  # Its link to this turn was restored too.
            links.link_to_earlier(tx, follows)
    elif after is not None and order["links"] is not None:
        kept_rows.write_order(tx, after, order["links"], memories=restored)


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
