"""Facts of table rows, list entries and key-value lines: a column "Default", "- `name` - description", "Owner: Ana".

The subject of a row is its first cell, that of a key-value line is the heading above it. Only known columns and keys
give facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Fact, Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import AnnotatedText, strip_markup
from jotsam.pipeline.facts.attributes import attribute_fact, is_plausible_value
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.markdown import outline

ROW_CONFIDENCE, ENTRY_CONFIDENCE, KEY_CONFIDENCE = 0.7, 0.6, 0.7
MAX_VALUE_WORDS, MAX_DESCRIPTION_WORDS, MAX_SUBJECT_WORDS, MAX_LABEL_WORDS = 6, 14, 4, 3
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
_LIST_PREDICATES = frozenset(("uses", "depends_on", "written_in"))
_PREDICATES_OF_AUTHORS = frozenset(("uses",))  # The subject is "we" if no heading gives one.

_OF_FUNCTIONS = frozenset(("returns", "yields", "raises", "return", "args"))

_RULE = lazy_pattern(r"\s*+\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+")
_ENTRY = lazy_pattern(
    r"\s*[-*+] (?:`(?P<code>[^`\n]{2,60})`|\*\*(?P<term>[^*\n]{2,40}?):?\*\*)\s*(?::|—|–|-)\s+(?P<told>.+)"
)
_KEY = lazy_pattern(
    r"(?:^|·|\|)[\s>*+-]*(?:\*\*)?(?P<key>[A-Za-z][A-Za-z ]{2,20})(?::\*\*|\*\*:|:) +(?P<told>[^·|\n]{1,120})"
)
_BULLET = lazy_pattern(r"\s*[-*+] ")
_DESCRIPTION_END = lazy_pattern(r"(?<=[^.])(?:\.(?:\s|$)|;|\s\(|\s—\s|\s–\s|\s-\s|:\s|\s→)|\((?:see|default|e\.g)")
_EMPTY_CELL = lazy_pattern(r"[-–—\s?✅❌]*|n/?a|none|varies|tbd|unset|\W*\(?unset\)?\W*", re.IGNORECASE)
_INSTRUCTION = gazetteer.word_set(
    """
    see use pass run set check added fixed created updated removed changed moved renamed enhanced implemented improved
    refactored extracted consolidated configured introduced replaced switched bumped same all see if when click go open
    phase should must may not no also now new still example deprecated done required optional whether how what why where
    """
)
_GENERIC_HEADINGS = gazetteer.word_set(
    """
    overview status settings setup configuration introduction summary background notes todo changelog contents goals
    scope usage installation details general metadata info about step phase part appendix problem solution context
    next questions unreleased features fixes added changed fixed
    """
)
_WORD_OF_NAME = lazy_pattern(r"[A-Za-z]{3}")
_HAS_VERB = lazy_pattern(r"^[^.;(]* (?:is|are|was|were|will|can|must|should|has|have)\b")
_NOT_TEXT_START = frozenset("0123456789\"“'({[")
_OPTION = lazy_pattern(r"[\w./:{}<>*=-]+(?: [\w./:{}<>*=-]+){0,3}")


class _Table(Record):
    """The predicates of the columns after the first, `None` for unknown columns."""

    columns: tuple[str | None, ...]


def table_and_list_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    """The facts of table rows, list entries and key-value lines, in order."""
    text = annotated.text
    if not any(mark in text for mark in ("|", ":", " - ", "— ", "– ")):
        return
    structure = outline(text)
    table: _Table | None = None
    previous_line, offset, heading = "", 0, ""
    for line in text.split("\n"):
        end = offset + len(line)
        if any(start <= offset < stop for start, stop in structure.fences):
            table = None
        elif any(title.start <= offset < title.end for title in structure.headings):
            heading = next(title.title for title in structure.headings if title.start <= offset < title.end)
            table = None
        elif "|" in line and (table is not None or _RULE.fullmatch(line)):
            if table is None:
                table = _table(previous_line)
            else:
                yield from _row_facts(table, line)
        else:
            table = None
            yield from _entry_facts(line)
            yield from _key_facts(line, strip_markup(heading))
        previous_line, offset = line, end + 1


def _table(header: str) -> _Table | None:
    columns = tuple(_COLUMNS.get(strip_markup(cell).lower()) for cell in _cells(header)[1:])
    return _Table(columns=columns)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def _row_facts(table: _Table, line: str) -> Iterator[Fact]:
    first, *cells = _cells(line)
    subject = strip_markup(first)
    if len(cells) != len(table.columns) or not _is_subject(subject):
        return
    for column, cell in zip(table.columns, cells, strict=True):
        if column == "described_as":
            if _is_told_of(subject):
                yield from _description_facts(subject, cell, ROW_CONFIDENCE)
        elif column == "required":
            if strip_markup(cell).strip("✅ ").lower() in ("yes", "required"):
                yield Fact(subject=subject, predicate="is", object="required", confidence=ROW_CONFIDENCE)
        elif column == "defaults_to":
            value = _cell_value(cell)
            if value and _is_option(subject):
                yield Fact(subject=subject, predicate=column, object=value, confidence=ROW_CONFIDENCE)
        elif column is not None:
            yield from _attribute_facts(subject, column, cell, ROW_CONFIDENCE)


def _is_subject(subject: str) -> bool:
    words = subject.split()
    is_short = 1 <= len(words) <= MAX_SUBJECT_WORDS and 2 <= len(subject) <= 60
    is_short = is_short and not set(subject.lower().split()) <= STOP_WORDS
    return is_short and _WORD_OF_NAME.search(subject) is not None and not set("{}<>?=→") & set(subject)


def _is_told_of(subject: str) -> bool:
    """Whether a description of the name is of use alone: not of a parameter such as "data" or "RETURNS"."""
    return _is_option(subject) if subject.islower() or subject.isupper() else subject.lower() not in _OF_FUNCTIONS


def _is_option(subject: str) -> bool:
    """Whether the name is unambiguous outside its table: RECALL_MIN_SCORE, --budget, not "limit"."""
    return " " not in subject and (
        any(mark in subject.strip("-_.") for mark in "_-.")
        or (subject.isupper() and len(subject) > 3 and subject.lower() not in _OF_FUNCTIONS)
    )


def _cell_value(cell: str) -> str | None:
    """A short value without text in brackets, or `None`."""
    value = strip_markup(re.sub(r"\s+_?\(.*", "", cell)).strip(" .,;")
    is_short = 0 < len(value.split()) <= MAX_VALUE_WORDS and len(value) <= 60
    return value if is_short and _EMPTY_CELL.fullmatch(value) is None and not value.startswith("(") else None


def _description_facts(subject: str, cell: str, confidence: float) -> Iterator[Fact]:
    cut = _DESCRIPTION_END.search(cell, 3)
    if cut is not None and cut[0].strip() in ("—", "–", "-") and len(cell[: cut.start()].split()) <= MAX_LABEL_WORDS:
        return
    value = strip_markup(cell[: cut.start()] if cut else cell).strip(" .,;:")
    words = value.lower().split()
    if not 2 <= len(words) <= MAX_DESCRIPTION_WORDS or _EMPTY_CELL.fullmatch(value) or "?" in value or "http" in value:
        return
    if (
        value.count("(") == value.count(")")
        and value.count("`") % 2 == 0
        and words[0] not in _INSTRUCTION
        and cell[0] not in _NOT_TEXT_START
    ):
        yield Fact(subject=subject, predicate="described_as", object=value, confidence=confidence)


def _attribute_facts(subject: str, predicate: str, cell: str, confidence: float) -> Iterator[Fact]:
    pieces = re.split(r",\s+|\s+and\s+", cell) if predicate in _LIST_PREDICATES else [cell]
    for piece in pieces:
        value = _cell_value(piece)
        if value is not None and is_plausible_value(predicate, value):
            yield attribute_fact(subject, predicate, value, confidence=confidence)


def _entry_facts(line: str) -> Iterator[Fact]:
    """Matches "- `graph.py` - queries of the graph", "- **Worker**: a process that ..."."""
    match = _ENTRY.fullmatch(line) if line.lstrip()[:2] in ("- ", "* ", "+ ") else None
    if match is None:
        return
    value = match["told"]
    is_defined = strip_markup(value).lower().startswith(("a ", "an ")) and _HAS_VERB.search(value) is None
    if match["code"]:
        subject = match["code"].strip()
        if _OPTION.fullmatch(subject) and _is_subject(subject) and _is_option(subject) and not value.startswith("`"):
            yield from _description_facts(subject, value, ENTRY_CONFIDENCE)
    elif is_defined and _is_subject(match["term"]):
        yield from _description_facts(strip_markup(match["term"]), value, ENTRY_CONFIDENCE)


def _key_facts(line: str, heading: str) -> Iterator[Fact]:
    if ":" not in line:
        return
    words = heading.lower().split()
    heading_is_name = (
        1 <= len(words) <= MAX_SUBJECT_WORDS and not set(words) & _GENERIC_HEADINGS and not heading[0].isdigit()
    )
    for match in _KEY.finditer(line):
        predicate = _KEYS.get(match["key"].strip().lower())
        is_plain_bullet = "*" not in match[0] and _BULLET.match(line) is not None
        if predicate is None or "?" in match["told"] or (is_plain_bullet and predicate == "status"):
            continue
        if heading_is_name:
            yield from _attribute_facts(heading, predicate, match["told"], KEY_CONFIDENCE)
        elif predicate in _PREDICATES_OF_AUTHORS:
            yield from _attribute_facts("we", predicate, match["told"], KEY_CONFIDENCE)
