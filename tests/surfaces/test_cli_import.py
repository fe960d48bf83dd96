"""`jotsam import`: session files, also together with hooks, interrupted and repeated."""

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
def test_imported_and_skipped_lines_are_counted(jotsam: Shell) -> None:
    path = session(jotsam)
    done = jotsam("import", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["added     2 turns of 1 session in 1 file", "skipped   1 line: 1 tool results"]
    add(path, claude(4, "And now?", prompt="q"))
    assert jotsam("import", path).stdout.startswith("added     1 turn of 1 session in 1 file; 2 already stored\n")
    assert "Tabs it is." in jotsam("recall", "tabs").stdout


@pytest.mark.on_both
def test_an_invalid_line_is_reported_with_exit_code_1(jotsam: Shell) -> None:
    """MB-29."""
    path = write(jotsam.home / "s.jsonl", claude(1, "Use tabs."), "{", claude(3, "Now.", prompt="q"), '{"ty', end=b"")
    done = jotsam("import", path, jotsam.file("notes.md"))
    assert done.returncode == 1
    assert f"error: {path}, line 2: invalid JSON: " in done.stderr
    assert f"warning: {path}: the last line is incomplete; import the file again when it is written" in done.stderr
    assert "notes.md: not a session file: expected sessions of Claude Code" in done.stderr
    assert "added     2 turns" in done.stdout
    done = jotsam("import", write(path, claude(1, "Use tabs."), *(["{"] * 25)))
    assert "warning: 15 more lines could not be imported" in done.stderr


def test_an_incomplete_last_line_alone_is_not_a_failure(jotsam: Shell) -> None:
    path = write(jotsam.home / "s.jsonl", claude(1, "Use tabs."), '{"ty', end=b"")
    assert jotsam("import", path).returncode == 0


@pytest.mark.on_both
def test_the_json_output_has_every_count(jotsam: Shell) -> None:
    (jotsam.home / "shop" / ".git").mkdir(parents=True)
    header = codex_header(folder=str(jotsam.home / "shop"))
    path = write(jotsam.home / "rollout-1.jsonl", *header, codex(1, "Use tabs."), codex(2, "Done.", "assistant"))
    counts = {"schema": 1, "files": 1, "sessions": 1, "added": 2, "duplicates": 0, "skipped": {"meta": 2}, "invalid": 0}
    counts |= {"problems": [], "incomplete": [], "without_prompts": [], "shortened": 0, "forgotten": 0}
    assert jotsam.json("import", path, "--dry-run") == counts | {"dry_run": True}
    assert jotsam.json("status")["status"]["memories"] == 0
    assert jotsam.json("import", path) == counts | {"dry_run": False}
    memory = jotsam.json("show", jotsam.json("recall", "tabs")["hits"][0]["id"])["memory"]
    assert (memory["source"], memory["session"], memory["project"]) == ("codex", "c", str(jotsam.home / "shop"))


def test_a_dry_run_prints_what_would_be_added(jotsam: Shell) -> None:
    assert jotsam("import", session(jotsam), "--dry-run").stdout.startswith("would add 2 turns of 1 session")


@pytest.mark.on_both
def test_hook_and_import_store_the_same_turn_once(jotsam: Shell) -> None:
    """Import first or hook first."""
    jotsam("migrate")
    path = session(jotsam)
    jotsam.hooked("UserPromptSubmit", session_id="s", prompt="Use tabs.", prompt_id="p")
    assert jotsam.json("import", path)["duplicates"] == 1
    jotsam.hooked("Stop", session_id="s", last_assistant_message="Tabs it is.", prompt_id="p")
    assert jotsam.json("status")["status"]["memories"] == 2


@pytest.mark.on_both
def test_a_killed_import_can_be_repeated_without_duplicates(jotsam: Shell) -> None:
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


def test_a_terminal_shows_a_progress_bar(jotsam: Shell) -> None:
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


def test_a_queued_import_reads_the_file_when_it_is_sent(jotsam: Shell) -> None:
    path = session(jotsam)
    id = jotsam.json("--async", "import", "s.jsonl")["job_id"]
    path.unlink()
    subprocess.run(jotsam.command("work"), env=jotsam.env, cwd="/", capture_output=True, check=True)
    assert '"added":2,"duplicates":0' in jotsam("show", str(id)).stdout
    assert jotsam.json("status")["status"]["memories"] == 2


def test_an_import_in_a_hook_is_queued_without_output(jotsam: Shell) -> None:
    """An import may take long, so the agent must not wait for it; a dry run prints its result."""
    hook = {"CLAUDE_PROJECT_DIR": "/p"}
    done = jotsam("import", session(jotsam), **hook)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "would add 2 turns" in jotsam("import", "s.jsonl", "--dry-run", **hook).stdout
    assert jotsam.json("status")["status"]["memories"] == 0
    jotsam("work")
    assert jotsam.json("status")["status"]["memories"] == 2


def test_no_session_file_is_read_without_being_named(jotsam: Shell) -> None:
    write(jotsam.home / ".claude" / "projects" / "shop" / "s.jsonl", claude(1, "Use tabs."))
    for command in (["status"], ["work"], ["recall", "tabs"], ["add", jotsam.file("note.md", "We sell fruit.")]):
        jotsam(*command)
    assert "Use tabs." not in jotsam("recall", "tabs").stdout
    jotsam("import", jotsam.home / ".claude" / "projects")
    assert "Use tabs." in jotsam("recall", "tabs").stdout


def test_a_fifo_a_device_and_unreadable_numbers_are_refused_and_named(jotsam: Shell) -> None:
    folder = session(jotsam).parent / "sessions"
    write(folder / "s.jsonl", claude(1, "Use tabs."))
    write(folder / "numbers.jsonl", *([plain(1, "x").replace("{", '{"id": ' + "7" * 5_000 + ", ", 1)] * 2))
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "zero.jsonl").symlink_to("/dev/zero")
    done = jotsam("import", folder)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "added     1 turn of 1 session in 4 files")
    assert f"error: {folder}/pipe.jsonl: is a FIFO, not a regular file\n" in done.stderr
    assert f"error: {folder}/zero.jsonl: is a device, not a regular file\n" in done.stderr
    assert f"error: {folder}/numbers.jsonl: not a session file: expected" in done.stderr
    assert "; line 1: invalid JSON: Exceeds the limit" in done.stderr


def test_answers_without_a_prompt_are_a_warning(jotsam: Shell) -> None:
    """A new version of an agent may write prompts in a way that is not known yet."""
    paths = [write(jotsam.home / f"{n}.jsonl", *codex_header(str(n)), codex(1, "Done.", "assistant")) for n in range(5)]
    whole = write(jotsam.home / "whole.jsonl", *codex_header("w"), codex(1, "Go."), codex(2, "Done.", "assistant"))
    done = jotsam("import", *paths, whole)
    assert done.returncode == 0
    assert f"warning: {paths[0]}, {paths[1]}, {paths[2]} and 2 more: answers without a prompt" in done.stderr
    assert jotsam.json("import", *paths, whole)["without_prompts"] == [str(path) for path in paths]


def test_very_long_turns_are_counted(jotsam: Shell) -> None:
    path = write(jotsam.home / "s.jsonl", plain(1, "word " * 100_000), plain(2, "short"))
    done = jotsam("import", path)
    assert "warning: 1 turn is longer than 200,000 characters: only the beginning is stored" in done.stderr
    jotsam("work")
    assert jotsam.json("status")["status"]["memories"] < 200


def test_what_is_said_of_a_bad_file_is_true_and_in_order(jotsam: Shell) -> None:
    bad = jotsam.home / "bad.jsonl"
    bad.write_text("not json\n")
    for arguments in ((bad, "--format", "plain"), (jotsam.home / "nope",)):
        done = jotsam("import", *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        first, last = done.stderr.splitlines()
        assert first.startswith(f"error: {arguments[0]}")
        assert last == "hint: nothing was imported"
    bad.write_text(bad.read_text() + plain(1, "Use tabs.") + "\n")
    done = jotsam("import", bad, "--format", "plain")
    assert done.stdout.startswith("added     1 turn of 1 session in 1 file")
    assert "hint: everything else was imported" in done.stderr
    other = jotsam.home / "mem.json"
    other.write_text('{"memories": 5}')
    done = jotsam("import", other, "--format", "automem")
    assert (done.returncode, done.stdout, "nothing was imported" in done.stderr) == (1, "", "error" not in done.stderr)
