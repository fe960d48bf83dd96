"""Names longer than an index takes are refused before any SQL runs; the message has field, length and limit."""

from __future__ import annotations

import pytest

from jotsam import Document, InvalidInput, Jotsam, Memory, Queue
from jotsam.core.settings import Settings, load_settings
from jotsam.core.validate import MAX_NAME_BYTES, MAX_SOURCE_BYTES, check_name_length, cut_name
from jotsam.ingest import capture
from jotsam.ingest.validation import check_document, check_line, check_memory, check_tenant

LIMITS = dict.fromkeys(("project", "session", "external_id", "actor", "type", "tenant"), MAX_NAME_BYTES)
LIMITS |= {"source": MAX_SOURCE_BYTES}


def test_every_name_has_a_limit_in_bytes_at_every_entrance(tmp_path):
    entrances = {
        "memory": lambda name, value: check_memory(Memory(text="x", **{name: value})),
        "document": lambda name, value: check_document(Document(text="x", **{name: value})),
        "line": check_line,
        "tenant": lambda name, value: check_tenant(value),
        "settings": lambda name, value: load_settings({name: value}, environ={}, folder=str(tmp_path)),
    }
    fields = {
        "memory": [*LIMITS],
        "document": ["project", "source", "actor", "session", "tenant"],
        "line": ["key"],
        "tenant": ["tenant"],
        "settings": ["tenant", "project"],
    }
    for entrance, names in fields.items():
        for name in names:
            limit = LIMITS.get(name, MAX_NAME_BYTES)
            entrances[entrance](name, "x" * limit)
            entrances[entrance](name, "é" * (limit // 2))
            for long in ("x" * (limit + 1), "é" * (limit // 2 + 1)):
                expected = f"invalid {name} of {len(long.encode()):,} bytes: must be at most {limit:,} bytes"
                with pytest.raises(InvalidInput, match=expected):
                    entrances[entrance](name, long)


def test_the_names_of_jobs_have_it_too(tmp_path):
    with pytest.raises(InvalidInput, match="invalid queue name of 501 bytes"):
        Queue(tmp_path / "q.db", "q" * 501)
    with Queue(tmp_path / "q.db", "q") as queue:
        for name in ("kind", "key", "lane", "tenant"):
            with pytest.raises(InvalidInput, match=f"invalid {name} of 501 bytes: must be at most 500 bytes"):
                queue.send("x", **{name: "x" * 501})


def test_what_is_cut_fits_and_has_no_half_character():
    for text in ("x" * 700, "é" * 700, "語" * 700, "🙂" * 700, "\ud83d" * 700):
        for limit in (MAX_NAME_BYTES - 1, MAX_NAME_BYTES):
            cut = cut_name(text, limit=limit)
            assert check_name_length("session", cut) == cut
            assert text.startswith(cut) or "\ud83d" in text
    assert cut_name("short", limit=10) == "short"
    key = capture.turn_key("語" * 700, "語" * 700, "x", actor="assistant")
    assert check_name_length("key", key) == key


def test_a_hook_keeps_a_turn_of_a_session_with_a_long_name(tmp_path):
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off")
    session = cut_name("語" * 700, limit=MAX_NAME_BYTES - 100)
    key = capture.turn_key(session, "p" * 900, "Remember this.", actor="user")
    turn = capture.Turn(text="Remember this.", actor="user", session=session, key=key, source="claude-code", said_at=1)
    with Jotsam(settings=settings) as jot:
        capture.capture(settings, turn)
        assert jot.recall("remember").coverage.total == 1
