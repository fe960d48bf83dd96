"""Stored texts as they are put before a model unasked: without control characters. Pure."""

from __future__ import annotations

from jotsam.core.fence import escape_fence


def plain_line(text: str, limit: int) -> str:
    """The beginning of a text as one line of about `limit` characters, cut at a word.

    Control characters and invisible ones are removed: an escape sequence of a terminal has no place in a prompt.
    """
    line = " ".join(plain_text(text).split())
    if len(line) > limit:
        cut = line.rfind(" ", limit // 2, limit)
        line = line[: cut if cut > 0 else limit - 1] + "…"
    return escape_fence(line)


def plain_text(text: str) -> str:
    """The same for a text that keeps its lines. The fence is escaped where it is packed."""
    return text if text.isprintable() else "".join(map(_plain, text))


def _plain(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    return " " if character.isspace() else ""
