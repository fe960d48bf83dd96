"""The lines of an export: their types, and reading and writing them as JSON.

A file begins with a header and ends with a footer that counts the other lines, so a file that was cut is noticed. Rows
are identified by UUID; entities and patterns by their names. Times are milliseconds since 1970 UTC.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from jotsam.core.clock import LATEST_MS
from jotsam.core.errors import InvalidInput
from jotsam.core.validate import MAX_DEPTH, check_depth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT, VERSION = "jotsam-export", 1
NO_METADATA = msgspec.Raw(b"null")
T = TypeVar("T", bound=Struct)

# Fields of the lines of memories that are not the column of this name.
NOT_IN_MEMORY = (
    *("id", "text", "metadata", "rejected", "recalls", "recalled_at", "tags", "mentions", "titles", "dates", "terms"),
    *("patterns", "facts", "versions", "redactions", "vector"),
)
NOT_IN_DOCUMENT = ("id", "text", "chunked_at", "redactions")

Time: TypeAlias = Annotated[int, Meta(ge=-LATEST_MS, le=2 * LATEST_MS)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Name: TypeAlias = Annotated[str, Meta(min_length=1)]
Uuid: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]


class _Part(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """An object inside a line."""


class _Line(_Part, tag_field="kind"):
    """A line."""


class Tag(_Part, kw_only=True):
    tag: Name
    extractor: str | None = None


class Mention(_Part, kw_only=True):
    category: Name
    slug: Name
    extractor: str | None = None  # "merged:CATEGORY:SLUG" if it comes from a merged entity
    confidence: Share | None = None


class DateRange(_Part, kw_only=True):
    first: Time
    until: Time


class PatternTerms(_Part, kw_only=True):
    type: str
    terms: str


class Example(_Part, kw_only=True):
    type: str
    slug: Name
    at: Time


class Redacted(_Part, kw_only=True):
    redaction: str  # the kind of the secret
    place: str
    fingerprint: str | None = None
    created_at: Time


class Vector(_Part, kw_only=True):
    embedder: Name
    data: bytes  # base64 of little-endian float32


class ExportedFact(_Part, kw_only=True):
    id: Uuid
    subject: str
    predicate: str
    object: str
    confidence: Share
    valid_from: Time | None = None
    valid_until: Time | None = None
    extractor: str
    created_at: Time
    superseded_at: Time | None = None
    superseded_how: str | None = None
    free: bool = False  # told for readers; an import finds it out again


class EarlierVersion(_Part, kw_only=True):
    """What a memory was before an update."""

    version: Number
    until: Time
    text: str
    type: str | None = None
    tags: list[str] = []
    importance: Share | None = None
    confidence: Share | None = None
    metadata: msgspec.Raw = NO_METADATA
    valid_from: Time | None = None
    valid_until: Time | None = None


class Header(_Line, kw_only=True, tag="header"):
    format: str
    version: int
    program: str
    tenant: str
    created_at: Time
    vectors: bool = False
    selection: dict[str, Any] | None = None


class AllowedSecretLine(_Line, kw_only=True, tag="allowed_secret"):
    fingerprint: Name
    reason: str
    created_at: Time


class ProjectLine(_Line, kw_only=True, tag="project"):
    key: Name
    label: Name
    joined_to: str | None = None
    looked_at: Time | None = None
    created_at: Time


class BlockLine(_Line, kw_only=True, tag="block"):
    id: Uuid
    name: Name
    text: str
    limit: Number
    pinned: bool = False
    project: str | None = None
    actor: str | None = None
    version: Number = 1
    created_at: Time
    changed_at: Time


class ItemLine(_Line, kw_only=True, tag="item"):
    """An item of the store. Namespace, key and value are JSON texts, in which NUL is escaped."""

    namespace: Name
    key: Name
    value: Name
    position: Number | None = None
    words: str | None = None  # what a search looks at in place of the texts in the value
    vectors: tuple[bytes, ...] = ()  # base64 of little-endian float32
    ttl_ms: Number | None = None
    expires_at: Time | None = None
    created_at: Time
    changed_at: Time


class EntityLine(_Line, kw_only=True, tag="entity"):
    category: Name
    slug: Name
    name: str


class MergeLine(_Line, kw_only=True, tag="merge"):
    category: Name
    slug: Name
    into_category: Name
    into_slug: Name


class PatternLine(_Line, kw_only=True, tag="pattern"):
    type: str
    slug: Name
    terms: str
    created_at: Time


class DocumentLine(_Line, kw_only=True, tag="document"):
    id: Uuid
    text: str
    project: str | None = None
    joined_from: str | None = None
    source: str | None = None
    key: str | None = None
    actor: str | None = None
    session: str | None = None
    date: Time | None = None
    date_by: str | None = None
    created_at: Time
    chunked_at: Time | None = None
    superseded_at: Time | None = None
    redactions: list[Redacted] = []


class MemoryLine(_Line, kw_only=True, tag="memory"):
    id: Uuid
    text: str
    document: Uuid | None = None
    project: str | None = None
    joined_from: str | None = None
    position: Number | None = None
    line: Number | None = None
    section: str = ""
    summary: str | None = None
    type: str | None = None
    importance: Share | None = None
    confidence: Share | None = None
    metadata: msgspec.Raw = NO_METADATA  # as it is stored, so that large numbers stay as they are
    actor: str | None = None
    session: str | None = None
    source: str | None = None
    said_at: Time | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    external_id: str | None = None
    key: str | None = None
    created_at: Time
    enriched_at: Time | None = None
    superseded_at: Time | None = None
    superseded_how: str | None = None
    archived_at: Time | None = None
    extractor: str | None = None
    degraded: str | None = None
    awaits_model_since: Time | None = None
    rejected: list[str] | None = None
    type_by: str | None = None
    importance_by: str | None = None
    confidence_by: str | None = None
    version: Number = 1
    changed_at: Time | None = None
    recalls: Number = 0  # answers that contained it, and when it was in the last one
    recalled_at: Time | None = None
    tags: list[Tag] = []
    mentions: list[Mention] = []
    titles: list[str] = []
    dates: list[DateRange] = []
    terms: PatternTerms | None = None
    patterns: list[Example] = []
    facts: list[ExportedFact] = []
    versions: list[EarlierVersion] = []
    redactions: list[Redacted] = []
    vector: Vector | None = None


class LinkLine(_Line, kw_only=True, tag="link"):
    source: Uuid
    type: Name
    target: Uuid
    weight: float
    extractor: str | None = None
    properties: msgspec.Raw = NO_METADATA
    created_at: Time


class NoteLine(_Line, kw_only=True, tag="note"):
    """What a memory says that lasts, what ended it, and what a person said of it."""

    memory: Uuid
    position: Number
    before: Uuid | None = None  # the turns around it, of which it may be made too
    after: Uuid | None = None
    type: str  # rule, decision, open, fix, done
    scope: str
    text: str
    problem: str | None = None
    old_names: str | None = None  # JSON, as the terms and the ended names
    terms: str
    sure: Share
    said_at: Time
    ended_by: Uuid | None = None
    ended_position: Number | None = None
    ended_how: str | None = None
    ended_names: str | None = None
    verdict: str | None = None


class SupersededLine(_Line, kw_only=True, tag="superseded"):
    """What replaces a memory, document or fact: another memory or document."""

    of: str  # memory, document or fact; archived: the memory was merged into the other
    id: Uuid
    by: Uuid


class Footer(_Line, kw_only=True, tag="footer"):
    lines: int  # including header and footer
    counts: dict[str, int]


Line: TypeAlias = (
    Header
    | AllowedSecretLine
    | BlockLine
    | ItemLine
    | ProjectLine
    | EntityLine
    | MergeLine
    | PatternLine
    | DocumentLine
    | MemoryLine
    | LinkLine
    | NoteLine
    | SupersededLine
    | Footer
)

_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(Line)


def encode(line: Line) -> bytes:
    return _encoder.encode(line) + b"\n"


def decode(data: bytes) -> Line:
    """Raises `InvalidInput` with what is wrong, and where in the line."""
    try:
        line: Line = _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(f"not a line of an export: {error}") from error
    if b"\\u0000" in data and any("\0" in text for text in texts_in(msgspec.json.decode(data))):
        raise InvalidInput("it contains a NUL character, which no text may contain")
    return line


def kind(line: Line) -> str:
    return str(line.__struct_config__.tag)


def texts_in(value: object) -> list[str]:
    """All strings in a line, without those that are stored as JSON, which may contain anything."""
    if isinstance(value, str):
        return [value]
    fields = {**value, "metadata": None, "properties": None} if isinstance(value, dict) else {}
    parts = value if isinstance(value, list) else fields.values()
    return [text for part in parts for text in texts_in(part)]


def header(data: bytes) -> Header:
    """The header in the first line. Raises `InvalidInput` if it is not one, or of a newer version."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(f"line 1: not the header of an export: {error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise InvalidInput(f'line 1: not the header of an export: it must contain "format": "{FORMAT}"')
    if not isinstance(version := found.get("version"), int) or version < 1:
        raise InvalidInput(f"line 1: invalid version {version!r}: must be an integer from 1")
    if version > VERSION:
        raise InvalidInput(
            f"line 1: the file has version {version} of the format, and this program reads up to {VERSION}: "
            "import it with a newer Jotsam"
        )
    try:
        line = decode(data)
    except InvalidInput as error:
        raise InvalidInput(f"line 1: {error}") from error
    assert isinstance(line, Header)
    return line


def fields(kind: type[Struct], *, but: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of the fields of a line, but for some."""
    return tuple(name for name in kind.__struct_fields__ if name not in but)


def decode_json(text: str) -> Any:
    return msgspec.json.decode(text)


def metadata_of(text: str | None) -> msgspec.Raw:
    """Stored metadata as a part of a line."""
    return NO_METADATA if text is None else msgspec.Raw(text.encode())


def metadata_text(part: msgspec.Raw) -> str | None:
    """Metadata as it is stored. Raises `InvalidInput` if it is not an object."""
    text = bytes(part).decode()
    if text == "null":
        return None
    if not text.startswith("{"):
        raise InvalidInput("invalid metadata: must be an object")
    if text.count("[") + text.count("{") > MAX_DEPTH:
        try:
            check_depth("metadata", decode_json(text))
        except RecursionError as error:
            raise InvalidInput("metadata is nested too deeply") from error
    return text


def changed(line: T, **changes: Any) -> T:
    """A copy with some fields changed."""
    return msgspec.structs.replace(line, **changes)
