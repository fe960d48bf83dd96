"""A worker is started from wherever somebody adds something: from any folder, with any files lying in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import jotsam
from jotsam import Jotsam
from jotsam.core.settings import Settings
from processes import PATIENCE, Connection, start, until


def add_from(pipe: Connection, url: str, folder: str) -> None:
    # Where the tests are run from the source, the worker shall find it from any folder.
    # An empty place would be the folder that it is started from, so there must be none.
    places = [str(Path(jotsam.__file__).parents[1]), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    os.environ["PYTHONPATH"] = os.pathsep.join(places)
    os.chdir(folder)
    with Jotsam(settings=Settings(db=url, worker_idle_ms=0)) as jot:
        receipt = jot.add("A document about aardvarks.")
        pipe.send(jot.wait([receipt.id], timeout_ms=PATIENCE * 1_000))


@pytest.fixture
def ended(url: str):
    """Waits for the worker at the end, so that nothing runs on in the folder of a test that is over."""
    yield
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        until(lambda: jot.status().worker == "none")


@pytest.mark.usefixtures("ended")
def test_a_worker_runs_nothing_that_lies_in_the_folder_it_is_started_from(url, tmp_path):
    """A cloned repository may hold anything, also files named like modules of the standard library, or like us."""
    clone = tmp_path / "clone"
    (clone / "jotsam").mkdir(parents=True)
    trap = f"import os; os.close(os.open({str(tmp_path / 'sprung')!r}, os.O_CREAT))\n"
    for name in ("apsw", "logging", "threading", "json", "jotsam/__init__", "jotsam/__main__", "sitecustomize"):
        (clone / f"{name}.py").write_text(trap)
    adding = start(add_from, url, str(clone))
    assert adding.says() is True
    assert adding.ends() == 0
    assert not (tmp_path / "sprung").exists()


@pytest.mark.usefixtures("ended")
def test_a_worker_outlives_the_folder_it_was_started_from(url, tmp_path):
    folder = tmp_path / "short-lived"
    folder.mkdir()
    adding = start(add_from, url, str(folder))
    assert adding.says() is True
    assert adding.ends() == 0
    folder.rmdir()
