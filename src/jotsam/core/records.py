"""Records: frozen, slotted, keyword-only values without `dataclasses`; and the records of memory.

`Record` exists because importing `dataclasses` costs more than the rest of `jotsam add`.
Times are integer milliseconds since 1970 UTC. A field with a default may be omitted.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, Self, dataclass_transform

    from jotsam.core.errors import JotsamError
else:

    def dataclass_transform(**_):
        """Only type checkers need the real one, and `typing` is slow to import."""
        return lambda cls: cls


# `repr` truncates longer texts and tuples.
REPR_CHARACTERS, REPR_ITEMS = 80, 3

# Compiling `__init__` costs as much as 100 constructions, so classes that a short process uses once are not compiled.
COMPILE_AFTER = 20


@dataclass_transform(kw_only_default=True, frozen_default=True)
class RecordType(type):
    """Metaclass: turns annotations into slots, and class attributes into defaults."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        own = tuple(field for field in body.get("__annotations__", ()) if not field.startswith("_"))
        inherited = tuple(field for base in bases for field in getattr(base, "_fields", ()))
        defaults = {field: value for base in bases for field, value in getattr(base, "_defaults", {}).items()}
        defaults |= {field: body.pop(field) for field in own if field in body}
        fields = inherited + own
        body |= {"__slots__": own, "_fields": fields, "_names": frozenset(fields), "_defaults": defaults}
        # A subclass must not inherit an `__init__` that was compiled for the fields of its base.
        body |= {"_constructed": 0, "__init__": body.get("__init__", Record.__init__ if bases else None)}
        body |= {"_values_of": None, "_setters": None}
        return super().__new__(mcs, name, bases, body)


class Record(metaclass=RecordType):
    """A frozen value with named fields. Raises `TypeError` for a missing or an unknown field."""

    _fields: ClassVar[tuple[str, ...]]
    _names: ClassVar[frozenset[str]]
    _defaults: ClassVar[dict[str, Any]]
    _constructed: ClassVar[int]
    _values_of: ClassVar[Callable[[Any], tuple[Any, ...]] | None]  # made when it is first needed
    _setters: ClassVar[tuple[Callable[[Any, Any], None], ...] | None]  # of the slots, made when they are first needed

    def __init__(self, **values: Any) -> None:
        cls = type(self)
        whole = {**cls._defaults, **values}
        if whole.keys() != cls._names:
            _refuse(self, values)
        for field, value in whole.items():
            _set(self, field, value)
        cls._constructed += 1
        if cls._constructed == COMPILE_AFTER:
            cls.__init__ = _compiled_init(cls)  # type: ignore[method-assign]

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: use replace({field}=...)")

    def __delattr__(self, field: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), *self._values().values()))

    def __repr__(self) -> str:
        """Without fields that have their default, and with long values truncated."""
        shown = {name: value for name, value in self._values().items() if not self._is_default(name, value)}
        return f"{type(self).__name__}({', '.join(f'{name}={_short(value)}' for name, value in shown.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._values())

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, as plain values that `json.dumps` accepts: records inside become dicts, tuples lists,
        bytes base64 text, errors their message.
        """
        return {field: _plain(value) for field, value in self._values().items()}

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed. Raises `TypeError` for an unknown field."""
        cls = type(self)
        if not changes.keys() <= cls._names:
            return cls(**{**self._values(), **changes})
        read, setters = cls._values_of or _reader(cls), cls._setters or _slot_setters(cls)
        copy = cls.__new__(cls)
        for setter, value in zip(setters, read(self), strict=True):
            setter(copy, value)
        for field, value in changes.items():
            _set(copy, field, value)
        return copy

    def _is_default(self, name: str, value: object) -> bool:
        return name in self._defaults and bool(value == self._defaults[name])

    def _values(self) -> dict[str, Any]:
        """The fields by name, values as they are."""
        cls = type(self)
        return dict(zip(cls._fields, (cls._values_of or _reader(cls))(self), strict=True))


_set = object.__setattr__


def _reader(cls: type[Record]) -> Callable[[Any], tuple[Any, ...]]:
    cls._values_of = attrgetter(*cls._fields) if len(cls._fields) > 1 else _one_by_one
    return cls._values_of


def _slot_setters(cls: type[Record]) -> tuple[Callable[[Any, Any], None], ...]:
    cls._setters = tuple([getattr(cls, field).__set__ for field in cls._fields])
    return cls._setters


def _one_by_one(record: Record) -> tuple[Any, ...]:
    """What `attrgetter` does not return as a tuple: the values of a record with one field, or with none."""
    return tuple([getattr(record, field) for field in record._fields])


def _refuse(record: Record, values: dict[str, Any]) -> None:
    """Raise `TypeError` for unknown or missing fields."""
    unknown = sorted(values.keys() - record._names)
    missing = sorted(record._names - record._defaults.keys() - values.keys())
    wrong = f"unknown: {unknown}" if unknown else f"missing: {missing}"
    raise TypeError(f"{type(record).__name__} has the fields {list(record._fields)}; {wrong}")


def _compiled_init(cls: type[Record]) -> Callable[..., None]:
    """An `__init__` with real keyword parameters that sets each slot by its descriptor: half the time of a loop."""
    scope: dict[str, Any] = {"_missing": _MISSING, "_refuse": _refuse, "_record": cls}
    parameters, setters, arguments = [], [], []
    for number, field in enumerate(cls._fields):
        scope[f"_default{number}"] = cls._defaults.get(field, _MISSING)
        scope[f"_set{number}"] = getattr(cls, field).__set__
        parameters.append(f"{field}=_default{number}")
        setters.append(f"    _set{number}(_self, {field})")
        arguments.append(f"{field!r}: {field}")
    absent = [f"{field} is _missing" for field in cls._fields if field not in cls._defaults]
    source = "\n".join(
        [
            f"def __init__(_self, *, {', '.join(parameters)}, **_unknown):",
            f"    if {' or '.join(['_unknown', *absent])}:",
            f"        given = {{{', '.join(arguments)}}}",
            "        _refuse(_self, {k: v for k, v in given.items() if v is not _missing} | _unknown)",
            *setters,
        ]
    )
    exec(source, scope)
    init: Callable[..., None] = scope["__init__"]
    return init


_MISSING = object()


def _rebuild(kind: type[Record], values: dict[str, Any]) -> Record:
    return kind(**values)


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Record):
        return value.as_dict()
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain(one) for one in value]
    if isinstance(value, bytes):
        from binascii import b2a_base64

        return b2a_base64(value, newline=False).decode()
    if hasattr(value, "items"):
        return {name: _plain(one) for name, one in value.items()}
    return str(value) if isinstance(value, BaseException) else value


def _short(value: object) -> str:
    """The `repr` of a value, truncated if it is long."""
    if isinstance(value, tuple) and len(value) > REPR_ITEMS:
        some = ", ".join(_short(one) for one in value[:REPR_ITEMS])
        return f"({some}, ... {len(value) - REPR_ITEMS:,} more)"
    if isinstance(value, tuple):
        return f"({', '.join(_short(one) for one in value)}{',' if len(value) == 1 else ''})"
    if isinstance(value, str | bytes) and len(value) > REPR_CHARACTERS:
        return f"{value[:REPR_CHARACTERS]!r}... {len(value):,} characters"
    shown = repr(value)
    return shown if isinstance(value, Record) or len(shown) <= 2 * REPR_CHARACTERS else f"{shown[:REPR_CHARACTERS]}..."


class Document(Record):
    """Raw text as handed in. `id` is a UUID, empty until the document is accepted."""

    text: str
    id: str = ""
    tenant: str = "default"
    project: str | None = None
    source: str | None = None  # a path, a URL, or any name the caller gives
    date: int | None = None  # when it was written
    date_by: str | None = None  # "file": `date` is the modification time of the file
    actor: str | None = None  # who said it
    session: str | None = None
    created_at: int = 0


class Chunk(Record):
    """A section of a document. `text` is the document's text from `start` to `end`, in characters."""

    position: int
    text: str
    start: int
    end: int
    section: str = ""  # path of headings: "Guide > Install"; parts of an oversize section end in " (2/3)"


class Memory(Record):
    """One unit of knowledge. `id` is a UUID, empty until the memory is accepted."""

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
    position: int | None = None  # order within the session or the document
    line: int | None = None  # first line, in the document as stored
    said_at: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    external_id: str | None = None  # the caller's id, unique within the tenant
    source: str | None = None
    section: str = ""
    document: str | None = None  # UUID of the document it is a chunk of
    summary: str | None = None
    created_at: int = 0
    enriched_at: int | None = None
    superseded_at: int | None = None
    extractor: str | None = None  # the last extractor
    degraded: str | None = None  # why a part of the extraction is missing: the model or a rule failed


class StoredMemory(Memory):
    """A memory with what was recorded about it since it was accepted."""

    superseded_by: str | None = None  # UUID of the memory that replaces it, if known
    archived_at: int | None = None  # when it was hidden from recall, by hand or by the lifecycle
    archived_by: str | None = None  # UUID of the memory into which it was merged
    summary_of: int = 0  # memories that it summarises; 0: it is no summary
    version: int = 1  # rises with each update
    changed_at: int | None = None  # when it was updated last


class MemoryVersion(Record):
    """A memory as it was before an update."""

    version: int
    until: int  # when it was updated
    text: str
    type: str | None
    tags: tuple[str, ...]
    importance: float | None
    confidence: float | None
    metadata: Mapping[str, Any] | None
    valid_from: int | None
    valid_until: int | None


class UpdateReceipt(Record):
    """Returned by `update` after the commit."""

    id: str  # UUID of the memory
    version: int  # the same as before, if nothing was different
    job_id: int | None = None  # that enriches it again; None: its text is the same
    warnings: tuple[str, ...] = ()
    # With `forget_history`, whether the bytes of the earlier fields are gone, as in `ForgetReceipt`. Otherwise None.
    erased: bool | None = None


class UpsertReceipt(Record):
    """Returned by `upsert` after the commit."""

    id: str  # UUID of the memory
    created: bool  # False: the memory of this key existed
    version: int  # the same as before, if nothing was different
    job_id: int | None = None  # that enriches it; None: its text is the same
    warnings: tuple[str, ...] = ()
    forgotten: bool = False  # it was forgotten for good, so it was not stored: `id` is empty


class Entity(Record):
    """A named thing. Its tag is `entity:<category>:<slug>`."""

    category: str  # people, organizations, tools, concepts, projects
    slug: str
    name: str  # as written
    confidence: float | None = None  # 0 to 1
    extractor: str | None = None  # None: entered by a person


class Fact(Record):
    """A statement of a memory as a triple. Its validity is the statement's, not the memory's."""

    subject: str  # as written
    predicate: str  # normalised: of `core.predicates`, or free
    object: str  # as written
    confidence: float = 1.0  # 0 to 1
    valid_from: int | None = None
    valid_until: int | None = None
    extractor: str = ""  # "rules/4", or "llm:<model> prompt/3 schema/2"
    id: str = ""  # UUID, empty until saved; stays the same when the memory is reprocessed
    memory: str = ""  # UUID of the memory that states it, empty until saved
    superseded_at: int | None = None  # when a later fact replaced it
    superseded_by: str | None = None  # UUID of the memory that states the later fact
    free: bool = False  # its predicate is not of the closed set, so it ends no other fact; set when it is read


class AllowedSecret(Record):
    """A text that looks like a secret but is not redacted: its SHA-256, and the reason."""

    fingerprint: str
    reason: str
    created_at: int


class MemoryBlock(Record):
    """A small named text that is always at hand."""

    id: str
    name: str
    text: str
    limit: int  # maximum of characters
    pinned: bool  # it is in each brief
    project: str | None = None  # None: for all projects
    actor: str | None = None  # None: for all actors
    version: int
    created_at: int
    changed_at: int


class Redaction(Record):
    """A secret that was removed from accepted text before it was stored. Never contains the secret."""

    kind: str  # as in its placeholder, or "private" for a block between <private> tags
    place: str  # "line 3" of the stored text, or the name of the field that held it
    fingerprint: str | None = None  # its SHA-256; None for secrets short enough to guess, such as passwords
    created_at: int = 0
    id: str = ""  # UUID of the document or memory
    source: str | None = None  # source of the document or memory


class EntityText(Record):
    """A short text about an entity, made of facts."""

    body: str
    sources: tuple[str, ...]  # ids of the facts
    made_by: str  # "rules/1", or "llm:<model>"
    changed_at: int


class NamedEntity(Record):
    """An entity with its totals across all memories."""

    category: str
    slug: str
    name: str  # as first written
    memories: int  # the number of memories that mention it
    aliases: tuple[str, ...] = ()  # other names, merged by a person
    first_at: int | None = None  # when the memory was said that was stored first, of those that mention it
    last_at: int | None = None  # the same of the one stored last
    identity: EntityText | None = None  # if the step `identity` of the lifecycle runs; of one entity, not in lists


class Neighbour(Record):
    """A memory at the other end of a link."""

    id: str
    type: str
    weight: float
    outgoing: bool  # the link starts at the memory asked about
    summary: str
    extractor: str | None = None
    properties: Mapping[str, Any] | None = None


class MemoryGraph(Record):
    """A memory with its links, entities and patterns."""

    id: str
    summary: str
    neighbours: tuple[Neighbour, ...]
    entities: tuple[Entity, ...]
    patterns: tuple[Pattern, ...]


class Pattern(Record):
    """A recurring theme of memories of one type."""

    type: str
    slug: str
    terms: tuple[str, ...]  # terms its memories share, the theme first
    occurrences: int
    confidence: float  # 0 to 1, rises with occurrences
    first_seen: int
    last_reinforced: int


class Link(Record):
    """A typed, weighted edge from one memory to another, both by UUID."""

    source: str
    target: str
    type: str
    weight: float = 1.0
    extractor: str | None = None  # None: created by a caller
    properties: Mapping[str, Any] | None = None  # set by a caller, see `names.LINK_PROPERTIES`


class Page(Record):
    """Memories of a list. Pass `next` as `after` for the page that follows; None: this is the last."""

    memories: tuple[StoredMemory, ...]
    next: str | None
    pending: int = 0  # selected documents that are not split into memories yet, and turns in the spool of this machine
    replica_lag_ms: int | None = None  # a replica answered, which was so far behind the primary; None: the primary


class ReplicaState(Record):
    """A replica of a server: how far it is behind, or why it answers nothing."""

    name: str
    lag_ms: int | None  # None: unknown, because of the problem
    problem: str = ""


class CheckResult(Record):
    """The result of one check of `jotsam doctor`. `level` is ok, warn or fail; `repair` states what to do."""

    name: str
    level: str
    text: str
    repair: str = ""


class Receipt(Record):
    """Returned by `add` and `remember` after the commit."""

    id: str  # UUID of the document or memory
    job_id: int
    duplicate: bool = False
    warnings: tuple[str, ...] = ()
    forgotten: bool = False  # it was forgotten for good, so it was not stored: `id` is empty and `job_id` is 0


class UpsertResult(Record):
    """The result for one item of `upsert_many`: its receipt, or the error because of which it was not stored."""

    index: int  # of the item in the batch, from 0
    receipt: UpsertReceipt | None = None
    error: JotsamError | None = None


class ItemResult(Record):
    """The result for one item of a batch: what was accepted or linked, or the error because of which it was not."""

    index: int  # of the item in the batch, from 0
    receipt: Receipt | None = None
    link: Link | None = None
    error: JotsamError | None = None
