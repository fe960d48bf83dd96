"""Adds the notes of an export to the memories that say them."""

from __future__ import annotations

import json

from jotsam.core.names import CLOSED, NOTE_KINDS, PERSON_SCOPE, PROJECT_SCOPE, REPEATED, REPLACED, VERDICTS
from jotsam.memory.transfer import export_format as lines
from jotsam.storage.memories.notes import ENDED, SETS
from jotsam.storage.transfer import exports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jotsam.ingest.redactor import Redactor
    from jotsam.storage.database import Transaction, Value

_NUMBERED = {"memory": "memory_id", "before": "before_id", "after": "after_id", "ended_by": "ended_by"}
_SAME = lines.fields(lines.NoteLine, but=(*_NUMBERED,))
_ALLOWED = {
    "type": NOTE_KINDS,
    "scope": (PROJECT_SCOPE, PERSON_SCOPE),
    "ended_how": (None, REPLACED, CLOSED, REPEATED),
    "verdict": (None, *VERDICTS),
}


def add_notes(
    tx: Transaction, own: Sequence[tuple[int, lines.NoteLine]], redactor: Callable[[Transaction], Redactor]
) -> tuple[int, int, list[tuple[int, str]]]:
    """Add notes, with what a person said of them.

    Returns how many are new, how many are made of a memory that is not stored, and which lines are refused, and why.
    """
    named = {uuid for _, line in own for name in _NUMBERED if (uuid := getattr(line, name)) is not None}
    numbers = exports.numbers(tx, "memory", named)
    new = lacking = 0
    refused: list[tuple[int, str]] = []
    for number, line in own:
        if any(one is not None and one not in numbers for one in (line.memory, line.before, line.after)):
            lacking += 1
        elif wrong := _wrong(line) or _secret(line, redactor(tx)):
            refused.append((number, wrong))
        else:
            new += exports.add_note(tx, **_columns(line, numbers))
    return new, lacking, refused


def _columns(line: lines.NoteLine, numbers: dict[str, int]) -> dict[str, Value]:
    columns: dict[str, Value] = {name: getattr(line, name) for name in _SAME}
    columns |= {column: numbers.get(getattr(line, name) or "") for name, column in _NUMBERED.items()}
    return columns if columns["ended_by"] is not None else columns | dict.fromkeys(ENDED)


def _wrong(line: lines.NoteLine) -> str:
    """What is wrong with a line, or ""."""
    for name, allowed in _ALLOWED.items():
        if (value := getattr(line, name)) not in allowed:
            return f"invalid {name} {str(value)[:40]!r} of a note: must be one of {', '.join(filter(None, allowed))}"
    try:
        terms = json.loads(line.terms)
        listed = [terms.get(name, []) for name in SETS]
        listed += [json.loads(text) for text in (line.old_names, line.ended_names) if text is not None]
    except (ValueError, AttributeError, RecursionError):
        return "invalid terms or names of a note: must be JSON"
    is_text = all(isinstance(some, list) and all(isinstance(one, str) for one in some) for some in listed)
    return "" if is_text else "invalid terms or names of a note: must be lists of texts"


def _secret(line: lines.NoteLine, redactor: Redactor) -> str:
    """Why a note is refused that has a secret, or "". Its memory has it without the secret."""
    for text in (line.text, line.problem or "", line.terms, line.old_names or "", line.ended_names or ""):
        redactor.redact_field("extracted", text)
    return "a note that contains a secret: it is read again with `jotsam models reprocess`" if redactor.found else ""
