"""Backups and restores are killed while others write: each backup is whole, and each restore is done or not."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jotsam import DatabaseBusy, Jotsam
from jotsam.admin.restore import restore
from jotsam.core.settings import Settings
from processes import WAIT_MS, Connection, Running, start

DELAYS_S = (0.0, 0.25)
"""After how long a command is killed, at random: before, while and after it does its work."""
KEPT = 100


def write(pipe: Connection, url: str, name: str) -> None:
    """Store numbered memories until it is killed, and say each that was accepted."""
    number = 0
    with Jotsam(settings=Settings(db=url, worker="off", lock_timeout_ms=WAIT_MS)) as jot:
        while True:
            jot.remember(f"Writer {name} says number{number}.")
            pipe.send(number)
            number += 1


def work(pipe: Connection, url: str) -> None:
    with Jotsam(settings=Settings(db=url, worker="off", lock_timeout_ms=WAIT_MS)) as jot:
        jot.work(forever=True)


def latest(writer: Running) -> int:
    """The number that a writer said last; it has said others before."""
    number = writer.says()
    while writer.pipe.poll():
        number = writer.says()
    return int(number)


def killed(dice: random.Random, *arguments: str) -> bool:
    """Run a command, and kill it after a while. Returns whether it was killed before it ended."""
    command = [sys.executable, "-m", "jotsam", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        # Its start takes as long as importing the program; what is killed then has not begun.
        timer = threading.Timer(0.1 + dice.uniform(*DELAYS_S), process.kill)
        timer.start()
        _, errors = process.communicate()
        timer.cancel()
    assert process.returncode in (0, -signal.SIGKILL), errors
    return process.returncode != 0


def stored(path: str | Path) -> list[str]:
    with Jotsam(settings=Settings(db=str(path), worker="off")) as jot, jot.database.snapshot(tenant="default") as tx:
        assert tx.execute("pragma integrity_check") == [{"integrity_check": "ok"}]
        return sorted(row["body"] for row in tx.execute("select body from memory"))


def complete(folder: Path) -> set[Path]:
    return {*folder.glob("jotsam-*.db")}


def numbers(texts: list[str], writer: int) -> list[int]:
    return sorted(int(text.rpartition("number")[2].strip(".")) for text in texts if f"Writer {writer} " in text)


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.long)])
def test_backups_that_are_killed_among_writers_are_whole_or_none(
    rounds: int, jot: Jotsam, processes: list[Running], tmp_path: Path, record_property
) -> None:
    dice, url, folder = random.Random(rounds), jot.database.url, tmp_path / "elsewhere"
    folder.mkdir()
    processes += [start(write, url, str(number)) for number in range(2)]
    processes.append(start(work, url))
    kills = made = 0
    for number in range(rounds + 1):
        accepted, before = [latest(writer) for writer in processes[:2]], complete(folder)
        if number < rounds:
            kills += killed(dice, "--db", url, "backup", str(folder), "--keep", str(KEPT))
        else:
            jot.admin.backup(str(folder), keep=KEPT)
        for path in complete(folder) - before:
            made += 1
            texts = stored(path)
            for writer, last in enumerate(accepted):
                found = numbers(texts, writer)
                assert found == [*range(len(found))], "one is missing, or is there twice"
                assert len(found) > last, "what was accepted before it began is not in it"
    for process in processes:
        process.kill()
    assert not [path for path in folder.iterdir() if "partial" in path.name], "the next one removes what is left"
    assert len(complete(folder)) == made
    record_property("tried", f"{rounds + 1} backups, {kills} kills, {made} whole")


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("rounds", [2, pytest.param(40, marks=pytest.mark.long)])
def test_restores_that_are_killed_are_done_or_not_and_wait_for_writers(
    rounds: int, jot: Jotsam, tmp_path: Path, processes: list[Running], record_property
) -> None:
    dice, url = random.Random(rounds), jot.database.url
    jot.remember_many([f"Before, number{number}." for number in range(50)])
    made = jot.admin.backup().path
    jot.remember_many([f"After, number{number}." for number in range(50)])
    old, new = stored(made), stored(url)
    processes.append(start(write, url, "x"))
    processes[0].says()
    jot.close()
    with pytest.raises(DatabaseBusy):
        restore(url, made)
    processes[0].kill()
    new = stored(url)
    whole, kills, done = url + ".whole", 0, 0
    with Jotsam(settings=Settings(db=url, worker="off")) as again:
        whole = again.admin.backup(tmp_path / "whole.db").path
    for _ in range(rounds):
        kills += killed(dice, "--db", url, "restore", made)
        found = stored(url)
        assert found in (old, new), "neither the old database nor the restored one"
        done += found == old
        restore(url, whole)
        assert stored(url) == new
    assert not [path for path in tmp_path.iterdir() if "partial" in path.name]
    record_property("tried", f"{rounds} restores, {kills} kills, {done} restored")
