"""Tags: derived from entities, and validated from callers.

A tag is one line of text that recall filters by. The accept path imports this module, so it imports little.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.names import ENTITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.core.records import Entity

MAX_CHARACTERS = 200


def entity_tags(entities: Iterable[Entity]) -> tuple[str, ...]:
    """One tag per entity, `entity:<category>:<slug>`, in the given order without duplicates."""
    return tuple(dict.fromkeys(f"{ENTITY}{entity.category}:{entity.slug}" for entity in entities))


def clean_tags(tags: Iterable[object]) -> tuple[str, ...]:
    """The caller's tags, stripped, in the given order without duplicates.

    Raises `InvalidInput` for a tag that is not a string, is empty, has more than 200 characters or contains a control
    character, and for a string in place of a list.
    """
    if not hasattr(tags, "__iter__"):
        raise InvalidInput(f"invalid tags {tags!r}: must be a list of strings")
    if isinstance(tags, str | bytes):
        raise InvalidInput(f"invalid tags {tags[:40]!r}: must be a list of strings, for example [{tags[:40]!r}]")
    return tuple(dict.fromkeys(_clean(tag) for tag in tags))


def _clean(tag: object) -> str:
    if not isinstance(tag, str):
        raise InvalidInput(f"invalid tag {tag!r}: must be a string, not {type(tag).__name__}")
    clean = tag.strip()
    if not clean:
        raise InvalidInput(f"invalid tag {tag!r}: must not be empty")
    if len(clean) > MAX_CHARACTERS:
        raise InvalidInput(f"invalid tag {clean[:40]!r}...: {len(clean)} characters, the maximum is {MAX_CHARACTERS}")
    if any(_is_control(character) for character in clean):
        raise InvalidInput(f"invalid tag {tag!r}: must not contain control characters or line breaks")
    return clean


def _is_control(character: str) -> bool:
    """Whether it is a control character, a line separator or a lone surrogate, which no database can store."""
    return character < " " or "\x7f" <= character <= "\x9f" or character in "\u2028\u2029" or _is_surrogate(character)


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"
