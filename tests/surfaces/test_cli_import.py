"""`jotsam import`: session files over the command line, beside hooks, interrupted, and run again."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from processes import until
from transcripts import add, claude, codex, codex_header, plain, tool, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surfaces.conftest import Shell


def session(shell: Shell) -> Path:
    path = shell.home / "s.jsonl"
    folder = {"cwd": str(shell.home)}
    return write(path, claude(1, "Use tabs.", **folder), tool(2), claude(3, "Tabs it is.", "assistant", **folder))


@pytest.mark.on_both
def test_it_says_what_became_of_each_line(jotsam: Shell) -> None:
    path = session(jotsam)
    done = jotsam("import", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["added     2 turns of 1 session in 1 file", "skipped   1 line: 1 tool results"]
    add(path, claude(4, "And now?", prompt="q"))
    assert jotsam("import", path).stdout.startswith("added     1 turn of 1 session in 1 file; 2 already stored\n")
    assert "Tabs it is." in jotsam("recall", "tabs").stdout


@pytest.mark.on_both
def test_a_broken_line_is_named_and_ends_with_1(jotsam: Shell) -> None:
    """MB-29."""
    path = write(jotsam.home / "s.jsonl", claude(1, "Use tabs."), "{", claude(3, "Now.", prompt="q"), '{"ty', end=b"")
    done = jotsam("import", path, jotsam.file("notes.md"))
    assert done.returncode == 1
    assert f"error: {path}, line 2: invalid JSON: " in done.stderr
    assert f"warning: {path}: the last line is incomplete; import the file again when it is written" in done.stderr
    assert "notes.md: is no session: expected lines of Claude Code" in done.stderr
    assert "added     2 turns" in done.stdout
    done = jotsam("import", write(path, claude(1, "Use tabs."), *(["{"] * 25)))
    assert "warning: 15 more lines could not be imported" in done.stderr


def test_what_is_unfinished_alone_is_no_failure(jotsam: Shell) -> None:
    path = write(jotsam.home / "s.jsonl", claude(1, "Use tabs."), '{"ty', end=b"")
    assert jotsam("import", path).returncode == 0


@pytest.mark.on_both
def test_its_json_has_every_count(jotsam: Shell) -> None:
    (jotsam.home / "shop" / ".git").mkdir(parents=True)
    header = codex_header(folder=str(jotsam.home / "shop"))
    path = write(jotsam.home / "rollout-1.jsonl", *header, codex(1, "Use tabs."), codex(2, "Done.", "assistant"))
    counts = {"schema": 1, "files": 1, "sessions": 1, "added": 2, "duplicates": 0, "skipped": {"meta": 2}, "invalid": 0}
    counts |= {"problems": [], "incomplete": []}
    assert jotsam.json("import", path, "--dry-run") == counts | {"dry_run": True}
    assert jotsam.json("status")["status"]["memories"] == 0
    assert jotsam.json("import", path) == counts | {"dry_run": False}
    memory = jotsam.json("show", jotsam.json("recall", "tabs")["hits"][0]["id"])["memory"]
    assert (memory["source"], memory["session"], memory["project"]) == ("codex", "c", "shop")


def test_a_dry_run_says_so(jotsam: Shell) -> None:
    assert jotsam("import", session(jotsam), "--dry-run").stdout.startswith("would add 2 turns of 1 session")


@pytest.mark.on_both
def test_a_turn_that_a_hook_has_kept_is_known_and_the_other_way_round(jotsam: Shell) -> None:
    """Through the real hook, on both ways."""
    jotsam("migrate")
    path = session(jotsam)
    jotsam.hooked("UserPromptSubmit", session_id="s", prompt="Use tabs.", prompt_id="p")
    assert jotsam.json("import", path)["duplicates"] == 1
    jotsam.hooked("Stop", session_id="s", last_assistant_message="Tabs it is.", prompt_id="p")
    assert jotsam.json("status")["status"]["memories"] == 2


@pytest.mark.on_both
def test_an_import_that_is_killed_goes_on_where_it_was(jotsam: Shell) -> None:
    jotsam("migrate")
    path = write(jotsam.home / "s.jsonl", *(plain(n, f"Number {n} is red.") for n in range(3_000)))
    running = jotsam.start("import", path)
    until(lambda: jotsam.json("status")["status"]["memories"] > 0)
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = jotsam.json("status")["status"]["memories"]
    done = jotsam.json("import", path)
    assert (done["added"], done["duplicates"]) == (3_000 - kept, kept)
    assert jotsam.json("status")["status"]["memories"] == 3_000


def test_on_a_terminal_a_line_shows_how_far_it_is(jotsam: Shell) -> None:
    path = write(jotsam.home / "s.jsonl", *(plain(n, f"Number {n} is red.") for n in range(600)))
    ours, theirs = pty.openpty()
    running = jotsam.start("import", path, stderr=theirs)
    os.close(theirs)
    assert running.stdout is not None
    out = running.stdout.read()
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "━" in shown
    assert f" of {path.stat().st_size:,} · s.jsonl" in shown
    assert "added     600 turns" in out


def test_it_can_be_queued_and_reads_the_path_as_it_was_meant(jotsam: Shell) -> None:
    session(jotsam)
    id = jotsam.json("--async", "import", "s.jsonl")["job_id"]
    subprocess.run(jotsam.command("work"), env=jotsam.env, cwd="/", capture_output=True, check=True)
    assert '"added":2,"duplicates":0' in jotsam("show", str(id)).stdout


def test_inside_a_hook_it_is_queued_in_silence(jotsam: Shell) -> None:
    """An agent does not wait for a file of any size; asked what it would do, it answers."""
    hook = {"CLAUDE_PROJECT_DIR": "/p"}
    done = jotsam("import", session(jotsam), **hook)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "would add 2 turns" in jotsam("import", "s.jsonl", "--dry-run", **hook).stdout
    assert jotsam.json("status")["status"]["memories"] == 0
    jotsam("work")
    assert jotsam.json("status")["status"]["memories"] == 2


def test_nothing_is_read_that_nobody_named(jotsam: Shell) -> None:
    write(jotsam.home / ".claude" / "projects" / "shop" / "s.jsonl", claude(1, "Use tabs."))
    for command in (["status"], ["work"], ["recall", "tabs"], ["add", jotsam.file("note.md", "We sell fruit.")]):
        jotsam(*command)
    assert "Use tabs." not in jotsam("recall", "tabs").stdout
    jotsam("import", jotsam.home / ".claude" / "projects")
    assert "Use tabs." in jotsam("recall", "tabs").stdout
