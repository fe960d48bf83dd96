"""The disk is full: whoever adds is told so and nothing is written by half, and work goes on once there is room."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Any

import pytest
import roles
from processes import PATIENCE, Connection, start
from space import FileSizes, FileSystem, NotPossible, Space

from jotsam import DatabaseFull, Jotsam
from jotsam.storage.sqlite import WAL_PAGES

EVERY_WORD = "select count(*) as entries from words"
LONG = "\n\n".join(f"## Section {number}\n\nIn section {number} Maria talks of Kafka. {'word ' * 80}" for number in range(150))


@pytest.fixture(params=[FileSizes, FileSystem])
def on(request, tmp_path):
    """Runs a role with a disk that can be filled, and returns what it says."""

    def run(role: Any) -> Any:
        running = start(with_space, request.param, tmp_path / "disk", role)
        said = running.says()
        running.ends()
        if isinstance(said, NotPossible):
            pytest.skip(f"no small file system for this user here: {said}")
        return said

    return run


def with_space(pipe: Connection, kind: type[Space], folder: Path, role: Any) -> None:
    try:
        space = kind(folder)
    except NotPossible as reason:
        pipe.send(reason)
        return
    pipe.send(role(space, str(folder / "jotsam.db")))


def refused(jot: Jotsam, text: str) -> str:
    """What `add` says when there is no space; everything is added that still fits."""
    with pytest.raises(DatabaseFull) as caught:
        while True:
            jot.add(text)
    return str(caught.value)


def contents(jot: Jotsam) -> dict[str, int]:
    status = jot.status()
    with jot.database.snapshot() as tx:
        (words,) = tx.execute(EVERY_WORD)
        (payloads,) = tx.execute("select count(*) as entries from queue_payload")
        (damage,) = tx.execute("pragma integrity_check")
    assert damage == {"integrity_check": "ok"}
    return {
        "documents": status.documents,
        "jobs": status.depth.live,
        "payloads": payloads["entries"],
        "words": words["entries"],
    }


def add_until_full(space: Space, url: str) -> Any:
    with roles.memory(url) as jot:
        jot.add("A document about aardvarks, from before.")
        space.leave(2_000_000)
        message, accepted = "", 1
        while not message:
            try:
                jot.add(f"Document number{accepted}. " + "filler text to take up room " * 2_000)
                accepted += 1
            except DatabaseFull as error:
                message = str(error)
        full = contents(jot)
        found = [jot.recall(word).coverage.total for word in ("aardvarks", f"number{accepted - 1}", f"number{accepted}")]
        again = refused(jot, "One more. " * 100_000)
        space.free()
        jot.add("A document about zebras, from after.")
        return message, again, accepted, full, found, contents(jot), jot.work(), jot.status().depth


def test_add_says_that_the_disk_is_full_and_what_was_accepted_before_is_found(on):
    message, again, accepted, full, found, afterwards, done, depth = on(add_until_full)
    assert "nothing was written" in message
    assert "space" in message or "disk" in message
    assert "nothing was written" in again
    assert accepted > 2
    assert full == {"documents": accepted, "jobs": accepted, "payloads": accepted, "words": accepted}
    assert found == [1, 1, 0]
    assert afterwards["documents"] > accepted
    assert set(afterwards.values()) == {afterwards["documents"]}
    assert done > accepted
    assert (depth.live, depth.dead) == (0, 0)


def fold_on_a_full_disk(space: Space, url: str) -> Any:
    """The log is long enough to be folded, and the file it is folded into cannot grow."""
    with roles.memory(url) as jot:
        jot.add("The first.")
        jot.database.tidy()
        # The limit lies between the log, which is reused from its start, and the file, which would have to grow.
        said = []
        for number in range(200):
            try:
                jot.add(f"number{number} " * (4_096 * WAL_PAGES // 60 // 20))
                said.append("accepted")
            except DatabaseFull:
                said.append("refused")
            if number == 10:
                space.leave(300_000)
            if said[-2:] == ["refused", "refused"]:
                break
        kept = jot.status().documents
        space.free()
        return said, kept


def work_on_a_full_disk(space: Space, url: str) -> Any:
    """The worker meets a full disk at its first job, and then in the middle of a long document."""
    complaints = threading.Event()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            complaints.set()

    log = logging.getLogger("jotsam")
    log.addHandler(Listener())
    with roles.memory(url, concurrency=2) as jot:
        jot.add(LONG)
        for number in range(10):
            jot.add(f"Document number{number} about Kafka and Maria Keller.")
        answers: list[object] = []
        started = threading.Event()

        def run() -> None:
            try:
                answers.append(jot.work(started=lambda loop: started.set()))
            except BaseException as error:
                answers.append(error)

        worker = threading.Thread(target=run)
        worker.start()
        assert started.wait(PATIENCE)
        space.fill()
        assert complaints.wait(PATIENCE)
        space.free()
        worker.join(PATIENCE)
        with jot.database.snapshot() as tx:
            outcomes = tx.execute("select outcome, count(*) as times from queue_attempt group by outcome")
        depth = jot.status().depth
    return answers, outcomes, (depth.live, depth.dead), roles_facts(url)


def roles_facts(url: str) -> Any:
    from test_kill import facts

    return facts(url)


def test_a_worker_survives_a_full_disk_and_finishes_afterwards(on, tmp_path):
    answers, outcomes, left, found = on(work_on_a_full_disk)
    assert not [answer for answer in answers if isinstance(answer, BaseException)]
    assert left == (0, 0)
    assert {row["outcome"] for row in outcomes} == {"done"}
    assert found["jobs"] == []


def make_on_a_full_disk(space: Space, url: str) -> Any:
    space.fill()
    with pytest.raises(DatabaseFull) as caught:
        roles.memory(url)
    space.free()
    with roles.memory(url) as jot:
        jot.add("It works.")
        return str(caught.value), contents(jot)


def test_a_database_that_could_not_be_made_on_a_full_disk_is_made_afterwards(on):
    message, found = on(make_on_a_full_disk)
    assert "space" in message or "disk" in message
    assert set(found.values()) == {1}
