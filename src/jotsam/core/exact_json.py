"""JSON that comes back as it was given, or is refused with the reason. Nothing is replaced or rounded."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.validate import check_list, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A request of HTTP may have 100 levels and 16 MiB: these leave room for what is around a value.
MAX_DEPTH = 90
MAX_LABELS = 100


def encoded(name: str, value: object) -> str:
    """A value as JSON text without line breaks. Raises `InvalidInput` for what would not come back equal."""
    import json  # slow to import

    _check(name, value)
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError as error:  # An integer of thousands of digits, or a float that is no number.
        if "digits" in str(error):
            raise InvalidInput(f"invalid {name}: an integer has more than 4,300 digits: give it as a text") from error
        raise InvalidInput(f"invalid {name}: JSON has no NaN and no infinity: give null or a text") from error
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"invalid {name}: must not contain unpaired surrogates, which JSON cannot hold") from error
    return text


def decoded(text: str) -> Any:
    import json

    return json.loads(text)


def labels(name: str, value: object, *, least: int = 1) -> tuple[str, ...]:
    """A path of labels, each a text that is not empty. Raises `InvalidInput`."""
    found = tuple(check_list(name, value))
    if not least <= len(found) <= MAX_LABELS:
        raise InvalidInput(f"invalid {name} of {len(found):,} labels: must be {least} to {MAX_LABELS}")
    for one in found:
        if not isinstance(one, str) or not one:
            raise InvalidInput(f"invalid {name} with the label {shown(one)}: must be a non-empty string")
    return found


def _check(name: str, value: object) -> None:
    """Raises `InvalidInput` for a type that JSON would change, and for deep nesting."""
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[object] = []
        for one in level:
            if isinstance(one, dict):
                wrong = next((key for key in one if not isinstance(key, str)), None)
                if wrong is not None:
                    raise InvalidInput(f"invalid {name} with the key {shown(wrong)}: a key of JSON is a string")
                inner += one.values()
            elif isinstance(one, list):
                inner += one
            elif not (one is None or isinstance(one, str | int | float)):
                hint = "give a list" if isinstance(one, tuple | set | frozenset) else "give what JSON has"
                raise InvalidInput(f"invalid {name} with {shown(one)}: a {type(one).__name__} is no JSON: {hint}")
        if not inner:
            return
        level = inner
    raise InvalidInput(f"{name} is nested too deeply: at most {MAX_DEPTH} objects and arrays inside each other")
