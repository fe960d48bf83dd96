"""`scripts/postgres stop` stops its own server, and no other process with the same PID."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from servers import Server

SCRIPT = Path(__file__).parents[2] / "scripts" / "postgres"


def stop(folder: Path) -> str:
    command = ["bash", str(SCRIPT), "stop"]
    ended = subprocess.run(
        command, env=os.environ | {"JOTSAM_POSTGRES": str(folder)}, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def test_it_stops_its_server_and_says_so_once():
    server = Server()
    try:
        assert stop(server.folder).startswith("Stopped. Its data lies in")
        assert not server._is_up()
        assert stop(server.folder) == "It is not running.\n"
    finally:
        server.stop()


@pytest.mark.parametrize("number", ["", "999999999", "no number", None])
def test_without_a_server_there_is_nothing_to_stop(number, tmp_path):
    (tmp_path / "data").mkdir()
    if number is not None:
        (tmp_path / "data" / "postmaster.pid").write_text(f"{number}\n")
    assert stop(tmp_path) == "It is not running.\n"


def test_another_process_that_has_its_number_by_now_is_left_alone(tmp_path):
    (tmp_path / "data").mkdir()
    with subprocess.Popen(["sleep", "600"]) as other:
        (tmp_path / "data" / "postmaster.pid").write_text(f"{other.pid}\n")
        assert stop(tmp_path) == "It is not running.\n"
        assert other.poll() is None
        other.kill()
