"""Compares what a command printed with what a page shows.

An id, a date of today and a duration differ in each run. An id on the page means the same id everywhere on that page,
also in later commands. `...` is any text within a line; a line of `...` alone is any number of lines.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![0-9a-f])[0-9a-f]{8}(?![0-9a-f])"
_VARIABLE = re.compile(
    rf"(?P<id>{ID})|(?P<date>\d{{4}}-\d\d-\d\d(?:T[\d:]+Z)?)|(?P<time>\b\d+(?:\.\d+)? (?:ms|s|GB)\b)"
    r"|(?P<any>\.\.\.)"
)
_ANY_LINES = "\x00any lines\x00"


class Ids:
    """Which id of a page is which id of this run."""

    def __init__(self) -> None:
        self._actual: dict[str, str] = {}

    def resolve(self, command: str) -> str:
        """A command as it is typed, with the ids of this run. An id that no output has shown stays as it is."""
        return re.sub(ID, lambda found: self._of_this_run(found[0]), command)

    def _of_this_run(self, id: str) -> str:
        actual = self._actual.get(id[:8], id)
        return actual if len(id) > 8 else actual[:8]

    def match(self, shown: str, printed: str) -> bool:
        """True if `printed` is what the page shows; then its ids are remembered."""
        pattern, ids = self._pattern(shown)
        found = re.fullmatch(pattern, printed.rstrip())
        if not found:
            return False
        pairs = list(zip(ids, found.groups(), strict=True))
        for page, actual in pairs:
            known = self._actual.setdefault(page[:8], actual)
            if known[:8] != actual[:8]:
                return False
            if len(actual) > len(known):
                self._actual[page[:8]] = actual
        return len({actual[:8] for actual in self._actual.values()}) == len(self._actual)

    @staticmethod
    def _pattern(shown: str) -> tuple[str, list[str]]:
        text = re.sub(r"^ *\.\.\.\n", _ANY_LINES, shown.rstrip() + "\n", flags=re.MULTILINE).rstrip("\n")
        ids: list[str] = []
        parts, at = [], 0
        for variable in _VARIABLE.finditer(text):
            parts.append(re.escape(text[at : variable.start()]))
            parts.append(_expression(variable, ids))
            at = variable.end()
        parts.append(re.escape(text[at:]))
        return "".join(parts).replace(re.escape(_ANY_LINES), r"(?:[^\n]*\n)*?(?:[^\n]*\Z)?"), ids


def _expression(variable: re.Match[str], ids: list[str]) -> str:
    text = variable[0]
    if variable["id"]:
        ids.append(text)
        return f"({ID})" if len(text) > 8 else r"((?<![0-9a-f])[0-9a-f]{8}(?![0-9a-f]))"
    if variable["any"]:
        return r"[^\n]*"
    if variable["date"]:
        today = datetime.now(UTC).date().isoformat()
        return rf"(?:{re.escape(text)}|{today}(?:T[\d:.]+Z)?)"
    unit = text.rpartition(" ")[2]
    return r"[\d.]+ GB" if unit == "GB" else r"\d[\d,]*(?:\.\d+)? (?:ms|s)"
