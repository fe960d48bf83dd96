"""Writes the lines of an export as rows, a batch per transaction. Secrets are redacted as when a text is accepted."""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput
from jotsam.core.names import ENRICH
from jotsam.core.records import Document, Memory
from jotsam.ingest import accept
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import storable_text
from jotsam.memory.transfer import export_format as lines
from jotsam.memory.transfer.import_blocks import import_block
from jotsam.memory.transfer.import_items import import_items
from jotsam.memory.transfer.import_left_out import Forgotten, document_conflict, memory_conflict
from jotsam.memory.transfer.import_notes import add_notes
from jotsam.pipeline.redaction.redact import may_hold_secrets
from jotsam.pipeline.statements.find_changes import find_changes
from jotsam.pipeline.statements.search_words import keys_of_change
from jotsam.storage import queue
from jotsam.storage.graph import facts
from jotsam.storage.memories import allowed_secrets, documents, memories, projects
from jotsam.storage.metadata_index import hashes
from jotsam.storage.recall import summaries, vectors
from jotsam.storage.transfer import exports
from jotsam.worker.enrichment import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from jotsam.core.settings import Settings
    from jotsam.memory.transfer.import_tally import Tally
    from jotsam.storage.database import Transaction, Value

    Line = TypeVar("Line")
    Numbered = tuple[int, lines.Line]
    Imported = dict[str, tuple[int, Any]]  # by UUID: the number of the line, and the line
    Cleaned = dict[str, tuple[int, Any, "_LineRedactor"]]  # and what redacted it

NO_JOB = -1  # Its job was done elsewhere. Not 0, under which the ledger has questions.

_IN_PROJECT = lines.fields(lines.ProjectLine)
_IN_DOCUMENT = lines.fields(lines.DocumentLine, but=lines.NOT_IN_DOCUMENT)
_IN_MEMORY = lines.fields(lines.MemoryLine, but=(*lines.NOT_IN_MEMORY, "document"))
_IN_VERSION = lines.fields(lines.EarlierVersion, but=("text", "tags", "metadata"))
_IN_FACT = lines.fields(lines.ExportedFact, but=("id", "free"))


class Rows:
    """Writes batches of one import. What a batch counts is added to the tally after its commit."""

    def __init__(self, settings: Settings, tally: Tally, *, reprocess: bool) -> None:
        self._settings, self._tally, self._reprocess = settings, tally, reprocess
        self._outcomes: list[tuple[str, tuple[Any, ...]]] = []
        self._forgotten = Forgotten()

    def write(self, tx: Transaction, batch: Sequence[Numbered]) -> None:
        """Write lines of all kinds. Kinds that others refer to come first."""
        self._outcomes = []  # The transaction may be tried again.
        tx.set_tenant(self._settings.tenant)
        tx.lock(f"import {self._settings.tenant}")
        steps: tuple[tuple[type, Callable[[Transaction, list[Any]], None]], ...] = (
            (lines.AllowedSecretLine, self._allowed_secrets),
            (lines.ProjectLine, self._projects),
            (lines.BlockLine, self._blocks),
            (lines.ItemLine, self._items),
            (lines.EntityLine, self._entities),
            (lines.PatternLine, self._patterns),
            (lines.DocumentLine, self._documents),
            (lines.MemoryLine, self._memories),
            (lines.MergeLine, self._merges),
            (lines.LinkLine, self._links),
            (lines.NoteLine, self._notes),
            (lines.SupersededLine, self._superseded),
        )
        for kind, write in steps:
            if own := [(number, line) for number, line in batch if isinstance(line, kind)]:
                write(tx, own)

    def finish(self, tx: Transaction) -> None:
        """After the last batch: do what the lines that were forgotten for good leave to do."""
        self._outcomes = []
        tx.set_tenant(self._settings.tenant)
        self._forgotten.finish(tx, self._note)

    def count(self, tx: Transaction, batch: Sequence[Numbered]) -> None:
        """Count what `write` would add. Lines that refer to others count as new."""
        self._outcomes = []
        for name, kind, clean in _TEXTS:
            own = [(number, line) for number, line in batch if isinstance(line, kind)]
            self._note("add", name, len(self._wanted(tx, name, own, clean)))

    def commit(self) -> None:
        """Count the outcomes of the last batch, which is committed."""
        for name, arguments in self._outcomes:
            getattr(self._tally, name)(*arguments)
        self._outcomes = []

    def _note(self, outcome: str, *arguments: Any) -> None:
        self._outcomes.append((outcome, arguments))

    def _allowed_secrets(self, tx: Transaction, own: list[tuple[int, lines.AllowedSecretLine]]) -> None:
        known = allowed_secrets.fingerprints(tx)
        new = {line.fingerprint: line for _, line in own if line.fingerprint not in known}
        same = ("fingerprint", "reason", "created_at")
        exports.add(tx, "allowed_secret", [_values(line, same) for line in new.values()])
        self._count("allowed_secret", len(own), len(new))

    def _projects(self, tx: Transaction, own: list[tuple[int, lines.ProjectLine]]) -> None:
        known = projects.every(tx)
        for _, line in own:
            projects.restore(tx, **_values(line, _IN_PROJECT))  # type: ignore[arg-type]  # The names are the same.
        self._count("project", len(own), sum(line.key not in known for _, line in own))

    def _blocks(self, tx: Transaction, own: list[tuple[int, lines.BlockLine]]) -> None:
        for number, line in own:
            self._note(*import_block(tx, line, number))

    def _items(self, tx: Transaction, own: list[tuple[int, lines.ItemLine]]) -> None:
        for outcome in import_items(tx, own, self._settings):
            self._note(*outcome)

    def _entities(self, tx: Transaction, own: list[tuple[int, lines.EntityLine]]) -> None:
        known = exports.named(tx, "entity", {(line.category, line.slug) for _, line in own})
        new = {(line.category, line.slug): line for _, line in own if (line.category, line.slug) not in known}
        redactor = self._redactor(tx)
        rows: list[dict[str, Value]] = [
            {"category": one.category, "slug": one.slug, "name": redactor.short(one.name)} for one in new.values()
        ]
        exports.add(tx, "entity", rows)
        self._count("entity", len(own), len(new))

    def _merges(self, tx: Transaction, own: list[tuple[int, lines.MergeLine]]) -> None:
        names = {(one.category, one.slug) for _, one in own} | {(one.into_category, one.into_slug) for _, one in own}
        known = exports.named(tx, "entity", names)
        for number, one in own:
            id, into = known.get((one.category, one.slug)), known.get((one.into_category, one.into_slug))
            if id is None or into is None:
                self._note("reject", number, f"entity {one.category}:{one.slug} or its target is missing in the file")
            else:
                exports.merge(tx, id=id, into=into)

    def _patterns(self, tx: Transaction, own: list[tuple[int, lines.PatternLine]]) -> None:
        known = exports.named(tx, "pattern", {(line.type, line.slug) for _, line in own})
        new = {(line.type, line.slug): line for _, line in own if (line.type, line.slug) not in known}
        same = ("type", "slug", "terms", "created_at")
        rows = [_values(line, same) for line in new.values()]
        exports.add(tx, "pattern", rows)
        self._count("pattern", len(own), len(new))

    def _documents(self, tx: Transaction, own: list[tuple[int, lines.DocumentLine]]) -> None:
        cleaned = self._wanted(tx, "document", own, _clean_document)
        same = {uuid: line for uuid, (_, line, _) in cleaned.items()}
        rows: list[dict[str, Value]] = [
            {
                **_values(line, _IN_DOCUMENT),
                **projects.of_row(tx, line.project, line.joined_from),
                "uuid": uuid,
                "body": line.text,
                "cut_at": line.chunked_at,
                "job_id": NO_JOB,
            }
            for uuid, line in same.items()
        ]
        self._add(tx, "document", rows)
        numbers = exports.numbers(tx, "document", same)
        words, redactions = [], []
        for uuid, (number, line, redactor) in cleaned.items():
            if uuid not in numbers:
                self._note("reject", number, document_conflict(tx, id=line.id, key=line.key))
                continue
            self._note("add", "document")
            redactions += _redactions(redactor, line, document=numbers[uuid])
            if line.chunked_at is None:
                sent = queue.send(tx, accept.ingest_job(uuid, tenant=tx.tenant))
                documents.set_ingest_job(tx, number=numbers[uuid], job_id=sent.id)
                item = Document(text=line.text, project=line.project, source=line.source, actor=line.actor)
                words.append(_index_row(-numbers[uuid], item))
        exports.index(tx, words)
        exports.add(tx, "redaction", redactions)

    def _memories(self, tx: Transaction, own: list[tuple[int, lines.MemoryLine]]) -> None:
        cleaned = self._wanted(tx, "memory", own, _clean_memory)
        self._forgotten.cut_chunks(tx)
        parents = exports.numbers(tx, "document", {one.document for _, one, _ in cleaned.values() if one.document})
        for uuid, (number, line, _) in list(cleaned.items()):
            if line.document is not None and line.document not in parents:
                self._note("reject", number, f"document {line.document} is neither in the file nor in the database")
                del cleaned[uuid]
        self._add(tx, "memory", [self._memory_row(tx, line, parents) for _, line, _ in cleaned.values()])
        numbers = exports.numbers(tx, "memory", cleaned)
        stored = {}
        for uuid, (number, line, redactor) in cleaned.items():
            if uuid in numbers:
                self._note("add", "memory")
                stored[numbers[uuid]] = (line, redactor)
            else:
                named = _values(line, ("id", "key", "external_id", "document", "position"))
                self._note("reject", number, memory_conflict(tx, **named))  # type: ignore[arg-type]  # As the line.
        self._parts(tx, stored)

    def _add(self, tx: Transaction, kind: str, rows: list[dict[str, Value]]) -> None:
        exports.add(tx, kind, rows)
        if rows:  # What was enriched before it was exported sends no job, and tenants are known by their jobs.
            queue.register_tenant(tx, queue=ENRICH, tenant=tx.tenant)

    def _memory_row(self, tx: Transaction, line: lines.MemoryLine, parents: dict[str, int]) -> dict[str, Value]:
        row = {
            **_values(line, _IN_MEMORY),
            **projects.of_row(tx, line.project, line.joined_from),
            "uuid": line.id,
            "body": line.text,
            "document_id": parents[line.document] if line.document else None,
            "metadata": lines.metadata_text(line.metadata),
            "rejected": None if line.rejected is None else json.dumps(line.rejected, ensure_ascii=False),
            "job_id": NO_JOB,
        }
        return {**row, "enriched_at": None} if self._reprocess else row

    def _parts(self, tx: Transaction, stored: dict[int, tuple[lines.MemoryLine, _LineRedactor]]) -> None:
        """What belongs to new memories: by their numbers, the lines."""
        aliases = {f"merged:{row['category']}:{row['slug']}": f"merged:{row['id']}" for row in exports.aliases(tx)}
        mentioned = {(one.category, one.slug) for line, _ in stored.values() for one in line.mentions}
        shown = {(one.type, one.slug) for line, _ in stored.values() for one in line.patterns}
        extractors = [one.extractor or "" for line, _ in stored.values() for one in line.mentions]
        merged = [extractor for extractor in extractors if extractor.startswith("merged:")]
        mentioned |= {tuple(name.split(":", 2)[1:]) for name in merged if name}  # type: ignore[misc]
        entities, patterns = exports.named(tx, "entity", mentioned), exports.named(tx, "pattern", shown)
        aliases |= {f"merged:{category}:{slug}": f"merged:{id}" for (category, slug), id in entities.items()}
        redactions = []
        rows: dict[str, list[dict[str, Value]]] = {name: [] for name in exports.OF_MEMORY}
        for number, (line, redactor) in stored.items():
            kept = lines.changed(line, versions=self._forgotten.versions(tx, line)) if line.versions else line
            for name, row in _part_rows(kept, aliases):
                rows[name].append({"memory_id": number, **row})
            for one in line.mentions:
                if (key := (one.category, one.slug)) in entities:
                    extractor = aliases.get(one.extractor or "", one.extractor)
                    same: dict[str, Value] = {"memory_id": number, "entity_id": entities[key], "extractor": extractor}
                    rows["mention"].append({**same, "confidence": one.confidence})
            for example in line.patterns:
                if (key := (example.type, example.slug)) in patterns:
                    rows["pattern_example"].append({"memory_id": number, "pattern_id": patterns[key], "at": example.at})
            redactions += _redactions(redactor, line, memory=number)
        for table, some in {**rows, "redaction": redactions}.items():
            exports.add(tx, table, some)
        texts = [(number, line) for number, (line, _) in stored.items() if line.extractor != summaries.CLUSTER]
        exports.index(tx, [_index_row(number, _indexed(line)) for number, line in texts])
        self._jobs(tx, {number: line for number, (line, _) in stored.items()})

    def _jobs(self, tx: Transaction, stored: dict[int, lines.MemoryLine]) -> None:
        """Enrich what was not enriched, and embed what has no vector."""
        made: dict[str, dict[int, bytes]] = {}
        for number, line in stored.items():
            if line.enriched_at is None or self._reprocess:
                attempts = self._settings.enrich_attempts
                sent = queue.send(tx, accept.enrich_job(line.id, tenant=tx.tenant, attempts=attempts))
                memories.set_enrich_job(tx, number=number, job_id=sent.id)
            if line.vector is not None:
                made.setdefault(line.vector.embedder, {})[number] = line.vector.data
        for name, found in made.items():
            known = vectors.embedder(tx, name)
            dimension = len(next(iter(found.values()))) // 4
            maker = vectors.begin_batch(tx, name=name, place=known.place if known else "", dimension=dimension)
            exports.want_vectors(tx, found)
            vectors.save(tx, {number: one for number, one in found.items() if len(one) == 4 * dimension}, maker=maker)
        if self._settings.has_embedder:
            wanted = [
                number
                for number, line in stored.items()
                if line.enriched_at is not None and line.vector is None and line.extractor != summaries.CLUSTER
            ]
            exports.want_vectors(tx, wanted)
            if wanted:
                queue.ensure(tx, embed.job_spec(tx.tenant))

    def _links(self, tx: Transaction, own: list[tuple[int, lines.LinkLine]]) -> None:
        ends = exports.numbers(tx, "memory", {end for _, one in own for end in (one.source, one.target)})
        found = [one for _, one in own if one.source in ends and one.target in ends]
        known = {
            (row["source"], row["type"], row["target"])
            for row in exports.links(tx, sorted({ends[one.source] for one in found}))
        }
        new = [one for one in found if (one.source, one.type, one.target) not in known]
        redactor = self._redactor(tx)
        rows: list[dict[str, Value]] = [
            {
                **_values(one, ("type", "weight", "extractor", "created_at")),
                "source_id": ends[one.source],
                "target_id": ends[one.target],
                "properties": redactor.redact_metadata(lines.metadata_text(one.properties)),
            }
            for one in new
        ]
        exports.add(tx, "link", rows)
        self._count("link", len(found), len(new))
        for _, one in own:
            self._forgotten.leave_link(one)
        self._note("skip", "links of memories that are not stored", len(own) - len(found))

    def _notes(self, tx: Transaction, own: list[tuple[int, lines.NoteLine]]) -> None:
        new, lacking, refused = add_notes(tx, own, self._redactor)
        self._count("note", len(own) - lacking - len(refused), new)
        self._note("skip", "notes of memories that are not stored", lacking)
        for number, reason in refused:
            self._note("reject", number, reason)

    def _superseded(self, tx: Transaction, own: list[tuple[int, lines.SupersededLine]]) -> None:
        for kind in exports.SUPERSEDED:
            chosen = [one for _, one in own if one.of == kind]
            targets = exports.numbers(tx, "document" if kind == "document" else "memory", {one.by for one in chosen})
            for one in chosen:
                if one.by in targets:
                    exports.supersede(tx, kind, uuid=one.id, by=targets[one.by])
                else:
                    self._forgotten.leave_superseded(one)

    def _wanted(self, tx: Transaction, kind: str, own: list[tuple[int, Any]], clean: Any) -> Cleaned:
        """The lines to store, by UUID, without secrets. Those that were forgotten for good are left out."""
        cleaned = self._cleaned(tx, self._new(tx, kind, own), clean)
        forgotten = self._forgotten.among(tx, (line for _, line, _ in cleaned.values()))
        self._note("forget", kind, len(forgotten))
        return {uuid: one for uuid, one in cleaned.items() if uuid not in forgotten}

    def _new(self, tx: Transaction, kind: str, own: Iterable[tuple[int, Any]]) -> Imported:
        """The lines that are not stored yet, by UUID."""
        listed = list(own)
        known = exports.numbers(tx, kind, [line.id for _, line in listed])
        found: Imported = {}
        for number, line in listed:
            if line.id in known or line.id in found:
                self._note("repeat", kind)
            else:
                found[line.id] = (number, line)
        return found

    def _cleaned(self, tx: Transaction, found: Imported, clean: Any) -> Cleaned:
        """The lines without secrets. Those that cannot be stored are rejected."""
        cleaned = {}
        for uuid, (number, line) in found.items():
            redactor = self._redactor(tx)
            try:
                cleaned[uuid] = (number, clean(line, redactor), redactor)
            except InvalidInput as error:
                self._note("reject", number, str(error))
        removed = sum(len(redactor.found) for _, _, redactor in cleaned.values())
        if removed:
            self._outcomes.append(("redact", (removed,)))
        return cleaned

    def _redactor(self, tx: Transaction) -> _LineRedactor:
        return _LineRedactor(lambda: allowed_secrets.fingerprints(tx))

    def _count(self, kind: str, lines: int, new: int) -> None:
        self._note("add", kind, new)
        self._note("repeat", kind, lines - new)


class _LineRedactor(Redactor):
    """Also redacts what was extracted from a text."""

    def short(self, text: str) -> str:
        return self.redact_field("extracted", text) if may_hold_secrets(text) else text

    def optional(self, text: str | None) -> str | None:
        return None if text is None else self.short(text)


def _part_rows(line: lines.MemoryLine, aliases: dict[str, str]) -> Iterator[tuple[str, dict[str, Value]]]:
    for one in line.tags:
        yield "memory_tag", {"tag": one.tag, "extractor": aliases.get(one.extractor or "", one.extractor)}
    if metadata := lines.metadata_text(line.metadata):
        for hash in hashes(metadata):
            yield "metadata_index", {"hash": hash}
    for slug in line.titles:
        yield "title", {"slug": slug}
    for date in line.dates:
        yield "date_range", {"first": date.first, "until": date.until}
    if line.terms:
        yield "pattern_terms", {"type": line.terms.type, "terms": line.terms.terms}
    for old in line.versions:
        tags = json.dumps(old.tags, ensure_ascii=False)
        json_values = {"tags": tags, "metadata": lines.metadata_text(old.metadata)}
        yield "memory_version", {**_values(old, _IN_VERSION), "body": old.text, **json_values}
    if line.recalls and line.recalled_at is not None:
        yield "recall_count", {"recalls": line.recalls, "recalled_at": line.recalled_at}
    if line.enriched_at is not None:
        at = line.created_at if line.said_at is None else line.said_at
        for word in sorted({key for one in find_changes(line.text) for key in keys_of_change(one)}):
            yield "change_word", {"word": word, "at": at}
    for fact in line.facts:
        keys = {"subject_key": facts.key(fact.subject), "object_key": facts.key(fact.object)}
        yield "fact", {**_values(fact, _IN_FACT), **keys, "uuid": fact.id}


def _clean_document(line: lines.DocumentLine, redactor: _LineRedactor) -> lines.DocumentLine:
    text = redactor.redact_text(storable_text(line.text)[0])
    same = _values(line, ("project", "source", "actor", "session"))
    item = redactor.redact_fields(Document(text=text, **same), line.key)  # type: ignore[arg-type]  # All are texts.
    return lines.changed(line, text=text, source=item.source, actor=item.actor)


def _clean_memory(line: lines.MemoryLine, redactor: _LineRedactor) -> lines.MemoryLine:
    text = redactor.redact_text(storable_text(line.text)[0])
    metadata = lines.metadata_text(line.metadata)
    named = ("project", "session", "source", "actor", "type", "external_id", "key", "section", "summary", "degraded")
    short = [getattr(line, name) or "" for name in named]
    short += [one.tag for one in line.tags] + [word for one in line.facts for word in (one.subject, one.object)]
    short += [*line.titles, *(line.rejected or ()), line.terms.terms if line.terms else "", metadata or ""]
    versions = [_clean_version(old, redactor) for old in line.versions]
    if not may_hold_secrets("\n".join(short)):
        return lines.changed(line, text=text, versions=versions)
    same = _values(line, ("project", "session", "source", "actor", "type", "external_id"))
    item = redactor.redact_fields(Memory(text=text, **same), line.key)  # type: ignore[arg-type]  # All are texts.
    return lines.changed(
        line,
        text=text,
        **{name: getattr(item, name) for name in ("source", "actor", "type")},
        section=redactor.short(line.section),
        summary=redactor.optional(line.summary),
        degraded=redactor.optional(line.degraded),
        metadata=lines.metadata_of(redactor.redact_metadata(metadata)),
        versions=versions,
        tags=[lines.changed(one, tag=redactor.short(one.tag) or "redacted") for one in line.tags],
        titles=[redactor.short(one) for one in line.titles],
        rejected=None if line.rejected is None else [redactor.short(one) for one in line.rejected],
        facts=[
            lines.changed(one, subject=redactor.short(one.subject), object=redactor.short(one.object))
            for one in line.facts
        ],
        terms=line.terms and lines.changed(line.terms, terms=redactor.short(line.terms.terms)),
    )


def _clean_version(old: lines.EarlierVersion, redactor: _LineRedactor) -> lines.EarlierVersion:
    return lines.changed(
        old,
        text=redactor.short(old.text),
        type=redactor.optional(old.type),
        tags=[redactor.short(tag) for tag in old.tags],
        metadata=lines.metadata_of(redactor.redact_metadata(lines.metadata_text(old.metadata))),
    )


_TEXTS: tuple[tuple[str, type, Any], ...] = (
    ("document", lines.DocumentLine, _clean_document),
    ("memory", lines.MemoryLine, _clean_memory),
)


def _indexed(line: lines.MemoryLine) -> Memory:
    """What the text index holds of a memory: of a chunk no tags, and none that were extracted."""
    tags = () if line.document else tuple(one.tag for one in line.tags if one.extractor is None)
    same = _values(line, ("project", "source", "section", "actor"))
    metadata = json.loads(lines.metadata_text(line.metadata) or "null")
    return Memory(text=line.text, tags=tags, metadata=metadata, **same)  # type: ignore[arg-type]  # All are texts.


def _index_row(ref: int, item: Document | Memory) -> dict[str, Value]:
    return {"ref": ref, **accept.index_fields(item)}


def _redactions(
    redactor: _LineRedactor,
    line: lines.DocumentLine | lines.MemoryLine,
    *,
    document: int | None = None,
    memory: int | None = None,
) -> list[dict[str, Value]]:
    """The redactions of the file, and those of this import."""
    whose: dict[str, Value] = {"document_id": document, "memory_id": memory}
    same = ("place", "fingerprint", "created_at")
    known: list[dict[str, Value]] = [{**whose, "kind": one.redaction, **_values(one, same)} for one in line.redactions]
    found = ({"kind": one.kind, "place": one.place, "fingerprint": one.fingerprint} for one in redactor.found)
    return known + [{**whose, **one, "created_at": line.created_at} for one in found]


def _values(item: object, names: Iterable[str]) -> dict[str, Value]:
    return {name: getattr(item, name) for name in names}
