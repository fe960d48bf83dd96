"""Importing session files: each turn once, in its order, however often and by however many; and nothing else."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jotsam import InvalidInput
from jotsam.core.settings import Settings
from jotsam.ingest import capture, session_files, sessions
from transcripts import START_MS, add, claude, codex, codex_header, plain, tool, write

GITHUB = "ghp_" + "h3Jk2LmN5pQrS8tUvWx1Yz4AbCdEfGhIjKl6"


def told(done: sessions.ImportResult) -> tuple[int, int, dict[str, int], int]:
    return done.added, done.duplicates, done.skipped, done.invalid


def memories(jot) -> list:
    """All of them, in the order in which they were said."""
    found = [jot.show(hit.id).memory for hit in jot.recall(tokens=200_000, limit=1_000).hits]
    return sorted(found, key=lambda memory: (memory.said_at, memory.position or 0))


def texts(jot) -> list[str]:
    return [memory.text for memory in memories(jot)]


def chained(jot) -> bool:
    """Whether each turn follows the one said before it, and no other."""
    held = memories(jot)
    followed = [[link.target for link in jot.show(m.id).links if link.weight == 1] for m in held]
    return followed == [[], *([m.id] for m in held[:-1])]


def conversation(path: Path) -> Path:
    return write(
        path,
        claude(1, "Use tabs in the shop."),
        claude(2, "I look at the files first.", "assistant"),
        tool(3),
        claude(4, "Tabs it is.", "assistant"),
    )


def test_the_turns_of_a_session_become_memories_and_the_rest_is_counted(jot, tmp_path):
    """MB-29."""
    done = jot.import_sessions([conversation(tmp_path / "a.jsonl")], project="shop")
    assert told(done) == (3, 0, {"tool results": 1}, 0)
    assert (done.files, done.sessions, done.problems, done.incomplete) == (1, 1, (), ())
    first, _, last = memories(jot)
    assert (first.text, first.actor, last.actor) == ("Use tabs in the shop.", "user", "assistant")
    for memory, line in ((first, 1), (last, 4)):
        assert (memory.session, memory.project, memory.source) == ("s", "shop", "claude-code")
        assert (memory.position, memory.external_id, memory.said_at) == (line, f"s:u{line}", START_MS + line * 1_000)
    jot.work()
    assert chained(jot)
    assert jot.recall("tabs").coverage.pending == 0


def test_importing_again_adds_only_what_is_new(jot, tmp_path):
    """MB-29."""
    path = conversation(tmp_path / "a.jsonl")
    jot.import_sessions([path])
    assert told(jot.import_sessions([path]))[:2] == (0, 3)
    jot.work()
    add(path, claude(5, "And in the garden?", prompt="q"), claude(6, "There too.", "assistant"))
    assert told(jot.import_sessions([path]))[:2] == (2, 3)
    jot.work()
    assert len(texts(jot)) == 5
    assert chained(jot)


def test_the_same_words_said_again_are_another_turn(jot, tmp_path):
    """Within a prompt, and in prompts that have no ids."""
    lines = [claude(1, "go on"), claude(2, "Done.", "assistant"), claude(3, "Done.", "assistant")]
    lines += [claude(4, "go on", prompt="q"), claude(5, "go on", promptId=None), claude(6, "go on", promptId=None)]
    path = write(tmp_path / "a.jsonl", *lines)
    for added in (6, 0):
        assert jot.import_sessions([path]).added == added
    kept = [jot.show(f"s:u{number}").memory.text for number in range(1, 7)]
    assert kept == ["go on", "Done.", "Done.", "go on", "go on", "go on"]
    assert jot.status().memories == 6


def hooked(
    number: int, text: str, actor: str, *, prompt: str = "p", session: str = "s", **more: object
) -> capture.Turn:
    """A turn as `jotsam hook` keeps it: a little later than the file says."""
    key = capture.turn_key(session, prompt, text, actor=actor)
    said_at = START_MS + number * 1_000 + 300
    return capture.Turn(**{"text": text, "actor": actor, "session": session, "key": key, "said_at": said_at} | more)


def test_what_a_hook_has_handed_in_is_not_there_twice_and_keeps_its_place(url, jot, tmp_path):
    settings = Settings(db=url, worker="off", hook_lock_timeout_ms=60_000)
    for number, text, actor in ((1, "Use tabs in the shop.", "user"), (4, "Tabs it is.", "assistant")):
        capture.capture(settings, hooked(number, text, actor, source="claude-code"))
    capture.empty_spool(jot.database, settings)
    jot.work()
    done = jot.import_sessions([conversation(tmp_path / "a.jsonl")])
    assert told(done)[:2] == (1, 2)
    jot.work()
    assert texts(jot) == ["Use tabs in the shop.", "I look at the files first.", "Tabs it is."]
    assert chained(jot)


def test_what_was_imported_is_not_there_twice_when_its_hook_comes_late(url, jot, tmp_path):
    settings = Settings(db=url, worker="off", hook_lock_timeout_ms=60_000)
    lines = [*codex_header("s", turn="p"), codex(1, "Use tabs."), codex(2, "Tabs it is.\n", "assistant")]
    assert jot.import_sessions([write(tmp_path / "a.jsonl", *lines)]).added == 2
    capture.capture(settings, hooked(1, "Use tabs.", "user", source="codex"))
    capture.capture(settings, hooked(2, "Tabs it is.", "assistant", source="codex"))
    capture.empty_spool(jot.database, settings)
    assert texts(jot) == ["Use tabs.", "Tabs it is.\n"]


def test_a_long_turn_is_a_document_on_both_ways_in(url, jot, tmp_path):
    settings = Settings(db=url, worker="off", hook_lock_timeout_ms=60_000)
    long = "We sell fruit, and sometimes wine. " * 400
    hidden = long[:7_900] + f"<private>{long}</private>"
    path = write(tmp_path / "a.jsonl", claude(1, long), claude(2, hidden, prompt="q"))
    assert told(jot.import_sessions([path]))[:2] == (2, 0)
    for number, text, prompt in ((1, long, "p"), (2, hidden, "q")):
        capture.capture(settings, hooked(number, text, "user", prompt=prompt, source="claude-code"))
    capture.empty_spool(jot.database, settings)
    assert told(jot.import_sessions([path]))[:2] == (0, 2)
    assert (jot.status().documents, jot.status().memories) == (1, 1)


def forked(number: int, *lines: str) -> list[str]:
    """What `claude --fork-session` writes: the lines with the id of the new session, and of its own first prompt."""
    entries = [json.loads(line) | {"sessionId": f"fork{number}"} for line in lines]
    return [json.dumps(one | ({"promptId": "q"} if "promptId" in one else {})) for one in entries]


@pytest.mark.parametrize("is_hooked", [False, True])
def test_a_forked_session_has_its_own_turns_alone(url, jot, tmp_path, is_hooked):
    settings = Settings(db=url, worker="off", hook_lock_timeout_ms=60_000)
    said = ((1, "Always run the linter before you commit.", "user"), (2, "I will.", "assistant"))
    shared = [claude(*one) for one in said]
    for number, text, actor in said if is_hooked else ():
        capture.capture(settings, hooked(number, text, actor, source="claude-code"))
    capture.empty_spool(jot.database, settings)
    parent = write(tmp_path / "s.jsonl", *shared, claude(3, "And the gnu?", prompt="r"))
    own = claude(4, "And the zebra?", prompt="q")
    again = claude(70, "I will.", "assistant", uuid="u70")
    path = write(tmp_path / "t.jsonl", *forked(1, *shared, own, again))
    assert told(jot.import_sessions([parent, path]))[:2] == ((3, 4) if is_hooked else (5, 2))
    assert told(jot.import_sessions([tmp_path]))[:2] == (0, 7)
    twice = write(tmp_path / "u.jsonl", *forked(2, *forked(1, *shared, own, again)))
    assert told(jot.import_sessions([twice], dry_run=True))[:2] == (0, 4)
    jot.work()
    assert jot.status().memories == 5
    assert [jot.show(id).memory.session for id in ("s:u3", "fork1:u4", "fork1:u70")] == ["s", "fork1", "fork1"]
    assert [note.times for note in jot.notes.list(kind="rule")] == [1]


def test_lines_of_two_sessions_that_have_one_id_and_other_texts_are_two_turns(jot, tmp_path):
    """An agent may number its lines."""
    for number, text in enumerate(("The gnu is grey.", "The zebra is striped.")):
        write(tmp_path / f"{number}.jsonl", claude(1, text, sessionId=f"s{number}"))
    assert told(jot.import_sessions([tmp_path], dry_run=True))[:2] == (2, 0)
    assert told(jot.import_sessions([tmp_path]))[:2] == (2, 0)


def test_two_imports_at_once_keep_each_turn_once(open_jot, jot, tmp_path):
    turns = [
        [plain(n, f"Number {n} is red.", session=f"s{n % 3}") for n in order]
        for order in (range(90), range(89, -1, -1))
    ]
    paths = [write(tmp_path / f"{name}.jsonl", *lines) for name, lines in zip("ab", turns, strict=True)]
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(lambda path: open_jot().import_sessions([path]), paths * 2))
    assert sum(one.added for one in done) == 90
    assert sum(one.duplicates for one in done) == 270
    assert jot.status().memories == 90


def test_turns_of_one_moment_follow_each_other_as_they_stand_in_the_file(jot, tmp_path):
    path = write(tmp_path / "a.jsonl", *(plain(0, f"Number {n}.", id=n) for n in range(5)))
    jot.import_sessions([path])
    jot.work()
    assert texts(jot) == [f"Number {n}." for n in range(5)]
    assert chained(jot)


BROKEN = {
    b'{"type": "user", "mess': "invalid JSON",
    b"[1, 2]": "not a JSON object, but list",
    b'{"type": "\xff"}': "not UTF-8 at byte 11",
    b"\0\0\0\0": "contains NUL",
    claude(1, "x", timestamp=None).encode(): "timestamp is missing",
    claude(1, "x", timestamp="later").encode(): "invalid timestamp 'later'",
    claude(1, "x\0y").encode(): "the text contains NUL",
    claude(1, "x\ud800y").encode(): "the text contains an unpaired surrogate",
    claude(1, "x", sessionId=7).encode(): "invalid sessionId 7: must be a non-empty string",
    claude(1, "x", message="?").encode(): "message is missing",
    claude(3, "x", sessionId=GITHUB).encode(): "invalid session: it contains what looks like a secret (github-token)",
    claude(3, "x", sessionId="s" * 5_000).encode(): "invalid session of 5,000 bytes",
}


@pytest.mark.parametrize("line", BROKEN, ids=BROKEN.values())
def test_a_broken_line_is_named_with_its_number_and_keeps_no_other_out(line, jot, tmp_path):
    """MB-29."""
    path = write(tmp_path / "a.jsonl", claude(1, "First."), "", line, claude(2, "Second.", prompt="q"))
    done = jot.import_sessions([path])
    assert (done.added, done.invalid) == (2, 1)
    (one,) = done.problems
    assert (one.path, one.line) == (str(path), 3)
    assert BROKEN[line] in one.reason
    assert texts(jot) == ["First.", "Second."]


def test_a_line_that_is_too_long_is_passed_over(jot, tmp_path):
    huge = claude(2, "x" * session_files.MAX_LINE_BYTES)
    path = write(tmp_path / "a.jsonl", claude(1, "First."), huge, claude(3, "Third.", prompt="q"))
    done = jot.import_sessions([path])
    assert [(one.line, one.reason) for one in done.problems] == [
        (2, f"longer than {session_files.MAX_LINE_BYTES:,} bytes")
    ]
    assert texts(jot) == ["First.", "Third."]


def test_of_many_broken_lines_the_first_are_named_and_all_are_counted(jot, tmp_path):
    done = jot.import_sessions([write(tmp_path / "a.jsonl", claude(1, "First."), *(["{"] * 25))])
    assert (done.invalid, [one.line for one in done.problems]) == (25, list(range(2, 12)))


@pytest.mark.parametrize("tail", ['{"type": "user", "mess', b'{"type": "\xc3'])
def test_a_last_line_that_is_being_written_is_left_for_next_time(tail, jot, tmp_path):
    path = write(tmp_path / "a.jsonl", claude(1, "First."), tail, end=b"")
    done = jot.import_sessions([path])
    assert (done.added, done.invalid, done.problems, done.incomplete) == (1, 0, (), (str(path),))


def test_a_last_line_without_its_newline_is_a_line_once_it_is_whole(jot, tmp_path):
    path = write(tmp_path / "a.jsonl", claude(1, "First."), claude(2, "Second.", prompt="q"), end=b"")
    done = jot.import_sessions([path])
    assert (done.added, done.incomplete) == (2, ())


def test_secrets_and_what_is_private_are_taken_out_as_everywhere(jot, tmp_path):
    lines = [claude(1, f"Push with {GITHUB}."), claude(2, "<private>my diagnosis</private>", prompt="q")]
    lines += [claude(3, "<jotsam-memory>We use tabs.</jotsam-memory>", prompt="r")]
    done = jot.import_sessions([write(tmp_path / "a.jsonl", *lines)])
    assert told(done) == (1, 0, {"private": 2}, 0)
    assert texts(jot) == ["Push with [redacted:github-token]."]
    assert [one.kind for one in jot.knowledge.redactions()] == ["github-token"]


def test_a_folder_means_every_jsonl_below_it_and_no_file_is_read_twice(jot, tmp_path):
    for name in ("a.jsonl", "deep/er/b.jsonl"):
        write(tmp_path / name, plain(1, f"In {name}.", session=name))
    write(tmp_path / "notes.md", "# No session")
    done = jot.import_sessions([tmp_path, tmp_path / "a.jsonl"])
    assert (done.files, done.sessions, done.added, done.problems) == (2, 2, 2, ())


STRANGE = {
    "another JSONL": [b'{"total": 7}'] * 3,
    "a text": [b"# Notes", b"We use tabs."],
    "a picture": [b"\x89PNG\0\0", b"\xff\xfe"],
    "JSON of many lines": [b"{", b'  "role": "user"', b"}"],
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_file_that_is_no_session_is_refused_as_a_whole_and_keeps_no_other_out(what, jot, tmp_path):
    strange = write(tmp_path / "a.jsonl", *STRANGE[what])
    done = jot.import_sessions([strange, conversation(tmp_path / "b.jsonl"), tmp_path / "missing.jsonl"])
    assert done.added == 3
    assert [(one.path, one.line) for one in done.problems] == [
        (str(strange), None),
        (str(tmp_path / "missing.jsonl"), None),
    ]
    assert done.problems[0].reason.startswith("not a session file: expected sessions of Claude Code")
    assert done.problems[1].reason == "cannot be read: No such file or directory"


def test_an_empty_file_is_no_harm_and_what_is_never_a_session_is_not_read_to_its_end(jot, tmp_path):
    empty = write(tmp_path / "a.jsonl", end=b"")
    late = write(tmp_path / "b.jsonl", *(['{"a": 1}'] * sessions.RECOGNISE_LINES), claude(1, "First."))
    early = write(tmp_path / "c.jsonl", *(['{"a": 1}'] * (sessions.RECOGNISE_LINES - 1)), claude(1, "First."))
    done = jot.import_sessions([empty, late, early])
    assert [one.path for one in done.problems] == [str(late)]
    assert (done.added, done.skipped) == (1, {"other": sessions.RECOGNISE_LINES - 1})


def test_a_format_can_be_said(jot, tmp_path):
    path = conversation(tmp_path / "a.jsonl")
    (one,) = jot.import_sessions([path], format="codex").problems
    assert one.reason == "not a session file: expected lines of codex"
    done = jot.import_sessions([path], format="plain")
    assert (done.added, done.invalid) == (0, 4)
    assert "unknown field 'isSidechain'" in done.problems[0].reason
    assert jot.import_sessions([path], format="claude-code").added == 3


def test_the_session_can_be_said_for_lines_that_name_none(jot, tmp_path):
    path = write(tmp_path / "a.jsonl", plain(1, "First."), plain(2, "Second.", session=None))
    assert jot.import_sessions([path]).invalid == 1
    assert told(jot.import_sessions([path], session="t"))[:2] == (1, 1)
    assert [memory.session for memory in memories(jot)] == ["s", "t"]
    assert [memory.project for memory in memories(jot)] == [None, None]
    assert memories(jot)[0].source.endswith("a.jsonl")


def test_the_project_is_that_of_the_folder_in_which_a_session_was_held(jot, tmp_path):
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    lines = [claude(1, "Here.", cwd=str(tmp_path / "shop")), claude(2, "Nowhere.", cwd="/gone\0", prompt="q")]
    jot.import_sessions([write(tmp_path / "a.jsonl", *lines)])
    assert [memory.project for memory in memories(jot)] == [str(tmp_path / "shop"), None]


def test_a_dry_run_counts_the_same_and_writes_nothing(jot, tmp_path):
    """MB-31."""
    lines = [claude(n, f"Number {n}.", prompt=str(n)) for n in range(sessions.BATCH_TURNS + 5)]
    path = write(tmp_path / "a.jsonl", *lines, lines[5], tool(1), "{", claude(1, "<private>x</private>", prompt="x"))
    jot.import_sessions([write(tmp_path / "b.jsonl", *lines[:3])])
    dry = jot.import_sessions([path], dry_run=True)
    assert told(dry) == (sessions.BATCH_TURNS + 2, 4, {"private": 1, "tool results": 1}, 1)
    assert jot.status().memories == 3
    assert jot.status().depth.live == 3
    assert jot.import_sessions([path]).replace(dry_run=True) == dry


WRONG = {
    "a path alone": (lambda jot: jot.import_sessions("a.jsonl"), "invalid paths 'a.jsonl': must be a list"),
    "a format": (
        lambda jot: jot.import_sessions([], format="x"),
        "invalid format 'x': must be one of claude-code, codex, gemini, opencode, cursor, plain",
    ),
    "a field": (
        lambda jot: jot.import_sessions([], colour=1),
        "unknown field 'colour'; allowed: dry_run, format",
    ),
    "a project": (lambda jot: jot.import_sessions([], project=7), "invalid project 7: must be a string"),
    "dry_run": (lambda jot: jot.import_sessions([], dry_run="x"), "invalid dry_run 'x': must be True or False"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_value_is_named(what, jot):
    call, message = WRONG[what]
    with pytest.raises(InvalidInput, match=message):
        call(jot)


def test_each_batch_is_told_and_kept_before_the_next_is_read(jot, tmp_path):
    """So an import that is cut off has lost nothing, and goes on from there."""
    size = sessions.BATCH_TURNS
    path = write(tmp_path / "a.jsonl", *(plain(n, f"Number {n}.") for n in range(size * 2 + 1)))
    seen: list[tuple[str, int, int]] = []

    def stop(what: str, done: int, total: int) -> None:
        seen.append((what, done, total))
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jot.import_sessions([path], tell=stop)
    assert jot.status().memories == size * 2
    assert [(what, total) for what, _, total in seen] == [("a.jsonl", path.stat().st_size)] * 2
    assert 0 < seen[0][1] < seen[1][1] < path.stat().st_size
    assert told(jot.import_sessions([path]))[:2] == (1, size * 2)


def test_a_tenant_imports_for_itself_alone(jot, open_jot, tmp_path):
    path = conversation(tmp_path / "a.jsonl")
    jot.import_sessions([path])
    assert open_jot(tenant="acme").import_sessions([path]).added == 3
    assert jot.status().memories == 3
