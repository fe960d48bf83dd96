"""Jotsam at fault: an agent answers with as many calls of its model as without it, and no turn is lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from stub_models import StubModels

from processes import until

if TYPE_CHECKING:
    from pathlib import Path

    from agent_programs import Agent
    from tests.agents.conftest import Program

    Fault = Callable[[Program], contextlib.AbstractContextManager[None]]

pytestmark = pytest.mark.agents

PROMPT, ANSWER = "We keep the zebra in Bonn.", "Noted: the zebra lives in Bonn."
TURNS = [("user", PROMPT), ("assistant", ANSWER)]


@contextlib.contextmanager
def program_gone(jotsam: Program) -> Iterator[None]:
    """The virtual environment of the program is moved away."""
    jotsam.environment.rename(jotsam.home / "elsewhere")
    yield
    (jotsam.home / "elsewhere").rename(jotsam.environment)


@contextlib.contextmanager
def package_broken(jotsam: Program) -> Iterator[None]:
    """The interpreter starts and cannot import the package."""
    libraries = next(jotsam.environment.glob("lib/python*/site-packages/installed.pth"))
    libraries.rename(libraries.with_suffix(".away"))
    yield
    libraries.with_suffix(".away").rename(libraries)


@contextlib.contextmanager
def database_locked(jotsam: Program) -> Iterator[None]:
    """Another process holds the write lock all the time."""
    hold = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('begin immediate'); print(1, flush=True)"
    command = [sys.executable, "-c", f"{hold}; sys.stdin.read()", str(jotsam.data / "jotsam.db")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline()
    yield
    process.communicate()


@contextlib.contextmanager
def database_newer(jotsam: Program) -> Iterator[None]:
    """A later version has migrated the file."""
    path = jotsam.data / "jotsam.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("pragma user_version").fetchone()
        connection.execute("pragma user_version = 9999")
    yield
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"pragma user_version = {version}")


@contextlib.contextmanager
def database_damaged(jotsam: Program) -> Iterator[None]:
    """The file is no database; later it is replaced by its backup."""
    path = jotsam.data / "jotsam.db"
    backup = jotsam.home / "backup.db"
    jotsam("backup", backup)
    for file in jotsam.data.glob("jotsam.db*"):
        if file.is_file():
            file.unlink()
    path.write_bytes(b"this is no database\n" * 400)
    yield
    for file in jotsam.data.glob("jotsam.db-*"):
        if file.is_file():
            file.unlink()
    os.replace(backup, path)


@contextlib.contextmanager
def config_broken(jotsam: Program) -> Iterator[None]:
    """The settings file is not TOML."""
    good = jotsam.config.read_text()
    jotsam.config.write_text("db = /tmp/unquoted.db\n" + good)
    yield
    jotsam.config.write_text(good)


FAULTS = (program_gone, package_broken, database_locked, database_newer, database_damaged, config_broken)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_no_fault_disturbs_an_agent_and_the_turn_arrives_afterwards(
    agent: Agent,
    jotsam: Program,
    models: StubModels,
    fault: Callable[[Program], contextlib.AbstractContextManager[None]],
) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    jotsam("remember", "Something that is there before.", "--project", "bank")
    jotsam("wait")
    with fault(jotsam):
        models.will(ANSWER)
        assert ANSWER in agent.say(PROMPT, folder=shop)
        assert len(models.requests) == 1
    assert [turn for turn in jotsam.said() if turn[0]] == TURNS


@pytest.fixture
def small_disk(jotsam: Program) -> Iterator[Path]:
    """The data folder is a file system of its own, with room for nothing but what a test deletes."""
    jotsam.data.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "tmpfs", str(jotsam.data)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user cannot mount a file system")
    yield jotsam.data
    until(lambda: not subprocess.run(["umount", str(jotsam.data)], capture_output=True, check=False).returncode)


def test_a_full_disk_does_not_disturb_an_agent(
    agent: Agent, jotsam: Program, models: StubModels, small_disk: Path
) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    jotsam("remember", "Something that is there before.", "--project", "bank")
    jotsam("wait")
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(bytes(4_096)):
            pass
    models.will(ANSWER)
    assert ANSWER in agent.say(PROMPT, folder=shop)
    assert len(models.requests) == 1
    until(lambda: not jotsam.running("hook"))
    ballast.unlink()
    models.will("In Cologne.")
    agent.say("And the lion?", folder=shop)
    assert [turn for turn in jotsam.said() if turn[0]][-2:] == [("user", "And the lion?"), ("assistant", "In Cologne.")]


def test_a_session_that_is_killed_keeps_its_prompt(agent: Agent, jotsam: Program, models: StubModels) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    models.hold()
    process = agent.start(PROMPT, folder=shop)
    until(lambda: models.requests)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    models.release()
    agent.say("And the lion?", folder=shop)
    assert jotsam.said() == [("user", PROMPT), ("user", "And the lion?"), ("assistant", "All right.")]
