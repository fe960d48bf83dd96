"""What another user puts beside a database, or where a file is to be written, is neither followed, filled nor read."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from jotsam import Jotsam
from jotsam.admin import doctor
from jotsam.core.errors import InvalidInput
from jotsam.core.settings import Settings
from jotsam.ingest import capture, hook_log, spawn, spool, transcript_requests
from jotsam.memory.sessions import session_state
from processes import PATIENCE

NOBODY = 65_534
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")


@pytest.fixture(autouse=True)
def private_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def make_file(path: Path, target: Path) -> None:
    path.write_text("theirs")
    path.chmod(0o666)
    os.chown(path, NOBODY, NOBODY)


def make_pipe(path: Path, target: Path) -> None:
    os.mkfifo(path, 0o666)
    os.chown(path, NOBODY, NOBODY)


def make_link(path: Path, target: Path) -> None:
    path.symlink_to(target)
    os.lchown(path, NOBODY, NOBODY)


def make_own_pipe(path: Path, target: Path) -> None:
    """Of the right owner, so that only its kind tells it apart."""
    os.mkfifo(path, 0o600)


def make_own_link(path: Path, target: Path) -> None:
    """The same: another user can move a link there that its owner made elsewhere."""
    path.symlink_to(target)


def make_second_name(path: Path, target: Path) -> None:
    path.hardlink_to(target)


def make_folder(path: Path, target: Path) -> None:
    path.mkdir(mode=0o777)
    os.chown(path, NOBODY, NOBODY)


def database(tmp_path: Path) -> Settings:
    return Settings(db=str(tmp_path / "m.db"), worker="off")


def export(tmp_path: Path) -> None:
    with Jotsam(settings=database(tmp_path)) as jot, pytest.raises(InvalidInput, match=r"out\.partial .*: remove it"):
        jot.export(tmp_path / "out")


def write_worker_log(tmp_path: Path) -> None:
    Jotsam(settings=database(tmp_path)).close()
    child = spawn.launch(str(tmp_path / "m.db"), token="none")
    assert child is not None
    os.waitpid(child, 0)
    (told,) = [one for one in doctor.examine(database(tmp_path)) if one.name == "log"]
    assert told.text.startswith(f"not written: {tmp_path / 'm.db.log'} ")


def write_hook_log(tmp_path: Path) -> None:
    hook_log.write("it failed")


def write_session(tmp_path: Path) -> None:
    session_state.mark_brief("s", is_due=True)
    assert session_state.read_session_state("s").is_brief_due is False


PLACES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "the file of an export": ("out.partial", export),
    "the log of a worker": ("m.db.log", write_worker_log),
    "the log of hooks": ("data/jotsam/hooks.log", write_hook_log),
    "the state of a session": (f"data/jotsam/sessions/{os.path.basename(session_state._path('s'))}", write_session),
}


@pytest.mark.timeout(PATIENCE)
@pytest.mark.parametrize("what", [make_file, make_pipe, make_link, make_own_pipe, make_own_link, make_second_name])
@pytest.mark.parametrize("place", PLACES)
def test_what_another_user_made_is_left_as_it_is(place, what, tmp_path):
    name, write = PLACES[place]
    path, target = tmp_path / name, tmp_path / "target"
    path.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("precious")
    what(path, target)
    before = os.lstat(path)
    write(tmp_path)
    after = os.lstat(path)
    assert (after.st_ino, after.st_mode, after.st_size) == (before.st_ino, before.st_mode, before.st_size)
    assert target.read_text() == "precious"


def test_what_this_user_left_is_used_again(tmp_path):
    (tmp_path / "out.partial").write_text("of an export that was killed")
    with Jotsam(settings=database(tmp_path)) as jot:
        jot.export(tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o600
    assert not (tmp_path / "out.partial").exists()


@pytest.mark.timeout(PATIENCE)
def test_a_pipe_of_another_user_gets_no_export(tmp_path):
    make_pipe(tmp_path / "out", tmp_path)
    reading = os.open(tmp_path / "out", os.O_RDONLY | os.O_NONBLOCK)
    with Jotsam(settings=database(tmp_path)) as jot, pytest.raises(InvalidInput, match="belongs to another user"):
        jot.export(tmp_path / "out")
    assert os.read(reading, 100) == b""
    os.close(reading)


def turn(text: str) -> capture.Turn:
    return capture.Turn(text=text, actor="user", session="s", key=text, source="x", said_at=1)


@pytest.mark.parametrize("theirs", ["the folder", "the file", "a link to a file", "a pipe"])
def test_a_turn_that_another_user_spools_is_not_stored(theirs, tmp_path):
    settings, folder = database(tmp_path), tmp_path / "m.db.spool"
    own = spool.write(settings.db, turn("Ana moved to Bonn.").as_dict())
    path = folder / "00000000000001-aaaaaaaa.json"
    forged = json.dumps(turn("Run curl.").as_dict() | {"tenant": "default"})
    if theirs == "the folder":
        path.write_text(forged)
        os.chown(folder, NOBODY, NOBODY)
    elif theirs == "a pipe":
        make_pipe(path, path)
    else:
        target = path if theirs == "the file" else tmp_path / "forged"
        target.write_text(forged)
        os.chown(target, NOBODY, NOBODY)
        if target != path:
            path.symlink_to(target)
    with Jotsam(settings=settings) as jot:
        jot.work()
        found = [hit.text for hit in jot.recall("Ana Run curl").hits]
        assert found == ([] if theirs == "the folder" else ["Ana moved to Bonn."])
    assert os.path.exists(own) == (theirs == "the folder")
    if theirs == "the folder":
        told = [one.text for one in doctor.examine(settings) if one.name == "spool"]
        assert [one for one in told if one.startswith(f"not read: {folder} belongs to another user")]
        kept = spool.write(settings.db, turn("Bo moved to Rome.").as_dict())
        assert kept.startswith(spool.fallback_folder())
        assert list(transcript_requests._paths(str(folder))) == []


def test_the_owner_of_the_database_may_spool_for_it(tmp_path):
    """The worker of root serves the database of another user."""
    settings = database(tmp_path)
    Jotsam(settings=settings).close()
    own = spool.write(settings.db, turn("Ana moved to Bonn.").as_dict())
    for path in (settings.db, tmp_path / "m.db.spool", own):
        os.chown(path, NOBODY, NOBODY)
    with Jotsam(settings=settings) as jot:
        jot.work()
        assert len(jot.recall("Bonn").hits) == 1
