"""Argument validation. Each `check_...` returns the value or raises `InvalidInput`.

`closest` is the known word that is most like an unknown one, for "did you mean".
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any


MAX_INT = 1_000_000_000
MAX_ID = 2**63 - 1
MAX_TOKEN_COUNT = 1_000_000_000  # of one request; a larger count is a bug of the server
# Bytes of a name in UTF-8. Several names are one key of an index, and a key of PostgreSQL holds 2,704 bytes at most. A
# source is part of fewer keys, and may be a path or an URL.
MAX_NAME_BYTES, MAX_SOURCE_BYTES = 500, 2_000
MAX_SHOWN = 80  # characters of a wrong value in a message
MAX_DEPTH = 100  # of objects and arrays inside each other: Python and other parsers read about 1,000 at most
LEAST_ALIKE = 0.6
MOST_CHARACTERS = 60  # Comparing takes quadratic time.


def check_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"invalid {name} {shown(value)}: must be a string")
    return value


def check_optional_text(name: str, value: object) -> str | None:
    return None if value is None else check_text(name, value)


def check_identifier(name: str, value: object) -> str:
    """A non-empty string that is stored unchanged: replacing characters could make two identifiers equal."""
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"invalid {name} {shown(value)}: must be a non-empty string")
    return check_name_length(name, check_characters(name, value))


def check_characters(name: str, value: str) -> str:
    """Text with characters that every database takes in a name, and SQLite in the path of a file."""
    if "\0" in value or not (value.isascii() or all(sign < "\ud800" or sign > "\udfff" for sign in value)):
        raise InvalidInput(f"invalid {name} {shown(value)}: must not contain NUL or unpaired surrogates")
    return value


def check_name_length(name: str, value: str) -> str:
    """A name that fits into the keys of every database."""
    limit = MAX_SOURCE_BYTES if name == "source" else MAX_NAME_BYTES
    if len(value) * 4 > limit and (size := len(value.encode("utf-8", "replace"))) > limit:
        raise InvalidInput(f"invalid {name} of {size:,} bytes: must be at most {limit:,} bytes in UTF-8")
    return value


def cut_name(value: str, *, limit: int) -> str:
    """The first bytes of a name, without a character that was cut through."""
    return value if len(value) * 4 <= limit else value.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def check_job_id(value: object) -> int:
    return check_int("job id", value, 0, MAX_ID)


def job_id_of(text: str) -> int:
    """The job id that a text is. Raises `InvalidInput`."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise InvalidInput(f"invalid job id {shown(text)}: must be a number")
    return int(text)


def check_int(name: str, value: object, low: int = 0, high: int = MAX_INT) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(f"invalid {name} {shown(value)}: must be an integer from {low:,} to {high:,}")
    return value


def check_share(name: str, value: object) -> float | None:
    """An importance or confidence, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"invalid {name} {shown(value)}: must be a number from 0 to 1")
    return float(value)


def check_bool(name: str, value: object) -> bool:
    """True or False; 1 and 0 are accepted."""
    if value not in (True, False):
        raise InvalidInput(f"invalid {name} {shown(value)}: must be True or False")
    return bool(value)


def check_choice(name: str, value: object, allowed: Collection[str]) -> str | None:
    """One of the allowed words, or None."""
    if value is not None and value not in allowed:
        raise InvalidInput(f"invalid {name} {shown(value)}: must be one of {', '.join(allowed)}")
    return value  # type: ignore[return-value]  # It is one of them.


def check_list(name: str, value: object) -> list[Any]:
    """Any iterable except a string or bytes, as a list."""
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise InvalidInput(f"invalid {name} {shown(value)}: must be a list")
    return list(value)


def check_depth(name: str, value: object) -> None:
    """Raises `InvalidInput` for JSON values that are nested too deeply."""
    level = [value]
    for _ in range(MAX_DEPTH):
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for values in inner for one in values if isinstance(one, dict | list | tuple)]  # type: ignore[attr-defined]
        if not level:
            return
    raise InvalidInput(f"{name} is nested too deeply: at most {MAX_DEPTH} objects and arrays inside each other")


def check_one(name: str, value: object, other: str, other_value: object) -> None:
    """Refuse two arguments of which neither or both are given."""
    if (value is None) == (other_value is None):
        given = f"neither {name} nor {other}" if value is None else f"both {name} and {other}"
        raise InvalidInput(f"{given} is given: give one of them")


def check_fields(given: Iterable[str], allowed: Collection[str]) -> None:
    """Refuse keyword arguments or keys that do not exist."""
    unknown = sorted(set(given) - set(allowed))
    if unknown:
        raise InvalidInput(f"unknown field {unknown[0]!r}; allowed: {', '.join(sorted(allowed))}")


def token_count(value: object, default: int) -> int:
    """A token count that a model reports, or the default if it is not plausible."""
    if not isinstance(value, int) or isinstance(value, bool):
        return default
    return value if 0 <= value <= MAX_TOKEN_COUNT else default


def replace_unstorable(value: str) -> str:
    """The text with NUL and unpaired surrogates, which a database refuses, replaced by U+FFFD."""
    return value.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def replace_unstorable_in_json(value: Any) -> Any:
    """`replace_unstorable` for every string of a decoded JSON value. Raises `RecursionError` for deep nesting."""
    if isinstance(value, str):
        return replace_unstorable(value)
    if isinstance(value, list):
        return [replace_unstorable_in_json(inner) for inner in value]
    if isinstance(value, dict):
        return {replace_unstorable(name): replace_unstorable_in_json(inner) for name, inner in value.items()}
    return value


def shown(value: object) -> str:
    """A value for a message: `repr`, shortened."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # An integer of thousands of digits, or deep nesting.
        text = f"of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, or None if none is."""
    from difflib import get_close_matches  # only for an error

    found = get_close_matches(word[:MOST_CHARACTERS].lower(), list(known), n=1, cutoff=LEAST_ALIKE)
    return found[0] if found else None
