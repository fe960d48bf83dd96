"""Lines and rows that are laid out to say facts: a column "Default", "- `name` - what it is", "Owner: Ana".

The subject of a row is its first cell, that of a line with a key the heading above it. Only columns and keys that are
known say anything. It must not read sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jotsam.core.records import Fact, Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import Page, bare
from jotsam.pipeline.facts.attributes import may_be, trait
from jotsam.pipeline.text.markdown import outline
from jotsam.pipeline.text.words import STOP_WORDS

OF_ROW, OF_ENTRY, OF_KEY = 0.7, 0.6, 0.7
"""How sure a fact is by where it stands."""

LONGEST_VALUE, LONGEST_DESCRIPTION, LONGEST_SUBJECT, LONGEST_LABEL = 6, 14, 4, 3
"""In words."""

_COLUMNS = {
    "default": "defaults_to",
    "default value": "defaults_to",
    "default weight": "defaults_to",
    "description": "described_as",
    "purpose": "described_as",
    "meaning": "described_as",
    "what it measures": "described_as",
    "what it does": "described_as",
    "definition": "described_as",
    "role": "described_as",
    "responsibility": "described_as",
    "owner": "owner",
    "maintainer": "maintainer",
    "port": "port",
    "version": "version",
    "license": "license",
    "language": "written_in",
    "dimensions": "dimensions",
    "required": "required",
}
_KEYS = {
    "owner": "owner",
    "maintainer": "maintainer",
    "lead": "lead",
    "port": "port",
    "version": "version",
    "current version": "version",
    "license": "license",
    "status": "status",
    "deadline": "deadline",
    "language": "written_in",
    "stack": "uses",
    "tech stack": "uses",
    "database": "uses",
    "dependencies": "depends_on",
}
_LISTED = frozenset(("uses", "depends_on", "written_in"))
_FREE = frozenset(("uses",))
"""What a text says of those who wrote it, where no heading names a thing."""

_RULE = re.compile(r"\s*+\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+")
_ENTRY = re.compile(
    r"\s*[-*+] (?:`(?P<code>[^`\n]{2,60})`|\*\*(?P<term>[^*\n]{2,40}?):?\*\*)\s*(?::|—|–|-)\s+(?P<told>.+)"
)
_KEY = re.compile(
    r"(?:^|·|\|)[\s>*+-]*(?:\*\*)?(?P<key>[A-Za-z][A-Za-z ]{2,20})(?::\*\*|\*\*:|:) +(?P<told>[^·|\n]{1,120})"
)
_POINT = re.compile(r"\s*[-*+] ")
_CUT = re.compile(r"(?<=[^.])(?:\.(?:\s|$)|;|\s\(|\s—\s|\s–\s|\s-\s|:\s|\s→)|\((?:see|default|e\.g)")
_EMPTY_CELL = re.compile(r"[-–—\s?✅❌]*|n/?a|none|varies|tbd|unset|\W*\(?unset\)?\W*", re.IGNORECASE)
_INSTRUCTION = gazetteer.words(
    """
    see use pass run set check added fixed created updated removed changed moved renamed enhanced implemented improved
    refactored extracted consolidated configured introduced replaced switched bumped same all see if when click go open
    phase should must may not no also now new still example deprecated done required optional whether how what why where
    """
)
_NAMELESS = gazetteer.words(
    """
    overview status settings setup configuration introduction summary background notes todo changelog contents goals
    scope usage installation details general metadata info about step phase part appendix problem solution context
    next questions unreleased features fixes added changed fixed
    """
)
_WORD_OF_NAME = re.compile(r"[A-Za-z]{3}")
_VERBAL = re.compile(r"^[^.;(]* (?:is|are|was|were|will|can|must|should|has|have)\b")
_NO_TEXT = frozenset("0123456789\"“'({[")
_OPTION = re.compile(r"[\w./:{}<>*=-]+(?: [\w./:{}<>*=-]+){0,3}")


class _Table(Record):
    """What the columns of a table say."""

    columns: tuple[str | None, ...]


def lines(page: Page) -> Iterator[Fact]:
    """Facts of rows, entries and keys, in their order."""
    text = page.text
    if not any(mark in text for mark in ("|", ":", " - ", "— ", "– ")):
        return
    structure = outline(text)
    table: _Table | None = None
    before, place, heading = "", 0, ""
    for line in text.split("\n"):
        end = place + len(line)
        if any(start <= place < stop for start, stop in structure.fences):
            table = None
        elif any(title.start <= place < title.end for title in structure.headings):
            heading = next(title.title for title in structure.headings if title.start <= place < title.end)
            table = None
        elif "|" in line and (table is not None or _RULE.fullmatch(line)):
            if table is None:
                table = _table(before)
            else:
                yield from _row(table, line)
        else:
            table = None
            yield from _entry(line)
            yield from _keys(line, bare(heading))
        before, place = line, end + 1


def _table(header: str) -> _Table | None:
    columns = tuple(_COLUMNS.get(bare(cell).lower()) for cell in _cells(header)[1:])
    return _Table(columns=columns)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def _row(table: _Table, line: str) -> Iterator[Fact]:
    first, *cells = _cells(line)
    subject = bare(first)
    if len(cells) != len(table.columns) or not _is_subject(subject):
        return
    for column, cell in zip(table.columns, cells, strict=True):
        if column == "described_as":
            yield from _described(subject, cell, OF_ROW)
        elif column == "required":
            if bare(cell).strip("✅ ").lower() in ("yes", "required"):
                yield Fact(subject=subject, predicate="is", object="required", confidence=OF_ROW)
        elif column == "defaults_to":
            told = _value(cell)
            if told and _is_option(subject):
                yield Fact(subject=subject, predicate=column, object=told, confidence=OF_ROW)
        elif column is not None:
            yield from _told(subject, column, cell, OF_ROW)


def _is_subject(subject: str) -> bool:
    words = subject.split()
    is_short = 1 <= len(words) <= LONGEST_SUBJECT and 2 <= len(subject) <= 60
    is_short = is_short and not set(subject.lower().split()) <= STOP_WORDS
    return is_short and _WORD_OF_NAME.search(subject) is not None and not set("{}<>?=→") & set(subject)


def _is_option(subject: str) -> bool:
    """A name that stands for the same wherever it is written: RECALL_MIN_SCORE, --budget, not "limit"."""
    return " " not in subject and (
        any(mark in subject.strip("-_.") for mark in "_-.") or (subject.isupper() and len(subject) > 3)
    )


def _value(cell: str) -> str | None:
    """A short value without what is added in brackets; None for none."""
    told = bare(re.sub(r"\s+_?\(.*", "", cell)).strip(" .,;")
    is_short = 0 < len(told.split()) <= LONGEST_VALUE and len(told) <= 60
    return told if is_short and _EMPTY_CELL.fullmatch(told) is None and not told.startswith("(") else None


def _described(subject: str, cell: str, confidence: float) -> Iterator[Fact]:
    cut = _CUT.search(cell, 3)
    if cut is not None and cut[0].strip() in ("—", "–", "-") and len(cell[: cut.start()].split()) <= LONGEST_LABEL:
        return
    told = bare(cell[: cut.start()] if cut else cell).strip(" .,;:")
    words = told.lower().split()
    if not 2 <= len(words) <= LONGEST_DESCRIPTION or _EMPTY_CELL.fullmatch(told) or "?" in told or "http" in told:
        return
    if (
        told.count("(") == told.count(")")
        and told.count("`") % 2 == 0
        and words[0] not in _INSTRUCTION
        and cell[0] not in _NO_TEXT
    ):
        yield Fact(subject=subject, predicate="described_as", object=told, confidence=confidence)


def _told(subject: str, predicate: str, cell: str, confidence: float) -> Iterator[Fact]:
    pieces = re.split(r",\s+|\s+and\s+", cell) if predicate in _LISTED else [cell]
    for piece in pieces:
        told = _value(piece)
        if told is not None and may_be(predicate, told):
            yield trait(subject, predicate, told, confidence=confidence)


def _entry(line: str) -> Iterator[Fact]:
    """ "- `graph.py` - queries of the graph", "- **Worker**: a process that ..."."""
    found = _ENTRY.fullmatch(line) if line.lstrip()[:2] in ("- ", "* ", "+ ") else None
    if found is None:
        return
    told = found["told"]
    is_defined = bare(told).lower().startswith(("a ", "an ")) and _VERBAL.search(told) is None
    if found["code"]:
        subject = found["code"].strip()
        if _OPTION.fullmatch(subject) and _is_subject(subject) and not told.startswith("`"):
            yield from _described(subject, told, OF_ENTRY)
    elif is_defined and _is_subject(found["term"]):
        yield from _described(bare(found["term"]), told, OF_ENTRY)


def _keys(line: str, heading: str) -> Iterator[Fact]:
    if ":" not in line:
        return
    words = heading.lower().split()
    names = 1 <= len(words) <= LONGEST_SUBJECT and not set(words) & _NAMELESS and not heading[0].isdigit()
    for found in _KEY.finditer(line):
        predicate = _KEYS.get(found["key"].strip().lower())
        is_bare_point = "*" not in found[0] and _POINT.match(line) is not None
        if predicate is None or "?" in found["told"] or (is_bare_point and predicate == "status"):
            continue
        if names:
            yield from _told(heading, predicate, found["told"], OF_KEY)
        elif predicate in _FREE:
            yield from _told("we", predicate, found["told"], OF_KEY)
