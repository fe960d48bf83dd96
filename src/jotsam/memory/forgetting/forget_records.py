"""What forgetting plans, and what it did."""

from __future__ import annotations

from jotsam.core.records import Record

CHUNKS = "chunks of documents that stay"
# What people read of the places of a person, after a number.
PLACES = {
    "mentions": "memories mention them",
    "actor": "memories are said by them",
    "words": "memories have a name in their words, tags, facts or earlier versions",
    "only words": "memories and documents are matched by their words alone",
    "documents": "documents go whole",
    CHUNKS: "chunks go with their lines, and their documents stay: not to the trash",
    "lines of documents": "documents have lines with a name, and stay without these",
    "versions": "earlier versions of memories",
    "triage": "titles of the lifecycle",
    "notes": "notes of sessions",
    "links": "properties of links",
    "blocks": "memory blocks",
    "items": "items of the store",
    "trash": "parts of the trash, which cannot be restored then",
    "jobs": "jobs and queued commands",
    "spool": "turns in the spool",
    "descriptions": "entities and texts about them",
}


class ForgetSample(Record):
    """One of the memories or documents of a plan."""

    id: str
    kind: str  # memory or document
    text: str  # its beginning
    source: str | None


class PersonPlace(Record):
    """How much of one kind has the name."""

    place: str  # of `PLACES`, or another word for what has the name, such as facts
    number: int


class PersonPart(Record):
    """A part of the name that texts have without the rest. These are not forgotten."""

    name: str
    texts: int


class PersonPlan(Record):
    """Where a person is. The places overlap: one memory can mention them, be by them, and have the words."""

    names: tuple[str, ...]  # the given ones, and all names of the entities
    entities: tuple[str, ...] = ()  # such as people:anna-schmidt
    places: tuple[PersonPlace, ...] = ()
    only_words: tuple[ForgetSample, ...] = ()  # what neither an entity nor an actor selects, at most 100
    parts: tuple[PersonPart, ...] = ()


class Leftover(Record):
    """Where the name still is after a person was forgotten, and why."""

    place: str
    number: int
    why: str


class ForgetPlan(Record):
    """What would be forgotten: `documents` with all their chunks, and other `memories`, by UUID."""

    memories: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    chunks: int = 0  # of the documents
    characters: int = 0
    facts: int = 0
    links: int = 0
    jobs: int = 0  # that are not done
    skipped: int = 0  # chunks of documents that are being split just now: plan again when they are
    blocks: tuple[str, ...] = ()  # UUIDs of the memory blocks of a project or actor
    samples: tuple[ForgetSample, ...] = ()
    person: PersonPlan | None = None  # where a person is, if that was planned


class ForgetReceipt(Record):
    """What was forgotten."""

    memories: int = 0  # chunks of documents included
    documents: int = 0
    entities: int = 0  # that nothing else mentions
    patterns: int = 0  # without an example
    jobs: int = 0  # that were not done, and queued commands with one of the texts
    spooled: int = 0  # turns in the spool with one of the texts
    revived: tuple[str, ...] = ()  # UUIDs of memories and documents that are valid, or not archived, again
    skipped: int = 0  # chunks of documents that were being split: forget them again
    refused: int = 0  # texts, keys and external ids that are not accepted again
    # Whether the texts are gone from the database's files. False: the file is in use, large or on a full disk, and
    # `jotsam db maintain --vacuum` removes them; or the database is a server, which keeps them until its next vacuum.
    erased: bool = False
    blocks: int = 0
    trash: str | None = None  # the batch in the trash, which keeps the texts: `Admin.restore_forgotten`
    # Where the name of a person still is: in texts that were searched again, in answers of recall, in bytes of a file.
    # None: no person was forgotten.
    left: tuple[Leftover, ...] | None = None
