"""The records that travel between the floors: frozen, slotted, keyword-only.

They are of one kind, `Record`, and not dataclasses, for one measured reason: importing `dataclasses` costs a process
more than everything else that `jotsam add` does, and accepting must start in milliseconds.
Times are integer milliseconds since 1970 UTC. Fields that a caller may leave out have defaults.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_):
        """Only type checkers need the real one, and `typing` is slow to import."""
        return lambda cls: cls


INGEST, ENRICH = QUEUES = ("ingest", "enrich")
"""The queues of memory; the kind of a job has the same name."""

EMBED = "embed"
"""The queue, and the kind, of the jobs that embed. A job is about all memories of a tenant that wait for their vector,
and not about one of them, so an answer counts these memories and not the jobs."""

PROBE = "jotsam-doctor-"
"""How the tenant begins in which the doctor tries whether all works. No model is asked there: a look costs nothing."""

COMMAND = "command"
"""The queue, and the kind, of a command line that is run later. It holds no text that was accepted, so what waits in it
makes no answer incomplete: only `QUEUES` are counted there."""

MEMORY_QUEUES = (*QUEUES, EMBED)
EVERY_QUEUE = (COMMAND, *MEMORY_QUEUES)
"""All that a worker serves, in its order: an operator's command does not wait behind the backlog it is about."""

STATES = ("ready", "leased", "waiting", "dead", "blocked")
"""Of a job; one that is done is there no more."""

BY_RULES, BY_MODELS, BY_ALL = WHOSE = range(3)
"""Whose findings are replaced: those of the rules alone, those of language models too, or those that an agent handed in
as well. What a person said is never replaced. An extractor names itself `llm:...`, `agent ...`, or otherwise."""


SESSION_FORMATS = ("claude-code", "codex", "plain")
"""Of the files in which agents write down what was said."""

TYPES = ("Decision", "Preference", "Pattern", "Style", "Habit", "Insight", "Context")
"""Of memories, as those who read them name them. A caller may give any other; these are known in any case."""

LINK_TYPES = (
    *("RELATES_TO", "LEADS_TO", "OCCURRED_BEFORE", "PREFERS_OVER", "EXEMPLIFIES", "CONTRADICTS", "REINFORCES"),
    *("INVALIDATED_BY", "EVOLVED_INTO", "DERIVED_FROM", "PART_OF"),
)
"""Of the links that a caller may make."""

CATEGORIES = ("people", "organizations", "tools", "concepts", "projects")
"""Of entities."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class RecordType(type):
    """Turns the annotations of a class into slots, and its class attributes into defaults."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        own = tuple(field for field in body.get("__annotations__", ()) if not field.startswith("_"))
        inherited = tuple(field for base in bases for field in getattr(base, "_fields", ()))
        defaults = {field: value for base in bases for field, value in getattr(base, "_defaults", {}).items()}
        defaults |= {field: body.pop(field) for field in own if field in body}
        fields = inherited + own
        body |= {"__slots__": own, "_fields": fields, "_names": frozenset(fields), "_defaults": defaults}
        return super().__new__(mcs, name, bases, body)


class Record(metaclass=RecordType):
    """A frozen value with named fields. Raises `TypeError` for a missing or an unknown field."""

    _fields: ClassVar[tuple[str, ...]]
    _names: ClassVar[frozenset[str]]
    _defaults: ClassVar[dict[str, Any]]

    def __init__(self, **values: Any) -> None:
        whole = {**self._defaults, **values}
        if whole.keys() != self._names:
            unknown, missing = sorted(whole.keys() - self._names), sorted(self._names - whole.keys())
            wrong = f"unknown: {unknown}" if unknown else f"missing: {missing}"
            raise TypeError(f"{type(self).__name__} has the fields {list(self._fields)}; {wrong}")
        for field, value in whole.items():
            _set(self, field, value)

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: use replace({field}=...)")

    def __delattr__(self, field: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, field) for field in self._fields)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.as_dict().items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.as_dict())

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, one level deep."""
        return {field: getattr(self, field) for field in self._fields}

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        if not changes.keys() <= self._names:
            return type(self)(**{**self.as_dict(), **changes})  # It says what is wrong.
        same = object.__new__(type(self))
        for field in self._fields:
            _set(same, field, changes[field] if field in changes else getattr(self, field))
        return same


_set = object.__setattr__


def _rebuild(kind: type[Record], values: dict[str, Any]) -> Record:
    return kind(**values)


def as_type(name: str) -> str:
    """The type of a memory as it is kept: one of `TYPES` as it is written there, any other as it was given."""
    return next((known for known in TYPES if known.lower() == name.lower()), name)


class Document(Record):
    """Raw text as handed in. `id` is a UUID, empty until it is accepted."""

    text: str
    id: str = ""
    tenant: str = "default"
    project: str | None = None
    source: str | None = None  # a path, an address, or whatever the caller calls it
    date: int | None = None  # when it was written
    date_by: str | None = None  # "file": that is when the file was changed last
    actor: str | None = None  # who said it
    session: str | None = None
    created_at: int = 0


class Chunk(Record):
    """A piece of a document. `text` is the document's text from `start` to `end`, in characters."""

    position: int
    text: str
    start: int
    end: int
    section: str = ""  # the path of headings: "Guide > Install"; a piece of an oversize section ends in " (2/3)"


class Memory(Record):
    """One unit of knowledge. `id` is a UUID, empty until it is accepted."""

    text: str
    id: str = ""
    tenant: str = "default"
    project: str | None = None
    type: str | None = None
    tags: tuple[str, ...] = ()
    importance: float | None = None  # 0 to 1
    confidence: float | None = None  # 0 to 1
    metadata: Mapping[str, Any] | None = None
    actor: str | None = None  # who said it
    session: str | None = None
    position: int | None = None  # its place in the session, or in its document
    line: int | None = None  # of its document, as that was kept: where it begins
    said_at: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    own_id: str | None = None  # the caller's own id, one per tenant
    source: str | None = None
    section: str = ""
    document: str | None = None  # UUID of the document it was cut from
    summary: str | None = None
    created_at: int = 0
    enriched_at: int | None = None
    superseded_at: int | None = None
    extractor: str | None = None  # who has read it last
    degraded: str | None = None  # why the rules alone have read it, although a model was to


class Entity(Record):
    """A named thing. Its tag is `entity:<category>:<slug>`."""

    category: str  # people, organizations, tools, concepts, projects
    slug: str
    name: str  # as written
    confidence: float | None = None  # 0 to 1
    extractor: str | None = None  # who found it, as in a fact; None: a person said so


class Fact(Record):
    """What a memory says, as a triple. Its times of validity are those of the statement, not of the memory."""

    subject: str  # as written
    predicate: str  # normalised: `pipeline.predicates`
    object: str  # as written
    confidence: float = 1.0  # 0 to 1
    valid_from: int | None = None
    valid_until: int | None = None
    extractor: str = ""  # who found it: "rules/3", or "llm:<model> reading/1 schema/1"
    id: str = ""  # a UUID, empty until it is saved; the same when its memory is read again
    memory: str = ""  # UUID of the memory that says so, empty until it is saved
    superseded_at: int | None = None  # from when on a later fact holds in its place
    superseded_by: str | None = None  # UUID of the memory that says that


class Allowed(Record):
    """What looks like a secret and is none: its SHA-256, and why it may stand."""

    fingerprint: str
    reason: str
    created_at: int


class Redaction(Record):
    """Something that was taken out of what was accepted, before it was kept: never the secret itself."""

    kind: str  # as in its placeholder, or "private" for a block between <private> tags
    place: str  # "line 3" of the text as it is kept, or the field beside the text in which it stood
    fingerprint: str | None = None  # its SHA-256; None where it could be guessed by that, as passwords can
    created_at: int = 0  # when
    id: str = ""  # UUID of the document or memory
    source: str | None = None  # of that


class NamedEntity(Record):
    """An entity with what is known of it as a whole."""

    category: str
    slug: str
    name: str  # as it was first written
    memories: int  # that mention it
    aliases: tuple[str, ...] = ()  # names that a person said are the same


class Neighbour(Record):
    """A memory at the other end of a link."""

    id: str
    type: str
    weight: float
    outgoing: bool  # the link leaves the memory that was asked about
    summary: str
    extractor: str | None = None


class Around(Record):
    """What a memory is linked to: the picture of `jotsam graph`."""

    id: str
    summary: str
    neighbours: tuple[Neighbour, ...]
    entities: tuple[Entity, ...]
    patterns: tuple[Pattern, ...]


class Pattern(Record):
    """A theme that recurs among memories of one type."""

    type: str
    slug: str
    terms: tuple[str, ...]  # what its memories share, the theme first
    occurrences: int
    confidence: float  # 0 to 1, the surer the more often it was seen
    first_seen: int
    last_reinforced: int


class Link(Record):
    """A typed, weighted edge from one memory to another, both by UUID."""

    source: str
    target: str
    type: str
    weight: float = 1.0
    extractor: str | None = None  # who found it; None: a caller made it


class Draft(Record):
    """A job before it is sent. `payload` is JSON text, or bytes."""

    queue: str
    kind: str
    payload: str | bytes = "null"
    tenant: str = "default"
    key: str | None = None  # of idempotency: a second job with this key, tenant and queue is not made
    lane: str | None = None
    parallel: bool = True
    priority: int = 0  # higher is sooner
    delay_ms: int = 0
    lease_ms: int = 60_000
    max_receive: int = 5


class Sent(Record):
    """The id of a job; with `duplicate`, of the one that was sent earlier with the same key."""

    id: int
    duplicate: bool = False


class Finding(Record):
    """The result of one check of the doctor. `level` is ok, warn or fail; `repair` says what to do if it is not ok."""

    name: str
    level: str
    text: str
    repair: str = ""


class Depth(Record):
    """How many jobs a tenant has in a queue, by what became of them so far."""

    pending: int = 0  # waiting for the first try
    in_progress: int = 0
    failed: int = 0  # failed at least once, and will be tried again
    dead: int = 0
    oldest: int | None = None  # when the oldest of those not dead was sent

    @property
    def live(self) -> int:
        return self.pending + self.in_progress + self.failed


class Job(Record):
    """A delivered or listed job. (`id`, `received`) is its fencing token."""

    id: int
    queue: str
    kind: str
    tenant: str
    state: str  # ready, leased, waiting, dead, blocked
    priority: int
    lane: str | None
    parallel: bool
    received: int
    failures: int
    max_receive: int
    lease_ms: int
    created_at: int
    wake_at: int | None  # end of the lease, or of the delay
    owner: str | None
    error: str | None
    payload: str | bytes = ""  # JSON text, or bytes as they were sent


class Command(Record):
    """A command line of our own that waits to be run, without the name of the program."""

    arguments: tuple[str, ...]
    folder: str  # against which its paths are read
    project: str = ""  # the label where it was sent
    input: str | None = None  # what stood on standard input
    tenant: str = "default"
    job_id: int = 0


class Ran(Record):
    """What became of a command: its exit code, and what it printed, cut where it was too long."""

    code: int
    stdout: str
    stderr: str
    arguments: tuple[str, ...] = ()


class Receipt(Record):
    """What `add` and `remember` return once the commit is done."""

    id: str  # of the document or memory
    job_id: int
    duplicate: bool = False
    warnings: tuple[str, ...] = ()
