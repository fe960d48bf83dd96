"""Errors of the same cause are the same error: what differs from job to job is a placeholder."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.memory.jobs.jobs import key, normalised


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("LLM timeout after 30 s", "LLM timeout after <n> s"),
        ("took 12.5 s, limit 1,000 ms, 12ms", "took <n> s, limit <n> ms, <n>ms"),
        ("no memory 550e8400-e29b-41d4-a716-446655440000", "no memory <id>"),
        ("commit 9f86d081884c is gone", "commit <id> is gone"),
        ("object at 0x7F3a19", "object at <id>"),
        ("KeyError: 'Ana'", "KeyError: <text>"),
        ('no column "body" in `memory`', "no column <text> in <text>"),
        ("cannot open /home/ana/a b.md", "cannot open <path> b.md"),
        ("cannot open ~/notes/a.md: denied", "cannot open <path>: denied"),
        (r"cannot open C:\notes\a.md", "cannot open <path>"),
        ("cannot open ../a/b.md, ./c.md", "cannot open <path>, <path>"),
        ("OSError: [Errno 28] No space left: '/a/b.db'", "OSError: [Errno <n>] No space left: <text>"),
        ("POST https://api.example.org/v1/chat?k=7 failed", "POST <address> failed"),
        ("HTTP 429\n  too many\trequests ", "HTTP <n> too many requests"),
        ("", ""),
    ],
)
def test_what_differs_becomes_a_placeholder(error: str, expected: str) -> None:
    assert normalised(error) == expected


@pytest.mark.parametrize(
    "error",
    [
        "it is Ana's fault, and isn't Bob's",
        "the model said no",
        "sha256 of gpt4 in utf8",
        "a decade of cafes: added facade, effaced",
        "read and/or write",
        "ValueError: malformed",
    ],
)
def test_words_stay(error: str) -> None:
    assert normalised(error) == error


@given(st.lists(st.sampled_from(["timeout ", "in ", "slot ", "of "]), min_size=1), st.data())
def test_wherever_a_number_stands_it_does_not_count(words: list[str], data: st.DataObject) -> None:
    one, other = ("".join(f"{word}{data.draw(st.integers(0, 10**9))} " for word in words) for _ in range(2))
    assert normalised(one) == normalised(other) == "".join(f"{word}<n> " for word in words).strip()


@given(st.integers(min_value=0), st.integers(min_value=0), st.uuids(), st.uuids())
def test_numbers_and_ids_do_not_tell_errors_apart(one: int, other: int, first: object, second: object) -> None:
    assert key(normalised(f"job {one} of {first} failed")) == key(normalised(f"job {other} of {second} failed"))


@given(st.sampled_from(["timeout", "refused"]), st.sampled_from(["timeout", "refused"]), st.integers(0, 10**9))
def test_words_do_tell_errors_apart(one: str, other: str, number: int) -> None:
    assert (key(normalised(f"{one} after {number} s")) == key(normalised(f"{other} after {number} s"))) == (
        one == other
    )


@pytest.mark.parametrize("bit", ["'", '"', "`", "/", "0", "a1", "a/", "a.", "x://", "\\", ".", "a0'", " "])
def test_a_hostile_error_is_grouped_all_the_same(bit: str) -> None:
    """An error is what a provider sent, so anybody may have written it; a quadratic pattern would not end here."""
    assert key(normalised(bit * 1_000_000)) == key(normalised(bit * 1_000_000 + "!"))


def test_a_key_is_short_and_stays_the_same_from_day_to_day() -> None:
    assert key("LLM timeout after <n> s") == key(normalised("LLM timeout after 30 s"))
    assert re.fullmatch("[0-9a-f]{10}", key("\ud800"))
