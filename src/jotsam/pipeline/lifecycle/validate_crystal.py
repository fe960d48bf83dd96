"""Why a claim must not become a crystal, although enough speaks for it."""

from __future__ import annotations

import re

from jotsam.pipeline.lifecycle.agreement import is_comparable, key_of

MAX_CHARACTERS = 1_500
MAX_TITLE = 80

_PATH = re.compile(r"(?<![\w:/.<~])/(?:[\w.@+-]+/)+[\w.@+-]+")


def problem_with(text: str, *, is_quote: bool, sources: int) -> str | None:
    """Why it is refused; None: it is not. Pure: paths and titles are checked elsewhere."""
    if len(text) > MAX_CHARACTERS:
        return f"too long: {len(text):,} characters, the maximum is {MAX_CHARACTERS:,}"
    if not is_comparable(key_of(text)):
        return "vague: it has too few words of its own"
    if not is_quote and sources < 2:
        return "no quote: its only source does not contain it word by word"
    return None


def paths(text: str) -> list[str]:
    """The absolute paths in a text."""
    return [path.rstrip(".") for path in _PATH.findall(text)]


def title_of(text: str) -> str:
    """The beginning of a claim, as one line."""
    line = " ".join(text.split())
    if len(line) <= MAX_TITLE:
        return line
    return line[: MAX_TITLE - 3].rpartition(" ")[0].rstrip(",;:") + "..."
