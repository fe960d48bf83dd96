"""Many hooks fire at the same moment, while others hold the database or are killed: each turn is stored once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from jotsam import Jotsam
from jotsam.core.settings import Settings

KILLED_EVERY = 5


def started_hook(number: int, folder: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A hook with its event in a file: it does not wait long for what comes through a pipe."""
    path = folder / f"event-{number}.json"
    path.write_text(event(number, folder))
    command = [sys.executable, "-m", "jotsam", "hook", "Stop"]
    with path.open("rb") as file:
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=file, stdout=pipe, stderr=pipe, env=environment, cwd=folder)


def event(number: int, folder: Path) -> str:
    said = {"session_id": f"s{number % 7}", "hook_event_name": "Stop", "cwd": str(folder), "prompt_id": f"p{number}"}
    return json.dumps(said | {"last_assistant_message": f"We chose option number{number}."})


def stored(url: str) -> list[str]:
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0)) as jot:
        jot.work()
        assert jot.admin.dead() == []
        return sorted(memory.text for memory in jot.list(limit=200).memories)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("hooks", [8, pytest.param(50, marks=pytest.mark.long)])
@pytest.mark.parametrize("is_locked", [False, True])
def test_hooks_that_fire_at_once_store_each_turn_once(
    hooks: int, is_locked: bool, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    Jotsam(url, worker="off").close()
    settings = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "JOTSAM_DB": url}
    settings |= {"JOTSAM_RECALL": "off", "JOTSAM_WORKER_IDLE_MS": "0", "PATH": "", "JOTSAM_WORKER": "off"}
    other = apsw.Connection(url)
    if is_locked:
        other.execute("begin immediate")
    started = [started_hook(number, tmp_path, settings) for number in range(hooks)]
    for process in started[::KILLED_EVERY]:
        process.kill()
    codes = []
    for process in started:
        with process:
            assert process.stdout
            assert process.stderr
            said = process.stdout.read() + process.stderr.read()
        codes.append(process.returncode)
        assert (said, codes[-1] in (0, -signal.SIGKILL)) == (b"", True)
    if is_locked:
        other.execute("rollback")
    other.close()
    done = [number for number, code in enumerate(codes) if code == 0]
    killed = [number for number, code in enumerate(codes) if code != 0]
    found = stored(url)
    assert {f"We chose option number{number}." for number in done} <= {*found}, "a turn is lost"
    assert len(found) == len({*found}), "a turn is doubled"
    for number in killed:  # The agent fires it again, or never.
        with started_hook(number, tmp_path, settings) as again:
            assert again.communicate() == (b"", b"")
    assert stored(url) == sorted(f"We chose option number{number}." for number in range(hooks))
    record_property("tried", f"{hooks} hooks, {len(killed)} killed")
