"""Split a text into blocks of prose, code, log, table and data.

A reader can then skip what is not prose: a log line is not a decision and a variable is not a person. This module
classifies blocks by their form and does not interpret their content.
"""

from __future__ import annotations

import json
import re

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.text.markdown import outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PROSE, CODE, LOG, TABLE, DATA = "prose", "code", "log", "table", "data"

_LOG_LINE = lazy_pattern(
    r"\s*+(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d:\d\d"
    r"|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|Traceback \(most recent)|\s++(?:at [\w.$<>]+\(|File \")"
)
_TABLE_LINE = lazy_pattern(r"\s*+\|.*\||[^|\n]++\|[^|\n]++\|")
_DATA_LANGUAGES = frozenset(("json", "jsonl", "yaml", "yml", "toml", "xml", "csv", "tsv", "ini", "env", "properties"))
_LOG_LANGUAGES = frozenset(("log", "logs", "stacktrace"))
_LANGUAGE = lazy_pattern(r"\s*(?:`{3,}|~{3,})\s*([\w+#.-]*)")
_JSON_BEGIN = lazy_pattern(r"\s*[\[{]")
MIN_LOG_LINES, MIN_TABLE_LINES = 2, 2


class Block(Record):
    """A part of a text, verbatim. The blocks of a text, joined, give the text."""

    kind: str
    text: str
    language: str = ""  # of a fenced block that names its language


def split_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a text in order. Lines must end in LF."""
    found: list[Block] = []
    place = 0
    for start, end in outline(text).fences:
        found += _split_prose(text[place:start])
        found.append(_classify_fence(text[start:end]))
        place = end
    found += _split_prose(text[place:])
    return tuple(found)


def _classify_fence(text: str) -> Block:
    opening = _LANGUAGE.match(text)
    language = opening[1].lower() if opening else ""
    if opening is None or language in _DATA_LANGUAGES:
        return Block(kind=DATA, text=text, language=language)  # Front matter: it has no fence marks.
    lines = [line for line in text.split("\n")[1:-1] if line.strip() and not _LANGUAGE.match(line)]
    inside = "\n".join(lines)
    if language in _LOG_LANGUAGES or (lines and sum(bool(_LOG_LINE.match(line)) for line in lines) * 2 > len(lines)):
        return Block(kind=LOG, text=text, language=language)
    kind = DATA if not language and _is_json(inside) else CODE
    return Block(kind=kind, text=text, language=language)


def _split_prose(text: str) -> Iterator[Block]:
    """The blocks of a text without fences. Adjacent lines of one kind form one block."""
    kind, begin, place = PROSE, 0, 0
    for block in re.split(r"(?<=\n)(?=[ \t]*\n)", text):
        for line_kind, part in _runs(block):
            if line_kind != kind:
                if place > begin:
                    yield Block(kind=kind, text=text[begin:place])
                kind, begin = line_kind, place
            place += len(part)
    if place > begin:
        yield Block(kind=kind, text=text[begin:place])


def _runs(block: str) -> Iterator[tuple[str, str]]:
    if _JSON_BEGIN.match(block) and _is_json(block):
        yield DATA, block
        return
    lines = block.splitlines(keepends=True)
    kinds = [TABLE if _TABLE_LINE.match(line) else LOG if _LOG_LINE.match(line) else PROSE for line in lines]
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and kinds[end] == kinds[at]:
            end += 1
        least = {LOG: MIN_LOG_LINES, TABLE: MIN_TABLE_LINES}.get(kinds[at], 0)
        yield (kinds[at] if end - at >= least else PROSE), "".join(lines[at:end])
        at = end


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
