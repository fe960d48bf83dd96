"""Forgetting a person: everything that mentions them, that they said, or that has their name in its words.

A plan is the union of what the entity, its aliases, the actor and the words select, in all texts of the tenant,
enriched or not. Afterwards all of them are searched again, and the receipt says what is left.
"""

from __future__ import annotations

from collections import Counter

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import Record
from jotsam.core.selection import Selection
from jotsam.ingest import capture, spool
from jotsam.memory.forgetting import forget
from jotsam.memory.forgetting.forget_records import (
    CHUNKS,
    ForgetReceipt,
    ForgetSample,
    Leftover,
    PersonPart,
    PersonPlace,
    PersonPlan,
)
from jotsam.pipeline.entities.person_names import NameFinder, folded, in_bytes, parts, words
from jotsam.pipeline.text.slugs import slug
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure, person_texts
from jotsam.storage.lifecycle import crystals
from jotsam.storage.memories import given_texts, items
from jotsam.storage.recall import summaries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.forgetting.forget import Keep
    from jotsam.memory.forgetting.forget_records import ForgetPlan
    from jotsam.storage.database import Database, Row, Transaction

PEOPLE = "people:"
MAX_NAMES = 50
MAX_SAMPLES = 100
BLOCK, OVERLAP = 1 << 20, 200  # bytes of a file that are read at once, and read again
PAGE = 100  # jobs, or parts of the trash, that one transaction removes

MENTIONS, ACTOR, WORDS, ONLY_WORDS = "mentions", "actor", "words", "only words"
DOCUMENTS, LINES = "documents", "lines of documents"
SMALLER = ("versions", "facts", "tags", "triage", "notes", "links")
BLOCKS, TRASH, JOBS, SPOOL, GIVEN, ITEMS = "blocks", "trash", "jobs", "spool", "given_texts", "items"
# What goes with memories, and is counted for the preview.
DERIVED = ("descriptions", "themes", "patterns")
PARTS = "parts of the name"
BYTES, RECALL = "bytes", "recall"

WHY = {
    TRASH: "the trash keeps it until it is emptied: `jotsam db trash empty`",
    BLOCKS: "the trash keeps no memory blocks, so it was not deleted: forget without --trash, or delete it",
    ITEMS: "the trash keeps no items of the store, so it was not deleted: forget without --trash, or delete it",
    JOBS: "a worker is running the job, or it was sent meanwhile: forget again",
    SPOOL: "it was spooled meanwhile, or cannot be deleted: forget again",
    LINES: "the trash cannot put lines back into a document: forget without --trash",
    "audit": "the audit keeps who did what for `keep_audit_days`",
    "tokens": "it is the name of a token: revoke that, and create one with another name",
    "allowed_secrets": "it is the reason of an allowed text: `jotsam db secrets allow --remove`",
    PARTS: "these have only a part of the name: give it as another name to forget them too",
    BYTES: "another tenant of this file has the name, or a reader uses its log, which a worker truncates later",
    RECALL: "it finds what was stored meanwhile: forget again",
}
WHY_TO_TRASH = dict.fromkeys((JOBS, SPOOL), "the trash keeps no jobs and turns of the spool: forget without --trash")
AGAIN = "it was stored meanwhile, or is being split: forget again"


class Person(Record):
    """Who is meant."""

    names: tuple[str, ...]
    entities: tuple[int, ...]
    ids: tuple[str, ...]
    others: tuple[str, ...]  # longer names of other people

    def finder(self) -> NameFinder:
        return NameFinder(self.names, self.others)


def checked(names: str | Iterable[str]) -> tuple[str, ...]:
    """The given names. Raises `InvalidInput`."""
    listed = validate.check_list("person", (names,) if isinstance(names, str) else names)
    validate.check_int("number of names in person", len(listed), 1, MAX_NAMES)
    for name in listed:
        if not words(validate.check_text("person", name)):
            raise InvalidInput(f"invalid person {name!r}: must have a letter or a digit")
    return tuple(dict.fromkeys(name.strip() for name in listed))


def who(tx: Transaction, names: tuple[str, ...]) -> Person:
    """The person with these names. Raises `NotFound` for an entity, and `InvalidInput` if several have a name."""
    rows = person_texts.people(tx)
    chosen: set[int] = set()
    for name in sorted(names, key=lambda one: -len(words(one))):
        chosen |= _people_of(rows, name, chosen)
    own = [row for row in rows if row["person"] in chosen]
    given = [name for name in names if not name.startswith(PEOPLE)]
    called = tuple(dict.fromkeys((*given, *(row["name"] for row in own))))
    return _person(called, own, [row for row in rows if row["person"] not in chosen])


def _person(names: tuple[str, ...], own: list[Row], rest: list[Row]) -> Person:
    """The person with these names and entities. `rest` are the other people."""
    mine = [{*words(name)} for name in names] + [{part} for part in parts(names)]
    longer = {row["name"] for row in rest if any(one < {*words(row["name"])} for one in mine)}
    return Person(
        names=names,
        entities=tuple(row["id"] for row in own),
        ids=tuple(f"{PEOPLE}{row['slug']}" for row in own),
        others=tuple(sorted(longer)),
    )


def _people_of(rows: list[Row], name: str, chosen: set[int]) -> set[int]:
    """The people that have a name, or are the only ones of whose name it is a word."""
    exact = {row["person"] for row in rows if row["slug"] == slug(name.removeprefix(PEOPLE))}
    if name.startswith(PEOPLE):
        if not exact:
            raise NotFound(f"no entity {name!r}: `jotsam entities --category people` lists them")
        return exact
    asked = words(name)
    if len(asked) > 1:
        return exact
    with_word = {row["person"]: row for row in rows if asked[0] in words(row["name"])}
    others = with_word.keys() - exact
    if with_word.keys() & chosen or len(exact | others) <= 1:
        return exact or (set() if with_word.keys() & chosen else others)
    called = sorted({f"{row['name']} ({PEOPLE}{row['slug']})" for row in with_word.values()})
    raise InvalidInput(
        f"{name!r} may be one of {len(called)} people: {', '.join(called[:10])}: give the whole name or the id in"
        f" brackets; with both, {name!r} too counts as a name of that person"
    )


def plan(database: Database, settings: Settings, names: tuple[str, ...]) -> ForgetPlan:
    """What would be forgotten of a person. Turns in the spool are stored first. Raises as `who`."""
    capture.empty_spool(database, settings)
    with database.snapshot(tenant=settings.tenant) as tx:
        person = who(tx, names)
    found = _Found(database, settings, person)
    found.search()
    uuids = (*found.memories, *found.documents)
    planned = forget.plan(database, settings, Selection(), among=uuids)
    found.places[CHUNKS] = sum(found.memories.get(uuid, False) for uuid in planned.memories)
    counted = (PersonPlace(place=place, number=number) for place, number in found.places.items() if number)
    about = PersonPlan(
        names=person.names,
        entities=person.ids,
        places=tuple(counted),
        only_words=tuple(found.samples),
        parts=tuple(PersonPart(name=name, texts=number) for name, number in found.parts.items() if number),
    )
    return planned.replace(blocks=tuple(found.blocks), person=about)


class _Found:
    """A search for a person in all texts of the tenant."""

    def __init__(self, database: Database, settings: Settings, person: Person) -> None:
        self._database, self._tenant, self._url = database, settings.tenant, database.url
        self._person = person
        self.finder = person.finder()
        self._actors = {slug(name) for name in person.names}
        self._parts = {part: NameFinder((part,), (*person.names, *person.others)) for part in parts(person.names)}
        self.memories: dict[str, bool] = {}  # whether each is a chunk of a document
        self.documents: dict[str, None] = {}
        self.lines: list[int] = []  # documents that stay, with the name in their own text
        self.blocks: list[str] = []
        self.items: list[int] = []
        self.trash: list[tuple[str, int]] = []
        self.jobs: list[int] = []
        self.given: list[tuple[str, int]] = []
        self.samples: list[ForgetSample] = []
        self.places: Counter[str] = Counter()
        self.parts: Counter[str] = Counter()

    def search(self) -> None:
        numbers = self._in_smaller_texts()
        mentioned = {row["id"] for row in person_texts.mentioned(self._database, self._tenant, self._person.entities)}
        with_chunk = self._in_memories(numbers, mentioned)
        self._in_documents(with_chunk)
        self.blocks = [row["id"] for row in self._rows(BLOCKS)]
        self.items = [row["id"] for row in self._rows(ITEMS)]
        self.trash = [(row["batch"], row["part"]) for row in self._rows(TRASH)]
        self.jobs = [row["id"] for row in (*self._rows(JOBS), *self._rows("attempts"))]
        self.given = [(row["session"], row["slot"]) for row in self._rows(GIVEN)]
        for name in DERIVED:
            self.places[name] = sum(1 for _ in self._rows(name))
        self.places |= {
            BLOCKS: len(self.blocks),
            ITEMS: len(self.items),
            TRASH: len(self.trash),
            JOBS: len({*self.jobs}),
            GIVEN: len(self.given),
        }
        self.places[SPOOL] = len(spooled(self._url, self.finder))

    def _rows(self, name: str) -> Iterator[Row]:
        for row in person_texts.read_texts(self._database, self._tenant, name):
            if self.finder.is_in(row["text"] or ""):
                yield row

    def _in_smaller_texts(self) -> set[int]:
        """The memories whose facts, tags, earlier versions, titles or links have the name."""
        numbers = set[int]()
        for name in SMALLER:
            rows = [*self._rows(name)]
            if name == "tags" and rows:
                with self._database.snapshot(tenant=self._tenant) as tx:
                    numbers |= person_texts.tagged(tx, [row["text"] for row in rows])
            else:
                numbers |= {row["memory_id" if name == "facts" else "id"] for row in rows}
            self.places[name] = len(rows)
        return numbers

    def _in_memories(self, numbers: set[int], mentioned: set[int]) -> set[int]:
        """Returns the documents that have a chunk among them."""
        with_chunk = set[int]()
        for row in person_texts.read_texts(self._database, self._tenant, "memories"):
            is_theirs = self._is_actor(row)
            text = folded(row["text"])
            has_words = self.finder.is_in_folded(text) or row["id"] in numbers
            if row["id"] not in mentioned and not is_theirs and not has_words:
                self.parts.update(part for part, finder in self._parts.items() if finder.is_in_folded(text))
                continue
            self.memories[row["uuid"]] = row["document_id"] is not None
            with_chunk.add(row["document_id"])
            reasons = {MENTIONS: row["id"] in mentioned, ACTOR: is_theirs, WORDS: has_words}
            self.places.update(name for name, holds in reasons.items() if holds)
            if row["extractor"] in (summaries.CLUSTER, crystals.EXTRACTOR):
                self.places["summaries and crystals"] += 1
            if row["id"] not in mentioned and not is_theirs:
                self._note_words(row, "memory")
        return with_chunk

    def _in_documents(self, with_chunk: set[int]) -> None:
        for row in person_texts.read_texts(self._database, self._tenant, "documents"):
            is_theirs, has_words = self._is_actor(row), self.finder.is_in(row["body"])
            if is_theirs or self.finder.is_in(row["text"]) or (has_words and row["cut_at"] is None):
                self.documents[row["uuid"]] = None
                self.places[DOCUMENTS] += 1
                if not is_theirs:
                    self._note_words(row, "document")
            elif has_words:
                self.lines.append(row["id"])
                self.places[LINES] += row["id"] not in with_chunk

    def _is_actor(self, row: Row) -> bool:
        return row["actor"] is not None and slug(row["actor"]) in self._actors

    def _note_words(self, row: Row, kind: str) -> None:
        self.places[ONLY_WORDS] += 1
        if len(self.samples) < MAX_SAMPLES:
            self.samples.append(ForgetSample(id=row["uuid"], kind=kind, text=row["sample"], source=None))


def spooled(url: str, finder: NameFinder) -> list[str]:
    """The files of the spool with the name."""
    found = []
    for path in (*spool.waiting(url), *spool.damaged(url)):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                data = file.read()
        except OSError:
            continue  # Another process has accepted it.
        if finder.is_in(data):
            found.append(path)
    return found


def last_of(database: Database, tenant: str, entities: Iterable[int]) -> frozenset[str]:
    """The memories and documents that are forgotten last: with the last mention the entity goes, and its aliases.

    A run that is interrupted before can find the same names again.
    """
    found = set[str]()
    for row in person_texts.mentioned(database, tenant, entities):
        found |= {row["uuid"], row["document"] or row["uuid"]}
    return frozenset(found)


def carry_out(
    database: Database, settings: Settings, plan: ForgetPlan, *, never_again: bool = False, keep: Keep | None = None
) -> ForgetReceipt:
    """Forget what a plan lists of a person, and the name in all other texts. With `keep`, memories and documents only.

    Each transaction is bounded. Interrupted, it goes on with the same plan, or with one for the same name.
    """
    assert plan.person is not None
    capture.empty_spool(database, settings)
    with database.snapshot(tenant=settings.tenant) as tx:
        person = _again(tx, plan.person.names)
    found = _Found(database, settings, person)
    found.search()
    if found.given:
        with database.transaction(tenant=settings.tenant) as tx:
            for session, slot in found.given:
                given_texts.delete(tx, session=session, slot=slot)
    others = ForgetReceipt() if keep else _remove_others(database, settings.tenant, person, found)
    if keep is None:
        plan = plan.replace(blocks=tuple(found.blocks))
    last = last_of(database, settings.tenant, person.entities)
    done = forget.carry_out(database, settings, plan, never_again=never_again, keep=keep, last=last)
    return done.replace(jobs=done.jobs + others.jobs, spooled=done.spooled + others.spooled)


def _remove_others(database: Database, tenant: str, person: Person, found: _Found) -> ForgetReceipt:
    """Remove the name from what is neither a memory nor a document.

    Before these, because their entity tells the aliases to a run that goes on after an interruption.
    """
    for batch, part in found.trash:  # A part can hold 500 memories.
        with database.transaction(tenant=tenant) as tx:
            person_texts.delete_trash(tx, batch=batch, part=part)
    for begin in range(0, len(found.items), PAGE):
        with database.transaction(tenant=tenant) as tx:
            items.forget(tx, found.items[begin : begin + PAGE])
    jobs = 0
    for begin in range(0, len(found.jobs), PAGE):
        with database.transaction(tenant=tenant) as tx:
            jobs += queue.forget_jobs(tx, found.jobs[begin : begin + PAGE])
    paths = spooled(database.url, found.finder)
    for path in paths:
        spool.remove(path)
    for number in found.lines:
        with database.transaction(tenant=tenant) as tx:
            _remove_lines(tx, number, found.finder)
    with database.transaction(tenant=tenant) as tx:
        erasure.delete_orphans(tx, person.names)
        if not (found.memories or found.documents):  # Otherwise the last of these does it.
            erasure.remove_traces(tx)
    return ForgetReceipt(jobs=jobs, spooled=len(paths))


def _remove_lines(tx: Transaction, number: int, finder: NameFinder) -> None:
    """Empty the lines with the name in a document that stays."""
    erasure.lock(tx, memories=(), documents=(number,))
    for row in erasure.document_sizes(tx, documents=(number,)).values():
        lines = row["body"].split("\n")
        kept = ["" if finder.is_in(line) else line for line in lines]
        # The name can go over the end of a line.
        over = {at for at in range(len(kept) - 1) if finder.is_in(f"{kept[at]}\n{kept[at + 1]}")}
        kept = ["" if at in over or at - 1 in over else line for at, line in enumerate(kept)]
        if kept != lines:
            erasure.set_body(tx, document=number, body="\n".join(kept))


def _again(tx: Transaction, names: tuple[str, ...]) -> Person:
    """The person of a plan, of whose names some may have no entity any longer."""
    slugs = {slug(name) for name in names}
    rows = person_texts.people(tx)
    return _person(names, *([row for row in rows if (row["slug"] in slugs) == is_own] for is_own in (True, False)))


def left_of(
    database: Database, settings: Settings, names: tuple[str, ...], *, recalled: Iterable[str], to_trash: bool
) -> list[Leftover]:
    """Where the name still is in the rows of the tenant, in texts that recall finds, and in the bytes of a file."""
    with database.snapshot(tenant=settings.tenant) as tx:
        person = _again(tx, names)
    found = _Found(database, settings, person)
    found.search()
    counts = Counter({name: number for name, number in found.places.items() if name not in (ONLY_WORDS, WORDS)})
    counts["memories"] = len(found.memories)
    for name in (MENTIONS, ACTOR, "summaries and crystals"):
        del counts[name]
    for name in person_texts.PAGES.keys() | {*person_texts.WHOLE}:
        if name not in (*counts, "memories", "documents", "attempts"):
            counts[name] = sum(1 for _ in found._rows(name))
    counts[RECALL] = sum(found.finder.is_in(text) for text in recalled)
    counts[PARTS] = sum(found.parts.values())
    if not any(n for name, n in counts.items() if name != PARTS) and database.is_file:
        counts[BYTES] = _in_bytes(database, person)
    why = {**WHY, **(WHY_TO_TRASH if to_trash else {})}
    return [Leftover(place=name, number=n, why=why.get(name, AGAIN)) for name, n in sorted(counts.items()) if n]


def _in_bytes(database: Database, person: Person) -> int:
    """How often the bytes of the files of a database have the name.

    The name of another person can begin with a name of one word, and the text index has it without the rest.
    """
    pattern = in_bytes(name for name in person.names if len(words(name)) > 1 or not person.others)
    found = 0
    if pattern is None:
        return found
    for path in (database.url, f"{database.url}-wal", spool.log_path(database.url)):
        try:
            with open(path, "rb") as file:
                before = b""
                while data := file.read(BLOCK):
                    found += len(pattern.findall(before + data.lower()))
                    before = data[-OVERLAP:].lower()
        except FileNotFoundError:
            continue
    return found
