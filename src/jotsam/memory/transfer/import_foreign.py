"""Imports memories of another program: each item once, by a key of its own. They are enriched like any memory."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Memory
from jotsam.engines.addresses import ca_file
from jotsam.ingest import accept, start_worker
from jotsam.ingest.memory_formats.items import Item, ItemLink, Progress, Rejected
from jotsam.memory.transfer.import_tally import Tally
from jotsam.memory.transfer.import_vectors import ImportedVectors
from jotsam.memory.writing.associate import associate_in
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories
from jotsam.storage.transfer import exports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.transfer.import_export import Told
    from jotsam.memory.transfer.import_tally import MemoryImport
    from jotsam.storage.database import Database, Row, Transaction

READERS = {
    "automem": "automem",
    "server-memory": "server_memory",
    "basic-memory": "basic_memory",
    "mem0": "mem0",
    "claude-mem": "claude_mem",
    "falkordb": "falkordb_graph",
    "qdrant": "qdrant_collection",
}
# Formats that are read from a server, and the setting with its password.
SERVERS = {"falkordb": "falkordb_password", "qdrant": "qdrant_api_key"}
BATCH = 200


def import_foreign(
    database: Database,
    settings: Settings,
    path: str,
    format: str,
    *,
    project: str | None,
    dry_run: bool,
    tell: Told | None = None,
) -> MemoryImport:
    """Import a file, folder or server of a format in `READERS`. Raises `InvalidInput` if it cannot be read as such.

    `tell` is called with the address of a server, the memories that were read, and how many there are.
    """
    reader = import_module(f"jotsam.ingest.memory_formats.{READERS[format]}")
    tally = Tally(path)
    vectors = ImportedVectors(database, settings)
    writer = _Writer(settings, tally, project=project, vectors=vectors)
    links: list[ItemLink] = []
    access: dict[str, str | None] = {}
    if format in SERVERS:
        access = {"password": getattr(settings, SERVERS[format]) or None, "ca_file": ca_file(path, settings)}
    for batch in _batches(_told(reader.read_items(path, **access), path, tell), links, tally):
        if not dry_run:
            vectors.check(batch)
        if dry_run:
            try:
                with database.transaction(durable=False) as tx:
                    writer.items(tx, batch)
                    raise _RolledBack
            except _RolledBack:
                pass
        else:
            start_worker.commit(database, partial(_write_items, writer, batch), worker=settings.worker)
        writer.count()
    for start in range(0, 0 if dry_run else len(links), BATCH):
        some = links[start : start + BATCH]
        start_worker.commit(database, partial(_write_links, writer, some), worker=settings.worker)
        writer.count()
    if not (tally.added or tally.duplicates or tally.forgotten or tally.invalid):
        tally.reject(None, f"it has no memories of {format}")
    return tally.result(format, dry_run=dry_run)


class _Writer:
    """Writes items and links. Outcomes are counted after the commit, because a transaction may be tried again."""

    def __init__(self, settings: Settings, tally: Tally, *, project: str | None, vectors: ImportedVectors) -> None:
        self._settings, self._tally, self._project, self._vectors = settings, tally, project, vectors
        self._outcomes: list[tuple[str, str | None]] = []

    def items(self, tx: Transaction, batch: Iterable[Item]) -> None:
        self._outcomes = []
        tx.set_tenant(self._settings.tenant)
        tx.lock(f"import {tx.tenant}")
        stored: list[tuple[Item, str]] = []
        for item in batch:
            memory = item.memory.replace(tenant=tx.tenant, project=self._project_of(item.memory))
            cap, attempts = self._settings.soft_cap, self._settings.enrich_attempts
            try:
                receipt = accept.remember(tx, memory, key=item.key, soft_cap=cap, attempts=attempts)
            except InvalidInput as error:
                self._outcomes.append(("reject", f"{memory.text[:60]!r}: {error}"))
            else:
                outcome = "forget" if receipt.forgotten else "repeat" if receipt.duplicate else "add"
                self._outcomes.append((outcome, "memory"))
                if item.vector is not None and not receipt.forgotten:
                    stored.append((item, receipt.id))
        if stored:
            out = self._vectors.save(tx, stored)
            self._outcomes += [("skip", "vectors that the configured embedder did not make")] * out

    def links(self, tx: Transaction, batch: Iterable[ItemLink]) -> None:
        self._outcomes = []
        tx.set_tenant(self._settings.tenant)
        for one in batch:
            ends = [memories.find_duplicate(tx, Memory(text="", tenant=tx.tenant), key=key) for key in _ends(one)]
            source, target = ends
            if source is None or target is None or source["id"] == target["id"]:
                self._outcomes.append(("skip", "links of memories that are not stored"))
                continue
            known = {(row["type"], row["target"]) for row in exports.links(tx, [source["id"]])}
            if (one.type, target["uuid"]) in known:
                self._outcomes.append(("repeat", "link"))
            else:
                self._outcomes.append(_created(tx, one, source, target))

    def count(self) -> None:
        for outcome, what in self._outcomes:
            if outcome == "reject":
                self._tally.reject(None, str(what))
            else:
                getattr(self._tally, outcome)(what)
        self._outcomes = []

    def _project_of(self, memory: Memory) -> str | None:
        return self._project or memory.project or self._settings.project or None


def _created(tx: Transaction, one: ItemLink, source: Row, target: Row) -> tuple[str, str]:
    """Create a link, or return why it was not created."""
    if one.properties is None:
        graph.link(tx, source=source["id"], target=target["id"], type=one.type, weight=one.weight)
        return "add", "link"
    item = {"source": source["uuid"], "target": target["uuid"], "type": one.type, "weight": one.weight}
    try:
        associate_in(tx, {**item, "properties": one.properties} if one.properties else item)
    except InvalidInput as error:
        return "reject", f"link {one.source} {one.type} {one.target}: {error}"
    return "add", "link"


def _write_items(writer: _Writer, batch: list[Item], tx: Transaction) -> None:
    writer.items(tx, batch)


def _write_links(writer: _Writer, batch: list[ItemLink], tx: Transaction) -> None:
    writer.links(tx, batch)


class _RolledBack(Exception):
    """Rolls back the transaction of a dry run."""


def _ends(link: ItemLink) -> tuple[str, str]:
    return link.source, link.target


def _told(
    found: Iterable[Item | ItemLink | Progress | Rejected], path: str, tell: Told | None
) -> Iterator[Item | ItemLink | Rejected]:
    for one in found:
        if not isinstance(one, Progress):
            yield one
        elif tell is not None:
            tell(path, one.done, one.total)


def _batches(found: Iterable[Item | ItemLink | Rejected], links: list[ItemLink], tally: Tally) -> Iterator[list[Item]]:
    """Batches of items. Links are collected: both their ends must be stored first."""
    batch: list[Item] = []
    for one in found:
        if isinstance(one, ItemLink):
            links.append(one)
        elif isinstance(one, Rejected):
            tally.reject(one.line, one.reason)
        else:
            batch.append(one)
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
