"""Commands that take long, for a person at a terminal: one bar, one closing line, and what Ctrl-C has kept."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest
from terminal import AtTerminal, shown

from processes import PATIENCE, until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

IDS = re.compile(r"^(accepted |duplicate) [0-9a-f-]{36}  job \d+  ", re.M)
TIME = r"[\d.]+ (ms|s|min)"


def folder(jotsam: Shell, number: int) -> None:
    for one in range(number):
        jotsam.file(f"notes/{one}.md", f"Note {one} of Ana.\n")


@pytest.mark.parametrize("columns", [80, 200])
def test_a_person_sees_one_bar_and_one_closing_line(jotsam: Shell, columns: int) -> None:
    folder(jotsam, 3)
    told = shown(jotsam, "add", "notes", columns=columns, NO_COLOR="1")
    assert not IDS.search(told)
    assert "━" in told
    assert re.fullmatch(
        rf"3 documents accepted in {TIME}; `jotsam jobs work` processes them\n", told.rpartition("\x1b[K")[2]
    )
    again = shown(jotsam, "add", "notes/0.md", "notes/1.md", columns=columns, TERM="dumb")
    assert re.fullmatch(rf"0 documents accepted, 2 known already in {TIME}\n", again), "no bar on a dumb terminal"
    assert len(IDS.findall(shown(jotsam, "add", "notes", "-v", columns=columns).replace("\x1b[K", "\n"))) == 3


def test_scripts_get_a_line_with_the_ids_of_each_file(jotsam: Shell) -> None:
    folder(jotsam, 3)
    done = jotsam("add", "notes")
    assert (len(IDS.findall(done.stdout)), done.stderr) == (3, "")
    assert done.stdout.endswith("\n3 documents accepted\n")
    assert len(IDS.findall(shown(jotsam, "add", "notes", CLAUDECODE="1").replace("\x1b[K", "\n"))) == 3
    assert len(jotsam.json("add", "notes")["receipts"]) == 3


def test_every_long_command_closes_with_one_line_and_its_time(jotsam: Shell) -> None:
    folder(jotsam, 2)
    jotsam("add", "notes")
    jotsam("work")
    said = '{"session": "s", "actor": "Ann", "text": "A walrus.", "timestamp": "2026-03-01"}\n'
    closing = {
        (
            "import",
            str(jotsam.file("s.jsonl", said)),
        ): rf"added     1 turn of .* in {TIME}; `jotsam jobs work` processes them",
        ("export", "all.jsonl"): rf"exported  .* in {TIME}",
        ("backup", "copy.db"): rf"backed up to .*copy.db: .* checked, in {TIME}",
        ("reprocess", "--all", "--force"): rf"queued 2 memories; .*, in {TIME}; `jotsam jobs work` processes them",
    }
    for arguments, pattern in closing.items():
        told = shown(jotsam, *arguments, NO_COLOR="1").rpartition("\x1b[K")[2]
        assert re.fullmatch(f"{pattern}\n", told), told
    assert shown(jotsam, "jobs", "retry", "all") == "retried 0 jobs: no matching job is dead\n"
    told = shown(jotsam, "migrate", "--to", "other.db", NO_COLOR="1").rpartition("\x1b[K")[2]
    assert re.match(rf"copied and verified \d+ rows in {TIME}: ", told)
    assert jotsam("migrate", "--to", "other.db").stdout.startswith("TABLE "), "in a pipe as before"


def test_ctrl_c_says_what_was_kept_and_how_to_continue(jotsam: Shell) -> None:
    """The last file is a pipe that nobody writes to, so the command waits until it is interrupted."""
    folder(jotsam, 150)
    ours, theirs = os.pipe()
    names = [f"notes/{number}.md" for number in range(150)]
    running = AtTerminal(jotsam, "add", *names, "-", stdin=ours, NO_COLOR="1")
    until(lambda: re.search(r"\d+ of 151 · notes/", running.text))
    running.process.send_signal(signal.SIGINT)
    told = running.end()
    os.close(ours)
    os.close(theirs)
    assert running.process.returncode == 130
    kept = re.search(r"interrupted: (\d+) of 151 files are stored\nhint: the same command adds the rest; ", told)
    assert kept
    assert 0 < int(kept[1]) <= jotsam.json("status")["status"]["documents"] < 151
    assert "Traceback" not in told
    assert jotsam("add", *names).stdout.count("duplicate ") >= int(kept[1])


def test_ctrl_c_during_wait_says_what_goes_on(jotsam: Shell) -> None:
    jotsam("remember", "tabs")
    running = AtTerminal(jotsam, "wait", NO_COLOR="1")
    until(lambda: "0 done · 1 remaining" in running.text)
    running.process.send_signal(signal.SIGINT)
    told = running.end()
    assert running.process.wait(PATIENCE) == 130
    assert "interrupted: 1 job is left, and no worker is running\nhint: `jotsam jobs work` processes them, " in told


def test_ctrl_c_during_an_export_says_that_it_is_not_complete(jotsam: Shell) -> None:
    """The export goes to a pipe that is read only after the interruption, and does not fit into it."""
    jotsam("add", jotsam.file("long.md", "tabs " * 60_000))
    pipe = jotsam.home / "pipe"
    os.mkfifo(pipe)
    running = AtTerminal(jotsam, "export", "pipe", NO_COLOR="1")
    with pipe.open("rb") as file:  # Returns once the command has opened it.
        running.process.send_signal(signal.SIGINT)
        file.read()
    told = running.end()
    assert running.process.returncode == 130
    assert told.endswith(
        "interrupted: pipe was not written\nhint: an export has no parts: run the same command again\n"
    )
