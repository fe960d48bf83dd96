"""Backups and restores are killed while others write: each backup is whole, and each restore is done or not."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from jotsam import DatabaseBusy, Jotsam
from jotsam.admin.restore import restore
from jotsam.core.settings import Settings
from processes import WAIT_MS, Connection, Running, start

STEPS = {"open", "os.rename", "os.remove", "os.link", "os.truncate", "os.chmod", "os.mkdir"}
"""All that Python does with files, by the names of its audit. A backup and a restore are killed before each."""
EACH = 5  # of how many moments one is tried in each check; `-m long` tries all
KEPT = 1_000


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


def die_at(moment: int) -> None:
    """Kill this process as it opens, moves or removes its `moment`-th file from now on."""
    left = moment

    def look(event: str, _: object) -> None:
        nonlocal left
        if event in STEPS:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)


def back_up(pipe: Connection, url: str, folder: str, moment: int) -> None:
    with Jotsam(settings=Settings(db=url, worker="off", lock_timeout_ms=WAIT_MS)) as jot:
        die_at(moment)
        jot.admin.backup(folder, keep=KEPT)


def put_back(pipe: Connection, url: str, made: str, moment: int) -> None:
    die_at(moment)
    restore(url, made)


def stored(path: str | Path) -> list[str]:
    with Jotsam(settings=Settings(db=str(path), worker="off")) as jot, jot.database.snapshot(tenant="default") as tx:
        assert tx.execute("pragma integrity_check") == [{"integrity_check": "ok"}]
        return sorted(row["body"] for row in tx.execute("select body from memory"))


def complete(folder: Path) -> set[Path]:
    return {*folder.glob("jotsam-*.db")}


def numbers(texts: list[str], writer: int) -> list[int]:
    return sorted(int(text.rpartition("number")[2].strip(".")) for text in texts if f"Writer {writer} " in text)


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("each", [EACH, pytest.param(1, marks=pytest.mark.long)])
def test_backups_that_are_killed_among_writers_are_whole_or_none(
    each: int, jot: Jotsam, processes: list[Running], tmp_path: Path, record_property
) -> None:
    url, folder = jot.database.url, tmp_path / "elsewhere"
    folder.mkdir()
    processes += [start(write, url, str(number)) for number in range(2)]
    processes.append(start(work, url))
    kills, made, moment, was_killed = 0, 0, 1, True
    while was_killed:
        accepted, before = [latest(writer) for writer in processes[:2]], complete(folder)
        was_killed = start(back_up, url, str(folder), moment).ends() == -signal.SIGKILL
        kills, moment = kills + was_killed, moment + each
        for path in complete(folder) - before:
            made += 1
            texts = stored(path)
            for writer, last in enumerate(accepted):
                found = numbers(texts, writer)
                assert found == [*range(len(found))], "one is missing, or is there twice"
                assert len(found) > last, "what was accepted before it began is not in it"
    for process in processes:
        process.kill()
    assert kills > 1, "nothing was tried"
    assert not [path for path in folder.iterdir() if "partial" in path.name], "the next one removes what is left"
    assert len(complete(folder)) == made
    record_property("tried", f"{kills + 1} backups, {kills} kills, {made} whole")


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("each", [EACH, pytest.param(1, marks=pytest.mark.long)])
def test_restores_that_are_killed_are_done_or_not_and_wait_for_writers(
    each: int, jot: Jotsam, tmp_path: Path, processes: list[Running], record_property
) -> None:
    url = jot.database.url
    jot.remember_many([f"Before, number{number}." for number in range(50)])
    made = jot.admin.backup().path
    jot.remember_many([f"After, number{number}." for number in range(50)])
    old = stored(made)
    processes.append(start(write, url, "x"))
    processes[0].says()
    jot.close()
    with pytest.raises(DatabaseBusy):
        restore(url, made)
    processes[0].kill()
    new = stored(url)
    with Jotsam(settings=Settings(db=url, worker="off")) as again:
        whole = again.admin.backup(tmp_path / "whole.db").path
    kills, done, moment, was_killed = 0, 0, 1, True
    while was_killed:
        was_killed = start(put_back, url, made, moment).ends() == -signal.SIGKILL
        kills, moment = kills + was_killed, moment + each
        found = stored(url)
        assert found in (old, new), "neither the old database nor the restored one"
        assert was_killed or found == old
        done += found == old
        restore(url, whole)
        assert stored(url) == new
    assert kills > 1, "nothing was tried"
    assert not [path for path in tmp_path.iterdir() if "partial" in path.name]
    record_property("tried", f"{kills + 1} restores, {kills} kills, {done} restored")
