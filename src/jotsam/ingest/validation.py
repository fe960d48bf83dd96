"""Validates and normalises the fields of documents and memories. Each function raises `InvalidInput`."""

from __future__ import annotations

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import as_type
from jotsam.core.validate import MAX_DEPTH, MAX_ID, check_depth, check_int, check_name_length, check_share
from jotsam.pipeline.tags import clean_tags
from jotsam.pipeline.text.words import normalise_newlines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import Document, Memory

# Short fields that describe a text, and those that identify it or its context.
DESCRIPTIVE_FIELDS = ("source", "actor", "type", "section")
IDENTIFYING_FIELDS = ("project", "session", "external_id")


def storable_text(text: object) -> tuple[str, tuple[str, ...]]:
    """The text as a database can store it, and warnings about replaced characters."""
    if not isinstance(text, str):
        raise InvalidInput(f"invalid text of type {type(text).__name__}: must be a string")
    text, warnings = _replace_unstorable(text)
    return text.removeprefix("\ufeff"), warnings


def check_line(name: str, value: object) -> str | None:
    """A short field without surrounding whitespace; None if it is empty."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"invalid {name} {value!r}: must be a string")
    value = _replace_unstorable(value)[0].strip()
    return check_name_length(name, value) or None


def check_key(value: object) -> str:
    """The key of one memory, as it is stored."""
    name = check_line("key", value)
    if name is None:
        raise InvalidInput(f"invalid key {value!r}: must have a visible character")
    return name


def check_actor(value: object) -> str | None:
    """The actor by which a call filters. An empty one would filter nothing and show the memories of others."""
    name = check_line("actor", value)
    if name is None and value is not None:
        raise InvalidInput(f"invalid actor {value!r}: must have a visible character; leave it out for all actors")
    return name


def check_tenant(value: object) -> str:
    """The name of a tenant. It is never normalised: that could turn it into the name of another tenant."""
    name = check_line("tenant", value)
    if name is None or name != value:
        raise InvalidInput(
            f"invalid tenant {value!r}: must be a name without surrounding whitespace, NUL or unpaired surrogates"
        )
    return name


def check_document(document: Document) -> Document:
    """The document with every field but its text validated."""
    return document.replace(
        tenant=check_tenant(document.tenant),
        project=check_line("project", document.project),
        source=check_line("source", document.source),
        actor=check_line("actor", document.actor),
        session=check_line("session", document.session),
        date=None if document.date is None else parse_time(document.date, name="date"),
    )


def check_memory(memory: Memory) -> Memory:
    """The memory with every field but its text and metadata validated."""
    changes: dict[str, object] = {"tenant": check_tenant(memory.tenant), "tags": clean_tags(memory.tags)}
    for name in (*IDENTIFYING_FIELDS, *DESCRIPTIVE_FIELDS):
        changes[name] = check_line(name, getattr(memory, name))
    changes["section"] = changes["section"] or ""
    for name in ("said_at", "valid_from", "valid_until"):
        value = getattr(memory, name)
        changes[name] = None if value is None else parse_time(value, name=name)
    for name in ("importance", "confidence"):
        changes[name] = check_share(name, getattr(memory, name))
    if changes["type"]:
        changes["type"] = as_type(str(changes["type"]))
    memory = memory.replace(**changes)
    if memory.valid_from is not None and memory.valid_until is not None and memory.valid_until < memory.valid_from:
        raise InvalidInput(
            f"invalid valid_until {memory.valid_until}: must not be before valid_from {memory.valid_from}"
        )
    if memory.position is not None:
        check_int("position", memory.position, 0, MAX_ID)
    return memory


def metadata_json(metadata: object, *, name: str = "metadata") -> str | None:
    """Metadata, or another mapping called `name`, as JSON text."""
    if metadata is None:
        return None
    import json  # slow to import, and rarely needed

    if not isinstance(metadata, dict):
        raise InvalidInput(f"invalid {name} of type {type(metadata).__name__}: must be a dict")
    try:
        text = json.dumps(metadata, ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"invalid {name}: must be JSON: {error}") from error
    if text.count("[") + text.count("{") > MAX_DEPTH:
        check_depth(name, metadata)
    return text


def _replace_unstorable(text: str) -> tuple[str, tuple[str, ...]]:
    warnings = []
    if "\r" in text:
        text = normalise_newlines(text)
    if "\0" in text:
        warnings.append(f"{text.count(chr(0))} NUL characters replaced")
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        warnings.append("unpaired surrogates replaced")
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text, tuple(warnings)
