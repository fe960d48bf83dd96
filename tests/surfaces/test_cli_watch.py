"""`jotsam status --watch`: drawn in place on a terminal, a line for each change elsewhere; Ctrl-C ends it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from processes import PATIENCE

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

WATCH = ("status", "--watch", "--interval", "0.05")


def test_a_line_of_json_is_printed_for_each_change(jotsam: Shell) -> None:
    watching = jotsam.start(*WATCH, "--json")
    assert watching.stdout is not None
    first = json.loads(watching.stdout.readline())
    jotsam("remember", "We use tabs.")
    second = json.loads(watching.stdout.readline())
    assert [one["status"]["depth"]["pending"] for one in (first, second)] == [0, 1]
    watching.send_signal(signal.SIGINT)
    assert watching.communicate(timeout=PATIENCE) == ("", "")
    assert watching.returncode == 0


def test_a_line_of_text_is_printed_for_each_change(jotsam: Shell) -> None:
    watching = jotsam.start(*WATCH)
    assert watching.stdout is not None
    assert "  0 pending · " in watching.stdout.readline()
    jotsam("remember", "We use tabs.")
    assert "  1 pending · " in watching.stdout.readline()
    watching.send_signal(signal.SIGINT)
    assert watching.wait(timeout=PATIENCE) == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_on_a_terminal_it_is_drawn_again_in_place_and_stays_at_the_end(jotsam: Shell, number: int, code: int) -> None:
    jotsam("migrate")
    ours, theirs = pty.openpty()
    watching = subprocess.Popen(jotsam.command(*WATCH), env=jotsam.env, cwd=jotsam.home, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = ""
    while shown.count("Ctrl-C ends") < 2:
        shown += os.read(ours, 65_536).decode()
    assert shown.startswith("\x1b[?1049h")
    assert shown.count("\x1b[H\x1b[J") >= 2
    watching.send_signal(number)
    while "\x1b[?1049l" not in shown or "level" not in shown.partition("\x1b[?1049l")[2]:
        shown += os.read(ours, 65_536).decode()
    assert watching.wait(timeout=PATIENCE) == code
    os.close(ours)


def test_a_screen_reader_gets_lines(jotsam: Shell) -> None:
    jotsam("migrate")
    ours, theirs = pty.openpty()
    env = jotsam.env | {"JOTSAM_ACCESSIBLE": "1", "NO_COLOR": "1"}
    watching = subprocess.Popen(jotsam.command(*WATCH), env=env, cwd=jotsam.home, stdout=theirs, stderr=theirs)
    os.close(theirs)
    assert b"\x1b" not in os.read(ours, 65_536)
    watching.send_signal(signal.SIGINT)
    assert watching.wait(timeout=PATIENCE) == 0
    os.close(ours)
