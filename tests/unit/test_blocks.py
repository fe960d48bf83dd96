"""Splitting a text into blocks of prose, code, logs, tables and data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.text.blocks import split_blocks


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Just words.\n\nAnd more.\n", ["prose"]),
        ("a\n\n```python\nx = 1\n```\nb\n", ["prose", "code", "prose"]),
        ("```json\n{}\n```\n", ["data"]),
        ('```\n{"a": [1]}\n```\n', ["data"]),
        ("~~~\n2026-01-01 10:00:00 INFO a\n2026-01-01 10:00:01 INFO b\n~~~\n", ["log"]),
        ("```log\nanything\n```", ["log"]),
        ("---\ntitle: A\n---\n\nWords.\n", ["data", "prose"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\nWords.\n", ["table", "prose"]),
        ("One line with a | in it.\n", ["prose"]),
        ("It crashed at\n10:00:01 ERROR x\nand that was it.\n", ["prose"]),
        ('Traceback (most recent call last):\n  File "a.py", line 1\n', ["log"]),
        ('{"a": 1}\n\nWords.\n', ["data", "prose"]),
        ("{not json}\n", ["prose"]),
        ("```\nnever closed", ["code"]),
        ("", []),
    ],
)
def test_each_block_has_its_kind(text: str, kinds: list[str]):
    assert [piece.kind for piece in split_blocks(text)] == kinds


LINES = st.sampled_from(
    ["words", "```", "```json", "{}", "| a | b |", "---", "10:00:00 x", "", "# h", "~~~", "\u2028x"]
)


@given(st.lists(LINES).map("\n".join) | st.text())
def test_the_joined_blocks_are_the_text(text: str):
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = split_blocks(text)
    assert "".join(piece.text for piece in found) == text
    assert all(piece.text for piece in found)
