"""What a caller gives: looked at where it comes in, and named with what is allowed when it is wrong.

It stands on the ground, so that every floor says it alike. Each function returns the value, or raises `InvalidInput`.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any

MOST = 1_000_000_000


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {_shown(value)}: give a str")
    return value


def text_or_none(name: str, value: object) -> str | None:
    return None if value is None else text(name, value)


def exact(name: str, value: object) -> str:
    """A text by which something is known, kept as it is: where a NUL is mended, two names become one."""
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"{name} is {_shown(value)}: give a text with at least one character")
    if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
        raise InvalidInput(f"{name} is {_shown(value)}: give a text without NUL or halves of surrogate pairs")
    return value


def number_of_job(value: object) -> int:
    return whole("the number of a job", value, 0, 2**63 - 1)


def whole(name: str, value: object, low: int = 0, high: int = MOST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(f"{name} is {_shown(value)}: give a whole number from {low:,} to {high:,}")
    return value


def flag(name: str, value: object) -> bool:
    """True or false; 1 and 0 are these too."""
    if value not in (True, False):
        raise InvalidInput(f"{name} is {_shown(value)}: give True or False")
    return bool(value)


def one_of(name: str, value: object, allowed: Collection[str]) -> str | None:
    """One of a few words, or none."""
    if value is not None and value not in allowed:
        raise InvalidInput(f"{name} is {_shown(value)}: give one of {', '.join(allowed)}")
    return value  # type: ignore[return-value]  # It is one of them.


def several(name: str, value: object) -> list[Any]:
    """What can be gone through; a text is one thing, and not the many letters that it has."""
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise InvalidInput(f"{name} is {_shown(value)}: give a list")
    return list(value)


def storable(value: str) -> str:
    """A text as every database can keep it: NUL and halves of surrogate pairs become U+FFFD."""
    return value.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def all_storable(value: Any) -> Any:
    """The same for every text in a value out of JSON. Raises `RecursionError` for one that is nested too deeply."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [all_storable(inner) for inner in value]
    if isinstance(value, dict):
        return {storable(name): all_storable(inner) for name, inner in value.items()}
    return value


def known(what: str, given: Iterable[str], fields: Collection[str]) -> None:
    """Only fields that there are. `what` has them: "a memory"."""
    strange = sorted(set(given) - set(fields))
    if strange:
        raise InvalidInput(f"{what} has no field {strange[0]!r}; it has {', '.join(sorted(fields))}")


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
