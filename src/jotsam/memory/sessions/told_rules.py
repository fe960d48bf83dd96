"""Which rules an agent reads anyway, because a file of instructions such as CLAUDE.md has them.

The files may come with a clone. So only small regular files are read, and a rule counts as told only if one line says
it: a long line that has every word says nothing, and one without the "never" of the rule says the opposite.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from jotsam.core.own_files import read_regular
from jotsam.pipeline.languages import united
from jotsam.pipeline.notes.words import plain, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_BYTES = 200_000  # of a file: a larger one is not read
MAX_ITEM = 600  # characters of a line that can be a rule
MAX_ITEMS = 2_000  # of all files
TOLD = 0.8  # of the terms of a rule, in one line

_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_NOT = re.compile(r"\b(?:cannot|dont|\w+n't)\b")


def told_in(paths: Iterable[str]) -> Callable[[str], bool]:
    """Whether a rule is in one of these files. A file that cannot be read tells nothing."""
    items: list[str] = []
    for path in paths:
        try:
            text = read_regular(path, MAX_BYTES).decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        items += [plain(item) for item in _items(text) if len(item) <= MAX_ITEM]
    items = items[:MAX_ITEMS]

    @cache
    def with_term(term: str) -> list[str]:
        return [item for item in items if term in item]  # A stem is a part of its word.

    def is_told(rule: str) -> bool:
        wanted = terms(rule)
        enough = TOLD * len(wanted)
        found = Counter(item for term in wanted for item in with_term(term))
        return any(
            len(wanted & terms(item)) >= enough and _is_negative(item) == _is_negative(plain(rule))
            for item, number in found.items()
            if number >= enough
        )

    return is_told


def _items(text: str) -> Iterator[str]:
    """The lines of a text; those of a list item together."""
    item = ""
    for line in text.splitlines():
        if item and line[:1].isspace() and line.strip() and not _ITEM.match(line):
            item = f"{item} {line.strip()}"
            continue
        if item.strip():
            yield item
        item = line
    if item.strip():
        yield item


def _is_negative(lower: str) -> bool:
    return _NOT.search(lower) is not None or not united("negations").isdisjoint(re.findall(r"\w+", lower))
