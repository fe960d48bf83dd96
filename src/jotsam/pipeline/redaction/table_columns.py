"""Secrets in the columns of Markdown tables, below a heading such as "Password". Imports nothing at the start."""

from __future__ import annotations

from jotsam.pipeline.redaction.passwords import is_said_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING = (
    r"(?i:(?:.{0,30}[ _-])?(?P<password>passw(?:or)?[dt]|kennwort)"
    r"|(?:.{0,30}[ _-])?(?:secret|token|(?:api|access)[ _-]?key))"
)
# It begins with a line feed, because that is found faster than the beginning of a line.
_RULE = r"\n[ \t]{0,3}\|?(?:[ \t]{0,8}:?-{1,80}:?[ \t]{0,8}\|){1,60}(?:[ \t]{0,8}:?-{1,80}:?[ \t]{0,8})?(?m:$)"
_MIN_PASSWORD, _MIN_SECRET = 6, 12  # characters


def column_secrets(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each secret in a cell, in order."""
    import re

    read = 0  # end of the last table: what looks like a rule inside it is a row
    for rule in re.finditer(_RULE, text):
        if rule.start() + 1 < read:
            continue
        above = text[text.rfind("\n", 0, rule.start()) + 1 : rule.start()]
        headings = [re.fullmatch(_HEADING, heading.strip(" \t\n*`")) for heading in _cells(above)]
        if not any(headings):
            continue
        at = rule.end() + 1
        while at < len(text):
            end = text.find("\n", at)
            row = text[at : end if end >= 0 else len(text)]
            if "|" not in row:
                break
            place = at
            for heading, cell in zip(headings, _cells(row), strict=False):
                place = text.index(cell, place)
                value = cell.strip(" \t*`")
                if heading and _is_secret(value, is_password=heading["password"] is not None):
                    start = place + cell.index(value)
                    yield "password" if heading["password"] else "secret", start, start + len(value)
                place += len(cell)
            at += len(row) + 1
        read = at


def _cells(row: str) -> list[str]:
    cells = row.rstrip("\r\n").split("|")
    return cells[1:] if row.lstrip().startswith("|") else cells


def _is_secret(value: str, *, is_password: bool) -> bool:
    least = _MIN_PASSWORD if is_password else _MIN_SECRET
    return len(value) >= least and not any(map(str.isspace, value)) and is_said_secret(value)
