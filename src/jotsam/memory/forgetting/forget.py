"""Forgetting: removes memories and documents with all that was made of them, or everything that a tenant has.

A plan shows what goes before anything is changed. It is carried out in transactions of whole memories and documents: an
interruption leaves none half forgotten, and the same plan can be carried out again.

Which crystals are forgotten with memories, so that a text that was forgotten is nowhere left.
"""

from __future__ import annotations

import json
from itertools import chain

from jotsam.core import own_files
from jotsam.core.errors import InvalidInput
from jotsam.core.names import COMMAND, EVERY_QUEUE
from jotsam.core.selection import Selection
from jotsam.ingest import capture, spool
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import storable_text
from jotsam.memory.forgetting.forget_records import ForgetPlan, ForgetReceipt, ForgetSample
from jotsam.memory.reading.selection import resolve
from jotsam.pipeline.lifecycle.triage import is_quoted
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure, tombstones
from jotsam.storage.forgetting.erasure import Doomed
from jotsam.storage.graph import facts
from jotsam.storage.lifecycle import crystals
from jotsam.storage.memories import (
    allowed_secrets,
    archive,
    blocks,
    changes,
    documents,
    memories,
    notes,
    projects,
    selection,
)
from jotsam.storage.recall import search
from jotsam.storage.transfer import table_copy
from jotsam.worker.enrichment import fact_validity
from jotsam.worker.enrichment.changes import update_memories, update_replaced_by_document
from jotsam.worker.enrichment.notes import relate_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction

    Keep = Callable[[Transaction, list[Row], list[Row]], None]

PAGE = 500  # memories that one transaction removes, unless one document has more
SAMPLES = 5
MAX_BLOCKS = 10_000
# A shorter text counts as part of a queued command only if it is all of an argument.
MIN_PART = 40
CRYSTALS_PAGE = 500


def plan(
    database: Database, settings: Settings, wanted: Selection, *, among: tuple[str, ...] | None = None
) -> ForgetPlan:
    """What a selection would remove; with `among`, of these ids only. Turns in the spool are stored first.

    Raises `NotFound`, and `InvalidInput` for a selection without a condition.
    """
    if wanted == Selection() and among is None:
        raise InvalidInput("nothing is selected: give ids, a source, a tag or another condition")
    if among is not None:
        if not among:
            return ForgetPlan()
        wanted = wanted.replace(ids=among)
    capture.empty_spool(database, settings)
    with database.snapshot(tenant=settings.tenant) as tx:
        chosen = resolve(tx, wanted)
        whole = [row["id"] for page in _document_pages(tx, chosen) for row in page]
        single = [row for page in _memory_pages(tx, chosen) for row in erasure.listed(tx, memories=page)]
        gone = [row["id"] for row in single] + [
            one for ids in _pages(whole) for one in erasure.chunks(tx, documents=ids)
        ]
        single += erasure.listed(tx, memories=crystals_without(tx, gone))
        return _planned(tx, single, set(whole)).replace(blocks=_blocks_of(tx, wanted))


def _blocks_of(tx: Transaction, wanted: Selection) -> tuple[str, ...]:
    """The blocks of the selected project or actor; of any other selection none."""
    if wanted.replace(project=None, actor=None) != Selection():
        return ()
    found = blocks.every(tx, project=projects.asked(tx, wanted.project), actor=wanted.actor, limit=MAX_BLOCKS)
    return tuple(block.id for block in found)


def _document_pages(tx: Transaction, chosen: selection.Chosen) -> Iterator[list[Row]]:
    after = 0
    while page := selection.documents(tx, chosen, after=after, limit=PAGE):
        yield page
        after = page[-1]["id"]


def _memory_pages(tx: Transaction, chosen: selection.Chosen) -> Iterator[list[int]]:
    after = 0
    while page := selection.memories(tx, chosen, after=after, limit=PAGE):
        yield page
        after = page[-1]


def _planned(tx: Transaction, single: list[Row], whole: set[int]) -> ForgetPlan:
    """The plan for some memories, and for documents with all their chunks."""
    by_document: dict[int, int] = {}
    for row in single:
        if row["document_id"] is not None and row["cut_at"] is not None:
            by_document[row["document_id"]] = by_document.get(row["document_id"], 0) + 1
    sizes = {n: row for ids in _pages(by_document) for n, row in erasure.document_sizes(tx, documents=ids).items()}
    whole |= {number for number, row in sizes.items() if row["chunks"] == by_document[number]}
    others = [row for row in single if row["document_id"] not in whole]
    kept = [row for row in others if row["document_id"] is None or row["cut_at"] is not None]
    found = ForgetPlan(memories=tuple(row["uuid"] for row in kept), skipped=len(others) - len(kept))
    samples = [ForgetSample(id=r["uuid"], kind="memory", text=r["text"], source=r["source"]) for r in kept[:SAMPLES]]
    for ids in _pages(whole):
        listed = erasure.document_sizes(tx, documents=ids).values()
        chunks = erasure.chunks(tx, documents=ids)
        found = found.replace(
            documents=(*found.documents, *(row["uuid"] for row in listed)),
            chunks=found.chunks + len(chunks),
            characters=found.characters + sum(len(row["body"]) for row in listed if not row["chunks"]),
        )
        samples += [
            ForgetSample(id=r["uuid"], kind="document", text=r["text"], source=r["source"]) for r in [*listed][:SAMPLES]
        ]
        found = _counted(tx, found, chunks)
    return _counted(tx, found, [row["id"] for row in kept]).replace(samples=tuple(samples[:SAMPLES]))


def _counted(tx: Transaction, found: ForgetPlan, numbers: list[int]) -> ForgetPlan:
    for ids in _pages(numbers):
        more = erasure.counts(tx, memories=ids)
        found = found.replace(**{name: getattr(found, name) + int(value) for name, value in more.items()})
    return found


def _pages(numbers: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(numbers)
    for begin in range(0, len(ordered), PAGE):
        yield ordered[begin : begin + PAGE]


def carry_out(
    database: Database,
    settings: Settings,
    plan: ForgetPlan,
    *,
    never_again: bool = False,
    keep: Keep | None = None,
    last: Collection[str] = (),
) -> ForgetReceipt:
    """Forget what a plan lists, those of `last` after all others. What does not exist any longer is skipped.

    `keep` is called in each transaction, before its rows are deleted, with the rows of memories and of documents.
    """
    done = ForgetReceipt()
    if plan.blocks and not keep:  # The trash keeps no blocks.
        with database.transaction(tenant=settings.tenant) as tx:
            texts = blocks.forget(tx, plan.blocks)
            projects.forget_empty(tx)
            done = done.replace(blocks=len(texts))
            if never_again:
                done = done.replace(refused=tombstones.save(tx, [(tombstones.TEXT, text) for text in texts]))
    batches = [one for some in _ordered(plan, last) for one in _batches(database, settings.tenant, some)]
    for number, (single, whole) in enumerate(batches, 1):
        with database.transaction(tenant=settings.tenant) as tx:
            removal = _Removal(tx, single, whole)
            if keep:
                keep(tx, *removal.rows())
            done = removal.run(done)
            if never_again:
                done = done.replace(refused=done.refused + tombstones.save(tx, removal.names()))
            if number == len(batches):
                if not keep:
                    projects.forget_empty(tx)
                erasure.remove_traces(tx)
        done = done.replace(spooled=done.spooled + _remove_spooled(database.url, removal.texts))
    return done.replace(erased=database.erase())


def _ordered(plan: ForgetPlan, last: Collection[str]) -> Iterator[ForgetPlan]:
    for is_last in (False, True) if last else (False,):
        memories, documents = (
            tuple(uuid for uuid in uuids if (uuid in last) == is_last) for uuids in (plan.memories, plan.documents)
        )
        yield plan.replace(memories=memories, documents=documents)


def _batches(database: Database, tenant: str, plan: ForgetPlan) -> Iterator[tuple[list[int], list[int]]]:
    """Ids of memories and of documents that one transaction removes: always all chunks of a document."""
    for begin in range(0, len(plan.documents), PAGE):
        with database.snapshot(tenant=tenant) as tx:
            _, numbers = erasure.numbers(tx, memories=(), documents=plan.documents[begin : begin + PAGE])
            sizes = erasure.document_sizes(tx, documents=numbers)
        batch, size = [], 0
        for number in numbers:
            batch.append(number)
            size += 1 + sizes[number]["chunks"]
            if size >= PAGE:
                yield [], batch
                batch, size = [], 0
        if batch:
            yield [], batch
    for begin in range(0, len(plan.memories), PAGE):
        with database.snapshot(tenant=tenant) as tx:
            numbers, _ = erasure.numbers(tx, memories=plan.memories[begin : begin + PAGE], documents=())
        if numbers:
            yield numbers, []


class _Removal:
    """The removal of some memories and documents in one transaction."""

    def __init__(self, tx: Transaction, single: list[int], whole: list[int]) -> None:
        self._tx = tx
        chunks = erasure.chunks(tx, documents=whole)
        rows = erasure.lock(tx, memories={*single, *chunks}, documents=whole)
        self._whole = set(whole)
        self._sizes = erasure.document_sizes(tx, documents=self._whole | _documents_of(rows))
        tx.lock(f"facts {tx.tenant}")  # After the rows: a job that saves results takes them in this order too.
        selected: dict[int, list[Row]] = {}
        for row in rows:
            selected.setdefault(row["document_id"] or 0, []).append(row)
        for number, some in selected.items():
            if number and self._sizes[number]["cut_at"] is not None and self._sizes[number]["chunks"] == len(some):
                self._whole.add(number)
        self._partial = {number: some for number, some in selected.items() if number and number not in self._whole}
        unfinished = {number for number in self._partial if self._sizes[number]["cut_at"] is None}
        self._rows = [row for row in rows if row["document_id"] not in unfinished]
        self._skipped = len(rows) - len(self._rows)
        self._partial = {number: some for number, some in self._partial.items() if number not in unfinished}
        self._doomed = Doomed.of(memories=[row["id"] for row in self._rows], documents=self._whole)
        whole_rows = [self._sizes[number] for number in sorted(self._whole)]
        self.texts = {str(row["body"]).strip() for row in (*self._rows, *whole_rows)}

    def names(self) -> Iterator[tuple[str, str | None]]:
        """What is refused from now on if they are forgotten for good."""
        for row in chain(*self.rows()):
            yield tombstones.TEXT, row["body"]
            yield tombstones.KEY, row["key"]
            yield tombstones.EXTERNAL_ID, row.get("external_id")

    def rows(self) -> tuple[list[Row], list[Row]]:
        """The memories and the documents that are removed."""
        return self._rows, [self._sizes[number] for number in sorted(self._whole)]

    def run(self, done: ForgetReceipt) -> ForgetReceipt:
        """Remove them. Returns the receipt with what was removed."""
        tx = self._tx
        for number, some in self._partial.items():
            document = self._sizes[number]
            for row in some:
                document = {**document, "body": erasure.remove_lines(tx, document, row)}
            erasure.set_body(tx, document=number, body=document["body"])
        older = self._older_versions()
        ended = erasure.superseded(tx, self._doomed)
        parted = archive.unarchive_merged(tx, self._doomed.memories)
        jobs = [row["job_id"] for row in self._rows] + [self._sizes[number]["job_id"] for number in self._whole]
        removed = queue.forget_jobs(tx, jobs) + _forget_commands(tx, self.texts)
        erasure.forget_summaries(tx, self._doomed.memories)
        notes.lock(tx)
        released = notes.release(tx, (row["id"] for row in self._rows))
        entities, unused = erasure.delete(tx, self._doomed)
        relate_all(tx, released)
        revived = [*revive(tx, *ended), *revive_versions(tx, older), *parted]
        return done.replace(
            memories=done.memories + len(self._rows),
            documents=done.documents + len(self._whole),
            entities=done.entities + entities,
            patterns=done.patterns + unused,
            jobs=done.jobs + removed,
            skipped=done.skipped + self._skipped,
            revived=(*done.revived, *revived),
        )

    def _older_versions(self) -> dict[int, Row]:
        """The documents that stay of which the next version of the source goes, by id."""
        older: dict[int, Row] = {}
        for number in sorted(self._whole):
            row = self._sizes[number]
            if row["source"] is not None:
                documents.lock_source(self._tx, project=row["project"], source=row["source"])
                texts = documents.adjacent(self._tx, project=row["project"], source=row["source"], number=number)
                before = texts.get(-1)
                if before is not None and before["id"] not in self._whole:
                    older[before["id"]] = row
        return older


def remove(tx: Transaction, numbers: list[int], keep: Keep) -> int:
    """Forget memories in a transaction of the caller. Returns how many there were."""
    removal = _Removal(tx, numbers, [])
    rows, documents = removal.rows()
    if rows:
        keep(tx, rows, documents)
        removal.run(ForgetReceipt())
    return len(rows)


def _documents_of(rows: Iterable[Row]) -> set[int]:
    return {row["document_id"] for row in rows if row["document_id"] is not None}


def revive(tx: Transaction, superseded: list[Row], texts: list[Row], stating: list[int]) -> Iterator[str]:
    """Make valid again what the forgotten ones superseded, unless something else supersedes it. Yields UUIDs."""
    computed = (fact_validity.FACTS, fact_validity.CHANGE)
    by_facts = {row["id"]: row["uuid"] for row in superseded if row["superseded_how"] in computed}
    by_hand = {row["id"]: row["uuid"] for row in superseded if row["id"] not in by_facts}
    for number, uuid in by_hand.items():
        memories.restore(tx, number=number)
        update_memories(tx, changes.replaced(tx, number))
        yield uuid
    for row in texts:
        memories.restore_chunks(tx, document=row["id"], at=row["superseded_at"])
        documents.restore(tx, number=row["id"])
        update_replaced_by_document(tx, row["id"])
        yield row["uuid"]
    for number in sorted({*stating, *by_facts, *by_hand}):
        fact_validity.update_validity(tx, facts.keys(tx, number=number), number=number)
    for number, uuid in by_facts.items():
        state = facts.memory_state(tx, number=number)
        if state is not None and state["superseded_at"] is None:
            yield uuid


def revive_versions(tx: Transaction, older: dict[int, Row]) -> Iterator[str]:
    """Supersede earlier versions of a source by the next one that is left, or make them valid again. Yields UUIDs."""
    for number, row in older.items():
        texts = documents.adjacent(tx, project=row["project"], source=row["source"], number=number)
        new = texts.get(1)
        if new is None:
            yield from erasure.restore_source(tx, document=number)
        else:
            old = texts[0]
            at = new["date"] if new["date"] >= old["date"] else new["created_at"]
            memories.supersede_source(tx, document=number, by=new["id"], at=min(at, tx.now))
        update_replaced_by_document(tx, number)


def _forget_commands(tx: Transaction, texts: set[str]) -> int:
    """Remove queued commands with one of the texts, and kept results with one. Returns the number of commands."""
    payloads, results = queue.kept_texts(tx, COMMAND, tenant=tx.tenant)
    queue.forget_results(tx, [row["id"] for row in results if _has_text(row["json"], texts)])
    return queue.forget_jobs(tx, [row["id"] for row in payloads if _has_text(row["json"], texts)])


def _has_text(data: str, texts: set[str]) -> bool:
    try:
        found = [*_strings(json.loads(data))]
    except (ValueError, RecursionError):
        found = [data]
    parts = [text for text in texts if len(text) >= MIN_PART]
    return any(text.strip() in texts or any(part in text for part in parts) for text in found)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _remove_spooled(url: str, texts: set[str]) -> int:
    """Delete the spooled turns with one of the texts. Returns how many."""
    removed = 0
    for path in (*spool.waiting(url), *spool.damaged(url)):
        try:
            with own_files.open_to_read(path, beside=url) as file:
                data = file.read().decode("utf-8", "replace")
        except OSError:
            continue  # Another process has accepted it.
        if _has_text(data, texts):
            spool.remove(path)
            removed += 1
    return removed


def allow_again(tx: Transaction, text: str) -> int:
    """Remove the tombstones of a text, key or external id. Returns how many there were."""
    stored = Redactor(lambda: allowed_secrets.fingerprints(tx)).redact_text(storable_text(text)[0])
    kinds = (tombstones.TEXT, tombstones.KEY, tombstones.EXTERNAL_ID)
    return tombstones.remove(tx, [(kind, stored) for kind in kinds])


def tenant(database: Database, settings: Settings) -> bool:
    """Delete everything the tenant has. Returns whether the bytes are gone, as `ForgetReceipt.erased`."""
    from jotsam.worker import mirror  # Slow to import, and needed only here.

    capture.empty_spool(database, settings)
    with database.transaction(tenant=settings.tenant) as tx:
        search.unindex_many(tx, memories.ids(tx) + [-number for number in documents.ids(tx)])
        for name in EVERY_QUEUE:
            queue.forget_tenant(tx, name, tenant=tx.tenant)
        table_copy.remove_tenant(tx)
        search.forget_tenant(tx)
        mirror.forget_tenant(tx)
        erasure.remove_traces(tx)
    return database.erase()


def crystals_without(tx: Transaction, numbers: Collection[int]) -> list[int]:
    """Of the crystals that are made of these memories: those that quote one, and those that have no other source.

    The next run of the step makes a crystal again of what is left, if enough sessions still say it.
    """
    gone, texts = {*numbers}, dict[int, str]()
    sources: dict[int, dict[int, str]] = {}
    ordered = sorted(gone)
    for begin in range(0, len(ordered), CRYSTALS_PAGE):
        for row in crystals.made_of(tx, ordered[begin : begin + CRYSTALS_PAGE]):
            texts[row["crystal_id"]] = row["crystal"]
            sources.setdefault(row["crystal_id"], {})[row["id"]] = row["body"]
    found = []
    for crystal, text in texts.items():
        forgotten = sources[crystal].keys() & gone
        quotes = any(is_quoted(text, sources[crystal][number]) for number in forgotten)
        if crystal not in gone and (quotes or forgotten == sources[crystal].keys()):
            found.append(crystal)
    return sorted(found)
