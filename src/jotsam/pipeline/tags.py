"""Tags: the ones that entities give, and the check of those that a caller hands in.

A tag is a short line of text that recall filters by. This room must not know what a tag means to whom, and it must
stay light to import, because accepting a memory checks its tags.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.core.records import Entity

MAX_CHARACTERS = 200


def tags(entities: Iterable[Entity]) -> tuple[str, ...]:
    """One tag per entity, `entity:<category>:<slug>`, in the order given and without repeats."""
    return tuple(dict.fromkeys(f"entity:{entity.category}:{entity.slug}" for entity in entities))


def clean_tags(tags: Iterable[object]) -> tuple[str, ...]:
    """The caller's tags, stripped, in the order given and without repeats.

    Raises `InvalidInput` for a tag that is not text, is empty, is longer than 200 characters or holds a control
    character, and for one text where a list of tags is expected.
    """
    if not hasattr(tags, "__iter__"):
        raise InvalidInput(f"tags is {tags!r}: give a list of tags")
    if isinstance(tags, str | bytes):
        raise InvalidInput(f"tags is {tags[:40]!r}: give a list of tags, for example [{tags[:40]!r}]")
    return tuple(dict.fromkeys(_clean(tag) for tag in tags))


def _clean(tag: object) -> str:
    if not isinstance(tag, str):
        raise InvalidInput(f"tag {tag!r} is {type(tag).__name__}: a tag is text")
    clean = tag.strip()
    if not clean:
        raise InvalidInput(f"tag {tag!r} is empty: a tag has at least one visible character")
    if len(clean) > MAX_CHARACTERS:
        raise InvalidInput(f"tag {clean[:40]!r}... has {len(clean)} characters: at most {MAX_CHARACTERS} are allowed")
    if any(_is_control(character) for character in clean):
        raise InvalidInput(f"tag {tag!r} holds a control character: a tag is one line of plain text")
    return clean


def _is_control(character: str) -> bool:
    """Control characters, line separators, and halves of a surrogate pair, which no database can store."""
    return character < " " or "\x7f" <= character <= "\x9f" or character in "\u2028\u2029" or _is_surrogate(character)


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"
