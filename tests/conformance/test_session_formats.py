"""Sessions of Gemini CLI, opencode and Cursor: the turns in them, each once, beside what hooks have stored."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest

from jotsam.core.settings import Settings
from jotsam.ingest import capture
from transcripts import START_MS

GEMINI = Path(__file__).parent.parent / "rollouts" / "gemini-0.61.0.jsonl"
ASKED, LOOKED, ANSWERED = "What colour is the zebra?", "I look into the folder first.", "The final answer is blue."
GIVEN = "<hook_context>The zebra is blue.</hook_context>\n\n"  # what a hook gave, in front of the prompt
SAID = [("user", ASKED), ("assistant", LOOKED), ("assistant", ANSWERED)]

# The tables of opencode 1.18 with the columns that are read, among others.
OPENCODE = """
create table session (id text primary key, parent_id text, directory text not null, title text, time_created integer);
create table message (id text primary key, session_id text not null, time_created integer, data text not null);
create table part (id text primary key, message_id text not null, session_id text not null, data text not null);
create table todo (session_id text, content text)
"""


def hook_turn(text: str, actor: str, *, session: str, source: str, prompt: str = "p") -> capture.Turn:
    key = capture.turn_key(session, prompt, text, actor=actor)
    return capture.Turn(text=text, actor=actor, session=session, key=key, source=source, said_at=START_MS)


def store(url: str, jot, *turns: capture.Turn) -> None:
    settings = Settings(db=url, worker="off", hook_lock_timeout_ms=60_000)
    for turn in turns:
        capture.capture(settings, turn)
    capture.empty_spool(jot.database, settings)


def said(jot) -> list[tuple[str, str]]:
    page = jot.list(limit=200)
    return [(memory.actor, memory.text) for memory in sorted(page.memories, key=lambda one: one.position or 0)]


def bubble(number: int, kind: int, text: str) -> dict[str, object]:
    return {"bubbleId": f"b{number}", "type": kind, "text": text, "createdAt": "2026-03-01T14:00:00Z", "_v": 3}


def make_opencode(path: Path) -> Path:
    database = apsw.Connection(str(path))
    database.execute("pragma journal_mode = wal")
    database.execute(OPENCODE)
    sessions = [("s1", None, "/shop", "Colours", 1), ("s2", "s1", "/shop", "Search", 2)]
    database.executemany("insert into session values (?, ?, ?, ?, ?)", sessions)
    about = {"time": {"created": START_MS}}
    messages = [
        ("m1", "s1", 1, about | {"role": "user"}, [{"type": "text", "text": ASKED}]),
        ("m2", "s1", 2, about | {"role": "assistant", "parentID": "m1"}, [{"type": "text", "text": LOOKED}]),
        ("m3", "s1", 3, about | {"role": "assistant", "parentID": "m1"}, [{"type": "tool", "tool": "glob"}]),
        ("m4", "s1", 4, about | {"role": "user"}, [{"type": "text", "text": "File content", "synthetic": True}]),
        ("m5", "s1", 5, about | {"role": "assistant", "parentID": "m1"}, [{"type": "text", "text": ANSWERED}]),
        ("m6", "s1", 6, about | {"role": "assistant", "summary": True}, [{"type": "text", "text": "In short"}]),
        ("m7", "s2", 7, about | {"role": "user"}, [{"type": "text", "text": "Find zebras."}]),
    ]
    for name, session, at, data, parts in messages:
        database.execute("insert into message values (?, ?, ?, ?)", (name, session, at, json.dumps(data)))
        for number, part in enumerate(parts):
            values = (f"{name} {number}", name, session, json.dumps(part))
            database.execute("insert into part values (?, ?, ?, ?)", values)
    database.close()
    return path


def make_cursor(path: Path) -> Path:
    database = apsw.Connection(str(path))
    database.execute("create table ItemTable (key text unique on conflict replace, value blob)")
    database.execute("create table cursorDiskKV (key text unique on conflict replace, value blob)")
    bubbles = [bubble(1, 1, ASKED), bubble(2, 2, LOOKED), bubble(3, 2, ""), bubble(4, 2, ANSWERED)]
    headers = [{"bubbleId": one["bubbleId"], "type": one["type"]} for one in bubbles]
    composer = {"createdAt": START_MS, "fullConversationHeadersOnly": [*headers, {"bubbleId": "lost"}]}
    rows = [("composerData:s1", json.dumps(composer)), ("composerData:broken", "{"), ("composerData:none", None)]
    rows += [(f"bubbleId:s1:{one['bubbleId']}", json.dumps(one)) for one in reversed(bubbles)]
    database.executemany("insert into cursorDiskKV values (?, ?)", rows)
    database.close()
    return path


def make_transcript(path: Path) -> Path:
    query = f"<timestamp>Sunday</timestamp>\n<user_query>\n{ASKED}\n</user_query>"
    texts = [("user", query), ("assistant", LOOKED), ("assistant", ANSWERED)]
    path.write_text("".join(f"{json.dumps(line_of(actor, text))}\n" for actor, text in texts))
    return path


def line_of(actor: str, text: str) -> dict[str, object]:
    return {"role": actor, "message": {"content": [{"type": "text", "text": text}]}}


def make_gemini(path: Path) -> Path:
    """The folder as Gemini CLI lays it out, in which another folder says where the session ran."""
    (path.parent / "chats").mkdir()
    (path.parent / ".project_root").write_text(str(path.parent))
    (path.parent / ".git").mkdir()
    copy = path.parent / "chats" / path.name
    copy.write_bytes(GEMINI.read_bytes())
    return copy


FORMATS = {
    "gemini": (make_gemini, "session-1.jsonl", "4ae4893c-14b6-4140-99ef-853c4e070d2f"),
    "opencode": (make_opencode, "opencode.db", "s1"),
    "cursor": (make_cursor, "state.vscdb", "s1"),
    "cursor transcript": (make_transcript, "s1.jsonl", "s1"),
}


@pytest.mark.parametrize("format", FORMATS)
def test_the_turns_are_stored_once_also_when_hooks_have_stored_some(format, jot, url, tmp_path):
    make, name, session = FORMATS[format]
    source = format.partition(" ")[0]
    prompt = "m1" if source == "opencode" else "2026-11-22T10:00:00Z"
    path = make(tmp_path / name)
    store(
        url, jot, *(hook_turn(text, actor, session=session, source=source, prompt=prompt) for actor, text in SAID[::2])
    )
    done = jot.import_sessions([path])
    assert (done.added, done.duplicates, done.sessions, done.problems) == (1, 2, 1, ())
    assert sorted(said(jot)) == sorted(SAID)
    assert jot.import_sessions([tmp_path]).added == 0
    assert {memory.session for memory in jot.list().memories} == {session}
    (looked,) = [memory for memory in jot.list().memories if memory.text == LOOKED]
    assert looked.source == source


def test_a_text_that_was_said_twice_is_stored_twice(jot, url, tmp_path):
    """Hooks of Cursor name each prompt, its transcript does not: the number of equal texts decides."""
    path = tmp_path / "s1.jsonl"
    lines = [line_of("user", "yes"), line_of("assistant", "One."), line_of("user", "yes"), line_of("user", "yes")]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    store(url, jot, *(hook_turn("yes", "user", session="s1", source="cursor", prompt=prompt) for prompt in "ab"))
    for added in (2, 0):
        assert jot.import_sessions([path]).added == added
    assert sorted(text for _, text in said(jot)) == ["One.", "yes", "yes", "yes"]


def test_an_answer_of_gemini_that_a_hook_gave_as_a_whole_is_not_stored_in_parts(jot, url, tmp_path):
    path, session = make_gemini(tmp_path / "session-1.jsonl"), FORMATS["gemini"][2]
    store(url, jot, hook_turn(f"{LOOKED}\n{ANSWERED}", "assistant", session=session, source="gemini"))
    assert jot.import_sessions([path]).added == 1
    assert sorted(said(jot)) == [("assistant", f"{LOOKED}\n{ANSWERED}"), ("user", ASKED)]


def test_earlier_files_of_gemini_and_exports_of_opencode_are_one_object(jot, tmp_path):
    about = {"sessionId": "g1", "projectHash": "5f", "startTime": "2026-03-01T14:00:00Z"}
    messages = [
        {"id": "1", "timestamp": "2026-03-01T14:00:00Z", "type": "user", "content": f"{GIVEN}{ASKED}"},
        {"id": "2", "timestamp": "2026-03-01T14:00:01Z", "type": "info", "content": "Update available"},
        {"id": "3", "timestamp": "2026-03-01T14:00:02Z", "type": "gemini", "content": ANSWERED, "thoughts": []},
    ]
    (tmp_path / "session-1.json").write_text(json.dumps(about | {"messages": messages}, indent=2))
    about_message = {"time": {"created": START_MS}}
    exported = [
        {"info": about_message | {"role": actor, "id": text}, "parts": [{"type": "text", "text": shown}]}
        for (actor, text), shown in zip(SAID[::2], (f'"{ASKED}"', ANSWERED), strict=True)
    ]
    info = {"id": "s1", "directory": str(tmp_path), "title": "Colours"}
    (tmp_path / "export.json").write_text(json.dumps({"info": info, "messages": exported}, indent=2))
    done = jot.import_sessions([tmp_path / "session-1.json", tmp_path / "export.json"])
    assert (done.added, done.sessions, done.problems) == (4, 2, ())
    assert {(memory.session, memory.source) for memory in jot.list().memories} == {("g1", "gemini"), ("s1", "opencode")}
    assert {memory.text for memory in jot.list().memories} == {ASKED, ANSWERED}


def test_another_database_is_refused_with_what_would_be_read(jot, tmp_path):
    apsw.Connection(str(tmp_path / "other.db")).execute("create table t (x)")
    (tmp_path / "damaged.db").write_bytes(b"SQLite format 3\0" + b"x" * 5_000)
    done = jot.import_sessions([tmp_path / "other.db", tmp_path / "damaged.db", make_cursor(tmp_path / "state.vscdb")])
    assert done.added == 3
    reasons = [problem.reason for problem in done.problems]
    assert reasons[0] == "has no tables of opencode or Cursor"
    assert reasons[1].startswith("cannot be read: ")


@pytest.mark.needs_server
def test_a_session_of_gemini_has_the_project_of_its_folder(jot, tmp_path):
    jot.import_sessions([make_gemini(tmp_path / "session-1.jsonl")])
    assert {memory.project for memory in jot.list().memories} == {str(tmp_path)}
