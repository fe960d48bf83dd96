"""No text costs the pipeline more than its length accounts for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from hostile import executed_lines, superlinear
from jotsam.pipeline.entities.tagger import TaggedName
from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.extraction.extract import extract
from jotsam.pipeline.likeness.pattern_detection import frequent_terms
from jotsam.pipeline.redaction.redact import redact
from jotsam.pipeline.text.blocks import split_blocks

WEDNESDAY = 1_773_847_800_000  # 2026-03-18

MARKDOWN = ["](", "[[", "[", "![a](", "<!--", "<a ", "</p", "*", "*a ", "_ ", "_a_ ", ">", "- ", "1. ", "`a` ", "`a"]
MARKDOWN += ["# a\n", "a\n===\n", "---\n", "--- a: b\n", "```\n", "```\n```\n", "| a ", "     |", "\n| - |", "|---|\n"]
MARKDOWN += ["- `a` - b ", "- **a** ", "a: b · ", "a: b\n", "\n\n", "   ", "\t", "\u3000", "{", "[{"]
WORDS = ["a", "a ", "A ", "A A ", "a.", "A. ", ". ", "...", "a-", "a'", "a, ", "é", '"', "“"]
WORDS += ["/a", "a/", "a@", "http://a"]
NAMES = ["Project ", "project: a ", "Alice ", "Alice van ", "van ", "Inc ", "Ann and ", "Ann, ", "Dr. "]
NAMES += ["met with Alice "]
SENTENCES = ["We use Docker, ", "We use ", "we use a and ", "use ", "is ", "is a ", "I'm a a ", "The a "]
SENTENCES += ["my dog ", "if "]
DATES = ["last ", "in ", "1", "1 ", "2026-", "2026-01-01 ", "march ", "may ", "a couple of ", "from 1 ", "in 2024, "]
DATES += ["in 2024 ", "the early ", "end of the ", "三", "上", "我喜欢", "。"]
SHAPES = [("", piece, "") for piece in MARKDOWN + WORDS + NAMES + SENTENCES + DATES]


CHEAP: Any = {"characters": 50_000, "times_prose": 1}  # for functions that take far less time than extraction


class Capitalised:
    """Takes each capitalised word for the name of a person."""

    name = "capitalised"

    def __call__(self, text: str) -> Iterable[TaggedName]:
        for match in re.finditer(r"[A-Z]\w*", text):
            yield TaggedName(start=match.start(), end=match.end(), kind="person", score=1.0)


def test_entities_facts_dates_and_summaries_take_linear_time() -> None:
    def read(text: str) -> object:
        return extract(text, said_at=WEDNESDAY, actor="Ana", tagger=Capitalised())

    assert superlinear(read, SHAPES) == []


def test_chunks_blocks_and_terms_take_linear_time() -> None:
    def split(text: str) -> object:
        return chunk(text, limit=50)

    found = [superlinear(reader, SHAPES, **CHEAP) for reader in (split, split_blocks, frequent_terms)]
    assert found == [[], [], []]


def test_redaction_takes_linear_time() -> None:
    assert superlinear(redact, SHAPES, **CHEAP) == []


def test_what_is_superlinear_is_found() -> None:
    """Quadratic Python and a quadratic regular expression are reported, a linear loop is not."""

    def loop(text: str) -> int:
        count = 0
        for _ in text:
            count += 1
        return count

    def nested(text: str) -> int:
        count = 0
        for end in range(0, len(text), 20):
            for _ in range(0, end, 20):
                count += 1
        return count

    quadratic = re.compile(r"a*b")
    shape = ("", "a", "")
    assert superlinear(loop, [shape]) == []
    assert "lines of Python" in superlinear(nested, [shape])[0]
    assert "CPU time" in superlinear(quadratic.search, [shape], characters=20_000, times_prose=0.2)[0]
    assert executed_lines(loop, "aaaa") < executed_lines(loop, "aaaaaaaa")
