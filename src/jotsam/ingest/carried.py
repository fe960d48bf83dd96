"""What a queued command carries instead of paths: documents and turns as JSON values, redacted where they were read.

The queue is a table that other programs can write to, so every field is checked when it is read back.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Document, Redaction
from jotsam.ingest.capture import ReadFile, Turn
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import check_document, storable_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

REDACTION_FIELDS = ("kind", "place", "fingerprint")
DOCUMENT_FIELDS = ("text", "source", "project", "actor", "date", "date_by")
TURN_FIELDS = tuple(name for name in Turn._fields if name not in ("tenant", "redactions"))
NUMBERS = ("date", "said_at", "position")


def default_key(job_id: int, number: int = 0) -> str:
    """Idempotency key of a command's text without a source: the command runs again if its worker dies."""
    return f"command:{job_id}" + (f":{number}" if number else "")


def redacted_file(file: ReadFile) -> ReadFile:
    """A file with its text and fields redacted, and the redactions; a refused one has the error instead."""
    if file.document is None:
        return file
    redactor = Redactor()
    try:
        text = redactor.redact_text(storable_text(file.document.text)[0])
        document = redactor.redact_fields(check_document(file.document), file.key).replace(text=text)
    except InvalidInput as error:
        return ReadFile(name=file.name, error=InvalidInput(f"{file.name}: {error}"))
    warnings = (*file.warnings, *redactor.warnings)
    return file.replace(document=document, redactions=tuple(redactor.found), warnings=warnings)


def document_fields(file: ReadFile) -> dict[str, Any]:
    """A redacted file as a JSON object."""
    assert file.document is not None
    fields = {name: getattr(file.document, name) for name in DOCUMENT_FIELDS}
    return {"name": file.name, **fields, "redactions": _redaction_fields(one.as_dict() for one in file.redactions)}


def turn_fields(turn: Turn) -> dict[str, Any]:
    """A redacted turn as a JSON object."""
    fields = {name: getattr(turn, name) for name in TURN_FIELDS}
    return {**fields, "redactions": _redaction_fields(turn.redactions)}


def file_of(value: Mapping[str, Any], *, tenant: str, key: str | None, default_key: str) -> ReadFile:
    """The file of a JSON object, with its idempotency key; `default_key` is that of a text without a source.

    Raises `InvalidInput`.
    """
    name, fields = value.get("name"), _checked(value, DOCUMENT_FIELDS)
    if not isinstance(name, str) or fields.get("text") is None:
        raise InvalidInput("invalid document of a queued command: name and text must be strings")
    document = Document(**fields, tenant=tenant)
    redactions = tuple(Redaction(**one) for one in _redactions(value))
    key = key or (None if document.source else default_key)
    return ReadFile(name=name, document=document, key=key, redactions=redactions)


def turn_of(value: Mapping[str, Any]) -> Turn:
    """The turn of a JSON object. Raises `InvalidInput`."""
    fields = _checked(value, TURN_FIELDS)
    missing = [name for name in TURN_FIELDS if name not in Turn._defaults and fields.get(name) is None]
    if missing:
        raise InvalidInput(f"invalid turn of a queued command: {missing[0]} is missing")
    return Turn(**fields, redactions=tuple(_redactions(value)))


def _redaction_fields(redactions: Any) -> list[dict[str, Any]]:
    return [{name: one[name] for name in REDACTION_FIELDS} for one in redactions]


def _redactions(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = value.get("redactions", [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise InvalidInput("invalid redactions of a queued command: must be a list of objects")
    checked = [_checked(one, REDACTION_FIELDS) for one in found]
    if not all(one.get("kind") and one.get("place") for one in checked):
        raise InvalidInput("invalid redactions of a queued command: kind or place is missing")
    return checked


def _checked(value: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields: each a string, or an integer where it is a time or a position, or null."""
    fields = {name: value[name] for name in names if name in value}
    for name, field in fields.items():
        wanted = int if name in NUMBERS else str
        if field is not None and (not isinstance(field, wanted) or isinstance(field, bool)):
            raise InvalidInput(f"invalid {name} {field!r} of a queued command: must be a {wanted.__name__}")
    return fields
