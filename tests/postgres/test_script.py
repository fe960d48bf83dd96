"""`scripts/postgres` uses no folder that another user can change; `stop` stops its own server and no other process."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from servers import Server

SCRIPT = Path(__file__).parents[2] / "scripts" / "postgres"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"JOTSAM_POSTGRES": str(folder)}
    command = ["bash", str(SCRIPT), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def stop(folder: Path) -> str:
    ended = run(folder, "stop")
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


def folder_of_another_user(tmp_path: Path) -> Path:
    if os.geteuid() != 0:
        return Path("/usr")
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    return folder


def test_a_folder_that_another_user_can_change_is_refused_and_stays_as_it_was(tmp_path):
    theirs, mine, full = folder_of_another_user(tmp_path), tmp_path / "mine", tmp_path / "full"
    for folder in (mine, full, tmp_path / "open", tmp_path / "open" / "inner", tmp_path / "planted"):
        folder.mkdir(mode=0o700)
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o770)
    (full / "letter").write_text("secret")
    (tmp_path / "link").symlink_to(mine)
    (tmp_path / "nowhere").symlink_to(tmp_path / "not-there")
    (tmp_path / "planted" / "data").symlink_to(full)
    refused = {
        theirs: "belongs to",
        tmp_path / "link": "is a symbolic link",
        tmp_path / "nowhere": "is a symbolic link",
        tmp_path / "planted": "data is a symbolic link",
        tmp_path / "shared": "others may write to",
        tmp_path / "open" / "inner": "others can replace",
    }
    before = {path: (path.stat().st_uid, path.stat().st_mode) for path in (theirs, mine, full)}
    for folder, reason in refused.items():
        for arguments in ([], ["stop"]):
            ended = run(folder, *arguments)
            assert (ended.returncode, ended.stdout) == (1, "")
            assert reason in ended.stderr
            assert "JOTSAM_POSTGRES=FOLDER" in ended.stderr
    assert before == {path: (path.stat().st_uid, path.stat().st_mode) for path in (theirs, mine, full)}
    assert list(mine.iterdir()) == []
    assert not (tmp_path / "not-there").exists()
