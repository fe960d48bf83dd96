"""`jotsam demo`: what it shows, and that nothing of it is left or of the user is touched."""

from __future__ import annotations

import json
import re
import signal
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from terminal import AtTerminal, shown

from jotsam.surfaces.cli.operate.demo import FILE
from processes import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surfaces.conftest import Shell

OVER = "The demo is over, and its memory is removed."
LINK = re.compile(r"dashboard (http://127\.0\.0\.1:\d+)/ui/sign-in\?link=\S+")


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


def test_it_shows_answers_an_absence_and_the_brief(jotsam: Shell, scratch: Path) -> None:
    done = jotsam("demo", TMPDIR=str(scratch))
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    for expected in (
        "17 sessions of 2 projects, 72 turns; 72 memories",
        "We chose PostgreSQL over MongoDB for the orders",
        "From now on we deploy on Tuesdays, no longer on Fridays",
        "it writes batches of 2,000 rows now",
        "Tomas Reyes leads the order service from today.",
        "nothing here speaks of parental, policy",
        "rule never change the schema without a migration that can be undone",
        "open nobody has written a restore test for the backups yet",
    ):
        assert expected in text, expected
    brief = text.partition("$ jotsam brief")[2]
    assert "We decided to handle webhooks synchronously" not in brief, "it was reversed"
    assert done.stdout.rstrip().splitlines()[-1].startswith(OVER)
    assert LINK.search(done.stdout) is None, "without a terminal nothing is served"
    assert files(scratch) == {}


def test_nothing_of_the_user_is_read_or_changed(jotsam: Shell, scratch: Path) -> None:
    """Not the database, nor the settings: with the model that they name, each job would need a server."""
    jotsam("remember", "Kept as it is.")
    before = jotsam.json("recall", "kept", "--all")["hits"]
    stored = {name: data for name, data in files(jotsam.home).items() if "-shm" not in name}
    wrong = {"JOTSAM_LLM_URL": "http://127.0.0.1:9/v1", "JOTSAM_LLM_MODEL": "none", "JOTSAM_PROJECT": "other"}
    wrong |= {"JOTSAM_RECALL_TOKENS": "50", "JOTSAM_TENANT": "else", "JOTSAM_CONCURRENCY": "none"}
    done = jotsam("demo", TMPDIR=str(scratch), **wrong)
    assert (done.returncode, done.stderr.count("error")) == (0, 0), done.stderr
    assert "72 memories" in done.stdout
    assert {name: data for name, data in files(jotsam.home).items() if name in stored} == stored
    assert jotsam.json("recall", "kept", "--all")["hits"] == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_dashboard_and_leaves_nothing(jotsam: Shell, scratch: Path, number: int) -> None:
    """A worker marks damaged events in the user's data folder; that of the demo must not see them."""
    event = jotsam.home / "data/jotsam/hooks.spool/1790000000000000000-1.event"
    event.parent.mkdir(parents=True, mode=0o700)
    event.write_bytes(b"\xff")
    running = AtTerminal(jotsam, "demo", "--no-open", NO_COLOR="1", TMPDIR=str(scratch))
    until(lambda: LINK.search(running.text))
    address = LINK.search(running.text)
    assert address
    until(lambda: _answers(address[1]))
    assert files(scratch), "the memory is there while it is served"
    assert event.exists()
    running.process.send_signal(number)
    told = running.end()
    assert running.process.returncode == 0, told
    assert OVER in told
    assert [*scratch.iterdir()] == []
    assert [*event.parent.iterdir()] == [event]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_dashboard_leaves_nothing(jotsam: Shell, scratch: Path, number: int) -> None:
    running = AtTerminal(jotsam, "demo", "--no-open", NO_COLOR="1", TMPDIR=str(scratch))
    until(lambda: [*scratch.glob("jotsam-demo-*/demo.db")])
    running.process.send_signal(number)
    told = running.end()
    assert running.process.returncode == 128 + number, told
    assert OVER not in told
    assert [*scratch.iterdir()] == []


def test_no_serve_ends_after_the_text_at_a_terminal_too(jotsam: Shell, scratch: Path) -> None:
    told = shown(jotsam, "demo", "--no-serve", NO_COLOR="1", TMPDIR=str(scratch))
    assert OVER in told
    assert LINK.search(told) is None


def test_the_sessions_are_varied_and_small() -> None:
    assert FILE.stat().st_size < 60_000
    month = json.loads(FILE.read_text(encoding="utf-8"))
    days = [one["day"] for one in month["sessions"]]
    assert (max(days), min(days), len({one["project"] for one in month["sessions"]})) == (30, 1, 2)
    assert days == sorted(days, reverse=True)
    assert all(len(one["turns"]) % 2 == 0 for one in month["sessions"])


def _answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/readyz", timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False
