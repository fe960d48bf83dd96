"""Where the next page of an answer begins: after what the pages before have shown or left out as repeated.

A cursor names the references of those, and not a number of them. So no page repeats a memory and none loses one, also
when the token budget left out a long text for a shorter one, or something was stored between two pages.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.core.answers import Question

MAX_SEEN = 10_000  # references in a cursor
OF_A_PAGE = frozenset(("after", "tokens", "limit", "hit_tokens", "spooled"))  # may differ from page to page


def seen(question: Question) -> tuple[int, ...]:
    """The references of the pages before. Raises `InvalidInput` for a cursor of another question."""
    if question.after is None:
        return ()
    from jotsam.core.cursors import values_of

    found = values_of(question.after)
    if found and found[0] == _mark(question) and len(found) <= MAX_SEEN and all(map(_is_reference, found[1:])):
        return tuple(found[1:])
    about = "must be the `next` of an answer to the same question with the same filters"
    raise InvalidInput(f"invalid after {validate.shown(question.after)}: {about}")


def next_page(question: Question, used: Iterable[int]) -> str:
    from jotsam.core.cursors import cursor

    return cursor(_mark(question), *used)


def _mark(question: Question) -> str:
    """A checksum of the question without what may differ from page to page."""
    import json
    from hashlib import sha256

    fields = [(name, value) for name, value in question.as_dict().items() if name not in OF_A_PAGE]
    return sha256(json.dumps(fields, default=str, sort_keys=True).encode()).hexdigest()[:12]


def _is_reference(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= validate.MAX_ID
