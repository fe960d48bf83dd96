"""Session files: the JSON of a line, its format, and the plain format, which any program can write."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.agents.registry import PLAIN, SESSION_FORMATS
from jotsam.agents.session_format import ParsedTurn, SessionFile
from jotsam.core.errors import InvalidInput
from jotsam.ingest import transcripts
from session_lines import ANSWER, AT, AT_MS, claude, header, text

CLAUDE, CODEX = "claude-code", "codex"


def plain(**more: object) -> dict[str, object]:
    return {"role": "user", "content": "Use tabs.", "timestamp": AT, "session": "s", **more}


def test_a_plain_line_says_the_same_in_few_words():
    said = ParsedTurn(text="Use tabs.", actor="user", session="s", said_at=AT_MS)
    lines = transcripts.parser(PLAIN, SessionFile())
    assert lines.turn_of(plain()) == said
    assert lines.turn_of(plain(timestamp=AT_MS, id=7)) == said.replace(line="7")
    assert lines.turn_of({"actor": "Ana", "text": "Use tabs.", "timestamp": AT, "session": "s"}) == said.replace(
        actor="Ana"
    )
    assert lines.turn_of(plain(role="tool")) == "tool results"
    assert lines.turn_of(plain(role="system")) == "meta"
    assert lines.turn_of(plain(content=" ")) == "other"


BROKEN_PLAIN = {
    "a word too many": (plain(mood="good"), "unknown field 'mood'; allowed: actor, content, id, role, session, "),
    "two speakers": (plain(actor="Ana"), "has both role and actor"),
    "no speaker": ({"content": "x", "timestamp": AT, "session": "s"}, "has neither role nor actor"),
    "no text": ({"role": "user", "timestamp": AT, "session": "s"}, "has neither content nor text"),
    "an unknown role": (plain(role="bot"), "invalid role 'bot': must be one of user, assistant, system, tool; `actor`"),
    "a list as text": (plain(content=[text("x")]), "invalid content of type list: must be a string"),
    "a flag as id": (plain(id=True), "invalid id True: must be a string or an integer"),
    "an empty id": (plain(id=" "), "invalid id ' ': must be a string"),
    "no session": (plain(session=None), "session is missing: set it in the line, or for all lines with --session"),
    "a number as session": (plain(session=7), "invalid session 7: must be a non-empty string"),
    "no time": (plain(timestamp=None), "timestamp is missing"),
    "a word as time": (plain(timestamp="soon"), "invalid timestamp 'soon': must be a date"),
    "seconds": (plain(timestamp=1_772_373_600), "invalid timestamp 1772373600: must be milliseconds"),
    "a fraction": (plain(timestamp=1_772_373_600.25), "must be milliseconds"),
    "true as time": (plain(timestamp=True), "invalid timestamp True"),
    "a time before 1970": (plain(timestamp=-1), "invalid timestamp -1"),
    "NUL in the text": (plain(content="a\0b"), "the text contains NUL"),
    "half of a pair": (plain(content="a\ud800b"), "the text contains an unpaired surrogate"),
}


@pytest.mark.parametrize("what", BROKEN_PLAIN)
def test_a_broken_plain_line_is_named_with_what_is_allowed(what):
    entry, message = BROKEN_PLAIN[what]
    with pytest.raises(InvalidInput) as no:
        transcripts.parser(PLAIN, SessionFile()).turn_of(entry)
    assert message in str(no.value)


BROKEN = {
    "cut off": (b'{"type": "user', "invalid JSON: Unterminated string"),
    "a list": (b"[1]", "not a JSON object, but list"),
    "no UTF-8": (b'{"a": "\xff"}', "not UTF-8 at byte 8"),
    "NUL": (b"\0\0\0", "contains NUL"),
    "very deep": (b"[" * 100_000, "nested too deeply"),
    "a number of a thousand digits": (b'{"a": ' + b"1" * 10_000 + b"}", "invalid JSON"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_line_that_is_no_object_is_an_error_that_says_why(what):
    line, message = BROKEN[what]
    with pytest.raises(InvalidInput, match=message):
        transcripts.entry(line)


def test_a_mark_of_byte_order_is_no_harm():
    assert transcripts.entry(b'\xef\xbb\xbf{"a": 1}\r\n') == {"a": 1}


@pytest.mark.parametrize(
    ("entry", "format"),
    [
        (claude(), CLAUDE),
        ({"type": "summary", "summary": "x", "leafUuid": "u"}, CLAUDE),
        (header(), CODEX),
        (plain(), PLAIN),
        ({"actor": "Ana", "text": "x"}, PLAIN),
        ({"type": "invoice", "total": 7}, None),
        ({"session_id": "s", "ts": 1, "text": "x"}, None),
        ({}, None),
    ],
)
def test_a_format_is_recognised_by_the_words_of_a_line(entry, format):
    assert transcripts.detect_format(entry) == format


THINGS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.sampled_from([*claude(), *plain(), "payload", "actor", "text", "id", "forkedFrom", "promptSource"])
KINDS = st.sampled_from(["user", "assistant", "session_meta", "response_item", "event_msg", "turn_context"])


@given(st.lists(st.dictionaries(WORDS, THINGS), max_size=4), KINDS, st.sampled_from(SESSION_FORMATS))
def test_no_line_however_strange_does_anything_but_these_three(entries, kind, format):
    """A turn, a reason to leave it out, or a line that is said to be broken."""
    lines = transcripts.parser(format, SessionFile())
    for entry in entries:
        for strange in (entry, claude() | entry, header() | entry, ANSWER | entry, {"type": kind} | entry):
            transcripts.detect_format(strange)
            with contextlib.suppress(InvalidInput):
                assert isinstance(lines.turn_of(json.loads(json.dumps(strange))), str | ParsedTurn)
