"""`jotsam db migrate --to`: what it prints, and how it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from jotsam import Jotsam, Queue
from jotsam.core.settings import Settings
from processes import PATIENCE


@pytest.fixture
def jotsam(tmp_path):
    """Runs one command, away from the settings of whoever runs the tests."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("JOTSAM_")}
    env |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "jotsam", *arguments]
        place = {"env": env, "cwd": tmp_path}
        return subprocess.run(command, **place, capture_output=True, text=True, timeout=PATIENCE, check=False)

    return run


@pytest.fixture
def old(tmp_path):
    with Jotsam(settings=Settings(db=str(tmp_path / "old.db"), worker="off", worker_idle_ms=0)) as jot:
        jot.remember("Ana moved to Bonn.")
        jot.work()
        jot.add("Still to be cut.")
    return jot.database.url


def test_it_moves_and_says_what(jotsam, old, server):
    new = server.url()
    done = jotsam("--db", old, "migrate", "--to", new)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["TABLE", "ROWS", "CHECKSUM"]
    assert ["memory", "1"] in [line[:2] for line in lines]
    assert ["queue_job", "1"] in [line[:2] for line in lines]
    assert "copied and verified" in done.stdout
    assert "Bonn" in jotsam("--db", new, "recall", "Bonn").stdout
    again = jotsam("--db", old, "migrate", "--to", new, "--json")
    assert json.loads(again.stdout)["already"] is True


def test_back_into_a_file(jotsam, old, server, tmp_path):
    new = server.url()
    there = json.loads(jotsam("--db", old, "migrate", "--to", new, "--json").stdout)
    back = json.loads(jotsam("--db", new, "migrate", "--to", "back.db", "--json").stdout)
    assert back["tables"] == there["tables"]
    assert back["target"] == str(tmp_path / "back.db")
    assert os.stat(tmp_path / "back.db").st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--to", "mysql://localhost/x"], 1, "unsupported database mysql://"),
        (
            ["--to", "postgresql://ana:secret@127.0.0.1:1/x"],
            1,
            "postgresql://ana@127.0.0.1:1/x: cannot reach the server",
        ),
        (["--to", "other.db", "--dry-run"], 2, "--dry-run prints the SQL"),
    ],
)
def test_it_fails_with_the_way_out(arguments, code, words, jotsam, old):
    done = jotsam("--db", old, "migrate", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert "secret" not in done.stderr


def test_a_database_that_is_not_there_is_not_made(jotsam, tmp_path):
    done = jotsam("--db", "nothing.db", "migrate", "--to", "other.db")
    assert done.returncode == 1
    assert "nothing.db" in done.stderr
    assert not (tmp_path / "nothing.db").exists()
    assert not (tmp_path / "other.db").exists()


def test_a_target_that_is_not_finished_says_so_to_everybody(jotsam, old, tmp_path):
    from jotsam.storage import MEMORY, connect

    connect(str(tmp_path / "new.db"), schemas=(*MEMORY, "copying")).close()
    done = jotsam("--db", "new.db", "recall", "Bonn")
    assert done.returncode == 1
    assert "unfinished copy of another database" in done.stderr
    assert jotsam("--db", old, "migrate", "--to", "new.db").returncode == 0
    assert "Bonn" in jotsam("--db", "new.db", "recall", "Bonn").stdout


def test_a_queue_alone_is_moved_as_well(jotsam, server, tmp_path):
    with Queue(str(tmp_path / "queue.db"), "mail") as mail:
        mail.send("one")
    new = server.url()
    done = jotsam("--db", "queue.db", "migrate", "--to", new)
    assert (done.returncode, done.stderr) == (0, "")
    assert {line.split()[0] for line in done.stdout.splitlines()[1:-2]} >= {"queue_job", "queue_payload"}
    assert "memory" not in done.stdout
    with Queue(new, "mail") as mail:
        job = mail.receive()
        assert job is not None
        assert job.payload == '"one"'
