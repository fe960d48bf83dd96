"""`jotsam hook`: stores each turn once, prints nothing and exits with 0 in every case."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

import transcripts
from processes import until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Process, Shell


@pytest.fixture
def ready(jotsam: Shell) -> Shell:
    """A shell whose database exists."""
    assert jotsam("migrate").returncode == 0
    return jotsam


def spool(shell: Shell, ending: str = ".json") -> list[Path]:
    return sorted(Path(f"{shell.db}.spool").glob(f"*{ending}"))


def kept(shell: Shell) -> list[dict[str, object]]:
    """All memories, newest first."""
    hits = shell.json("recall", "--tokens", "20000")["hits"]
    return [shell.json("show", hit["id"])["memory"] for hit in hits]


def is_silent(done: Process) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.on_both
def test_a_prompt_and_its_answer_become_memories_of_the_session(ready: Shell) -> None:
    (ready.home / "shop" / ".git").mkdir(parents=True)
    cwd = str(ready.home / "shop")
    assert is_silent(ready.hook("UserPromptSubmit", prompt="Use tabs.", prompt_id="p1", cwd=cwd))
    assert is_silent(ready.hook("Stop", last_assistant_message="Tabs it is.", prompt_id="p1", cwd=cwd))
    answer, prompt = kept(ready)
    assert (prompt["text"], prompt["actor"]) == ("Use tabs.", "user")
    assert (answer["text"], answer["actor"]) == ("Tabs it is.", "assistant")
    for memory in (prompt, answer):
        assert (memory["session"], memory["project"], memory["source"]) == ("session-1", cwd, "claude-code")
        assert memory["said_at"]


@pytest.mark.on_both
def test_the_same_turn_twice_is_one_memory(ready: Shell) -> None:
    for prompt_id in ("p1", "p1", None, None):
        ready.hooked(last_assistant_message="We chose tabs.", prompt_id=prompt_id)
    assert ready.json("status")["status"]["memories"] == 2


@pytest.mark.on_both
def test_a_second_stop_of_the_same_prompt_is_another_memory(ready: Shell) -> None:
    ready.hook(last_assistant_message="Done, I think.", prompt_id="p1")
    ready.hook(last_assistant_message="Now it is done.", prompt_id="p1", stop_hook_active=True)
    assert len(kept(ready)) == 2


def test_the_name_of_the_harness_is_the_source(ready: Shell) -> None:
    ready.hook("Stop", "--harness", "codex", last_assistant_message="We chose tabs.", turn_id="t1")
    assert kept(ready)[0]["source"] == "codex"


def test_a_generated_prompt_is_ignored(ready: Shell) -> None:
    ready.hook("UserPromptSubmit", prompt="wake up", source="loop_wakeup")
    ready.hook("UserPromptSubmit", prompt="hello", source="user")
    assert [memory["text"] for memory in kept(ready)] == ["hello"]


@pytest.mark.on_both
def test_long_turns_become_documents_and_do_not_replace_each_other(ready: Shell) -> None:
    for number in range(2):
        ready.hooked(last_assistant_message=f"Part {number} about tabs. " * 500, prompt_id=f"p{number}")
    assert ready.json("status")["status"]["documents"] == 2
    ready("work")
    text = json.dumps(ready.json("recall", "Part about tabs", "--tokens", "50000")["hits"])
    assert "Part 0" in text
    assert "Part 1" in text


@pytest.mark.parametrize(
    "said",
    [
        "",
        "   ",
        "{",
        "[1, 2]",
        "null",
        "{}",
        '{"hook_event_name": "Stop"}',
        '{"hook_event_name": "Stop", "session_id": 7, "last_assistant_message": "x"}',
        '{"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": null}',
        '{"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "  "}',
        '{"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "<private>x</private>"}',
        '{"hook_event_name": ["Stop"], "session_id": "s"}',
        '{"hook_event_name": "NeverHeardOf", "session_id": "s", "prompt": "x"}',
        "[" * 100_000,
    ],
)
def test_input_without_a_turn_is_ignored(ready: Shell, said: str) -> None:
    assert is_silent(ready("hook", "Stop", input=said))
    assert kept(ready) == []
    assert spool(ready, "") == []


def test_input_that_is_not_utf_8_is_ignored(ready: Shell) -> None:
    assert is_silent(ready("hook", "Stop", input=b'{"hook_event_name": "\xff\xfe'))


def test_of_a_very_long_turn_the_beginning_is_kept_once(ready: Shell) -> None:
    """Also if it would take long to redact all of it."""
    said = "curl -u a://b:c@ " * 300_000
    for _ in range(2):
        assert is_silent(ready.hook(last_assistant_message=said, prompt_id="p1"))
    assert ready.json("status")["status"]["documents"] == 1
    (hit,) = ready.json("recall", "curl")["hits"]
    text = ready.json("show", hit["id"])["document"]["text"]
    assert len(said) > 5_000_000
    assert text.endswith("more characters were not stored]")


@pytest.mark.parametrize(
    "arguments",
    [
        ["hook"],
        ["hook", "--help"],
        ["hook", "Stop", "--no-such-flag", "--db"],
        ["hook", "Stop", "--no-such-flag=7", "more", "words"],
        ["--no-such-flag", "hook", "Stop"],
        ["hook", "Stop", "--debug", "--json"],
        ["--db", "/dev/null/x.db", "hook", "Stop"],
        ["hook", "Stop", "--db", "/proc/1/nope/x.db"],
    ],
)
def test_a_usage_error_is_silent_and_exits_with_0(ready: Shell, arguments: list[str]) -> None:
    said = {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "We chose tabs."}
    assert is_silent(ready(*arguments, input=json.dumps(said)))


def test_a_broken_installation_is_silent_and_exits_with_0(ready: Shell) -> None:
    ready.file("broken/apsw.py", "raise RuntimeError('half installed')")
    done = ready.hook(last_assistant_message="We chose tabs.", env={"PYTHONPATH": str(ready.home / "broken")})
    assert is_silent(done)


def test_broken_settings_lose_no_turn(ready: Shell) -> None:
    ready.file("config/jotsam/config.toml", "this is = not toml = at all")
    ready.file(".jotsam.toml", 'db = "elsewhere.db"')
    done = ready.hook(last_assistant_message="We chose tabs.", env={"JOTSAM_SOFT_CAP": "many"})
    assert is_silent(done)
    (ready.home / ".jotsam.toml").unlink()
    (ready.home / "config/jotsam/config.toml").unlink()
    ready("work")  # The tenant was not known before.
    assert len(kept(ready)) == 1


def test_with_a_locked_database_turns_are_spooled(ready: Shell) -> None:
    other = apsw.Connection(str(ready.db))
    other.execute("begin immediate")
    assert is_silent(ready.hook(last_assistant_message="We chose tabs.", prompt_id="p1"))
    assert is_silent(ready.hook(last_assistant_message="We chose tabs.", prompt_id="p1"))
    other.execute("rollback")
    other.close()
    assert len(spool(ready)) == 2
    assert "2 turns of agents are in spool files" in ready("status").stdout
    assert kept(ready) == []
    ready("work")
    assert spool(ready) == []
    assert [memory["text"] for memory in kept(ready)] == ["We chose tabs."]
    assert ready.json("status")["status"]["enriched"] == 1


def test_a_running_worker_imports_spooled_turns(ready: Shell) -> None:
    ready.start("work", "--forever")
    until(lambda: ready.json("status")["status"]["worker"] == "running")
    other = apsw.Connection(str(ready.db))
    other.set_busy_timeout(10_000)
    other.execute("begin immediate")
    ready.hook(last_assistant_message="We chose tabs.")
    other.execute("rollback")
    other.close()
    assert ready("wait").returncode == 0
    assert [memory["text"] for memory in kept(ready)] == ["We chose tabs."]


def test_a_hook_spools_its_turn_instead_of_creating_the_database(jotsam: Shell) -> None:
    assert is_silent(jotsam.hook(last_assistant_message="We chose tabs."))
    assert not jotsam.db.exists()
    (path,) = spool(jotsam)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    jotsam("work")
    assert [memory["text"] for memory in kept(jotsam)] == ["We chose tabs."]


def test_a_worker_started_by_a_hook_creates_the_database(jotsam: Shell) -> None:
    jotsam.env["JOTSAM_WORKER"] = "auto"
    jotsam.hook(last_assistant_message="We chose tabs.")
    until(lambda: jotsam.db.exists() and not spool(jotsam))
    assert jotsam("wait").returncode == 0
    assert [memory["text"] for memory in kept(jotsam)] == ["We chose tabs."]


def test_a_hook_starts_a_worker_unless_disabled(ready: Shell) -> None:
    ready.hook("Stop", "--no-worker", last_assistant_message="We chose tabs.", env={"JOTSAM_WORKER": "auto"})
    ready.hook(last_assistant_message="We chose spaces.")
    log = Path(f"{ready.db}.log")
    assert not log.exists()
    ready.hook(last_assistant_message="We chose neither.", env={"JOTSAM_WORKER": "auto"})
    assert log.exists()
    assert ready("wait").returncode == 0


def test_secrets_do_not_reach_the_spool(jotsam: Shell) -> None:
    said = "The api_key = 'sk-abcdefghij0123456789' and <private>my diagnosis</private> stay here."
    jotsam.hook(last_assistant_message=said)
    text = spool(jotsam)[0].read_text()
    assert "[redacted:" in text
    assert "sk-abc" not in text
    assert "diagnosis" not in text


def test_a_damaged_spool_file_is_moved_aside_and_reported(ready: Shell) -> None:
    folder = Path(f"{ready.db}.spool")
    folder.mkdir(mode=0o700)
    for number, text in enumerate(("{", "[]", '{"text": "no more than this"}', "[" * 100_000)):
        (folder / f"{number}.json").write_text(text)
    assert ready("work").returncode == 0
    assert len(spool(ready, ".bad")) == 4
    done = ready("doctor")
    assert (done.returncode, "damaged: 4 turns of hooks" in done.stdout) == (3, True)


def test_a_read_only_directory_is_silent(ready: Shell, unprivileged: bool) -> None:
    ready.db.parent.chmod(0o500)
    ready.db.chmod(0o400)
    said = {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "We chose tabs."}
    assert is_silent(ready("hook", "Stop", input=json.dumps(said), unprivileged=unprivileged))
    ready.db.parent.chmod(0o700)


def test_an_open_pipe_does_not_block_the_hook(ready: Shell) -> None:
    reading, writing = os.pipe()
    said = {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "We chose tabs."}
    os.write(writing, json.dumps(said).encode())
    done = ready("hook", "Stop", stdin=reading)
    os.close(writing)
    os.close(reading)
    assert is_silent(done)
    assert len(kept(ready)) == 1


def test_a_terminal_is_not_read(ready: Shell) -> None:
    ours, theirs = os.openpty()
    done = ready("hook", "Stop", stdin=theirs)
    os.close(theirs)
    os.close(ours)
    assert is_silent(done)


def transcript(shell: Shell, *lines: str) -> str:
    return str(transcripts.write(shell.home / "session.jsonl", *lines))


@pytest.mark.on_both
def test_what_is_said_between_tool_calls_is_read_in_the_background(ready: Shell) -> None:
    """By the worker of a file, or of a server by a process that the hook starts."""
    claude = transcripts.claude
    said = [claude(1, "Which bucket?"), claude(2, "It is acme-77.", "assistant"), claude(3, "Done.", "assistant")]
    fields = {"session_id": "s", "prompt_id": "p", "transcript_path": transcript(ready, *said)}
    ready.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_RECALL": "off"}
    assert is_silent(ready.hook("UserPromptSubmit", prompt="Which bucket?", **fields))
    assert is_silent(ready.hook("Stop", last_assistant_message="Done.", **fields))
    until(lambda: ready.json("status")["status"]["memories"] == 3)
    until(lambda: ready.json("status")["status"]["spooled"] == 0)
    transcripts.add(ready.home / "session.jsonl", claude(4, "More?", prompt="q"), claude(5, "Cut off", "assistant"))
    assert is_silent(ready.hook("UserPromptSubmit", prompt="More?", **fields | {"prompt_id": "q"}))
    assert is_silent(ready.hook("SessionEnd", reason="other", **fields | {"prompt_id": "q"}))
    until(lambda: ready.json("status")["status"]["memories"] == 5)


def test_a_hook_without_a_turn_is_silent_whatever_is_wrong(jotsam: Shell) -> None:
    """The end of a session without a database, with a transcript that is a pipe, and with nowhere to write."""
    os.mkfifo(jotsam.home / "session.jsonl")
    fields = {"session_id": "s", "prompt_id": "p", "transcript_path": str(jotsam.home / "session.jsonl")}
    jotsam.env["JOTSAM_WORKER"] = "auto"
    for name in ("SessionStart", "PreCompact", "SessionEnd"):
        assert is_silent(jotsam.hook(name, **fields))
        assert is_silent(jotsam.hook(name, env={"JOTSAM_DB": "/proc/x/y.db", "XDG_DATA_HOME": "/proc/x"}, **fields))
    assert "a turn may be lost" not in jotsam("doctor").stdout
    assert jotsam("work").returncode == 0
    assert jotsam.json("status")["status"]["spooled"] == 0
