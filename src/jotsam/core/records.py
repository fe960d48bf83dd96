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
    external_id: str | None = None  # the caller's own id, one per tenant
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


class AllowedSecret(Record):
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


class MemoryGraph(Record):
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


class CheckResult(Record):
    """The result of one check of the doctor. `level` is ok, warn or fail; `repair` says what to do if it is not ok."""

    name: str
    level: str
    text: str
    repair: str = ""


class Receipt(Record):
    """What `add` and `remember` return once the commit is done."""

    id: str  # of the document or memory
    job_id: int
    duplicate: bool = False
    warnings: tuple[str, ...] = ()
