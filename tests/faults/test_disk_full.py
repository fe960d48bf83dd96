"""The disk is full: whoever adds is told so and nothing is written by half, and work goes on once there is room."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from space import FileSizes, FileSystem, NotPossible, Space

import roles
from jotsam import DatabaseFull, Jotsam, JotsamError, Queue
from jotsam.core.job_records import JobSpec
from jotsam.storage import QUEUE, connect, queue
from processes import Connection, start
from roles import facts

if TYPE_CHECKING:
    from jotsam.storage.database import Database

EVERY_WORD = "select (select count(*) from text_index) + (select count(*) from text_index_waiting) as entries"
LONG = "\n\n".join(f"## Section {number}\n\nSection {number} is about Kafka. {'word ' * 80}" for number in range(101))
AN_HOUR = 3_600_000
TEXTS = [LONG, "A short document about Kafka."]


@pytest.fixture(params=[FileSizes, FileSystem])
def on(request, tmp_path):
    """Runs a role with a disk that can be filled, and returns what it says."""

    def run(role: Any, *arguments: Any) -> Any:
        running = start(with_space, request.param, tmp_path / "disk", role, *arguments)
        said = running.says()
        running.ends()
        if isinstance(said, NotPossible):
            pytest.skip(f"no small file system for this user here: {said}")
        return said

    return run


def with_space(pipe: Connection, kind: type[Space], folder: Path, role: Any, *arguments: Any) -> None:
    logging.getLogger("jotsam").addHandler(logging.NullHandler())
    try:
        space = kind(folder)
    except NotPossible as reason:
        pipe.send(reason)
        return
    pipe.send(role(space, str(folder / "jotsam.db"), *arguments))


def refused(jot: Jotsam, text: str) -> str:
    """What `add` says when there is no space; everything is added that still fits."""

    def add_for_ever() -> None:
        while True:
            jot.add(text)

    with pytest.raises(DatabaseFull) as caught:
        add_for_ever()
    return str(caught.value)


def contents(jot: Jotsam) -> dict[str, int]:
    status = jot.status()
    with jot.database.snapshot() as tx:
        (words,) = tx.execute(EVERY_WORD)
        (payloads,) = tx.execute("select count(payload) as entries from queue_job")
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
        space.leave(1_500_000)
        message, accepted = "", 1
        while not message:
            try:
                jot.add(f"Document number{accepted}. " + "x" * 56_000)
                accepted += 1
            except DatabaseFull as error:
                message = str(error)
        full = contents(jot)
        found = [
            jot.recall(word).coverage.total for word in ("aardvarks", f"number{accepted - 1}", f"number{accepted}")
        ]
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


def find_what_waits(space: Space, url: str) -> tuple[int, int]:
    with roles.memory(url) as jot:
        jot.add("A document about aardvarks.")
        space.fill()
        return jot.recall("aardvarks").coverage.total, jot.status().depth.live


def test_a_document_that_the_index_does_not_have_yet_is_found_on_a_full_disk(on):
    assert on(find_what_waits) == (1, 1)


class Filling:
    """A database whose disk is full from the beginning of its n-th write transaction."""

    def __init__(self, database: Database, space: Space, *, at: int) -> None:
        self._database, self._space, self._left = database, space, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    def transaction(self, **options: Any) -> Any:
        self._left -= 1
        if self._left == 0:
            self._space.fill()
        return self._database.transaction(**options)


class Relief(logging.Handler):
    """Makes room again as soon as the worker complains."""

    def __init__(self, space: Space) -> None:
        super().__init__()
        self.space, self.complaints = space, 0

    def emit(self, record: logging.LogRecord) -> None:
        if not self.complaints:
            self.space.free()
        self.complaints += 1


def work_on_a_full_disk(space: Space, url: str, texts: list[str], at: int) -> Any:
    relief = Relief(space)
    logging.getLogger("jotsam").addHandler(relief)
    with roles.memory(url) as jot:
        for text in texts:
            jot.add(text)
        jot.database = Filling(jot.database, space, at=at)
        try:
            jot.work()
            error = None
        except JotsamError as full:
            error = repr(full)
    space.free()
    with roles.memory(url, ahead_ms=AN_HOUR) as jot:
        jot.work()
        with jot.database.snapshot() as tx:
            outcomes = {row["outcome"] for row in tx.execute("select distinct outcome from queue_attempt")}
    return relief.complaints, error, outcomes, facts(url)


@pytest.fixture(scope="module")
def calm(tmp_path_factory) -> dict[str, Any]:
    """What the worker makes of the same documents when nothing is in its way."""
    with roles.memory(str(tmp_path_factory.mktemp("calm") / "jotsam.db")) as jot:
        for text in TEXTS:
            jot.add(text)
        jot.work()
        return facts(jot.database.url)


@pytest.mark.parametrize("at", range(2, 9))
def test_a_worker_survives_a_full_disk_at_any_step_and_spends_no_attempt_on_it(on, at, calm):
    """The long document is cut in several commits, so that also the middle of it is met."""
    complaints, error, outcomes, found = on(work_on_a_full_disk, TEXTS, at)
    assert complaints
    assert error is None
    assert outcomes <= {"done", "released"}
    assert found == calm


@pytest.mark.parametrize("at", [2, 3])
def test_a_worker_with_nothing_to_do_ends_in_peace_on_a_full_disk(on, at):
    _, error, _, _ = on(work_on_a_full_disk, [], at)
    assert error is None


def fold_on_a_full_disk(space: Space, url: str) -> Any:
    """The log shall be folded into the file, but the file cannot grow any more."""
    sent: set[int] = set()
    for limit in (None, 25_000_000):  # The log is reused from its start, so it stays below; the file would be longer.
        database = connect(url, schemas=QUEUE)
        if limit:
            space.leave(limit)
        for number in range(20):
            try:
                with database.transaction() as tx:
                    job_id = queue.send(tx, JobSpec(queue="q", kind=str(number), payload=bytes(1_000_000))).id
                sent.add(job_id)
            except DatabaseFull:
                pass  # Then it must not be there.
        database.close()
    size = Path(url).stat().st_size
    space.free()
    database = connect(url, schemas=QUEUE)
    with database.snapshot() as tx:
        kept = {job.id for job in queue.jobs(tx, queue="q")}
    database.maintain()
    database.close()
    return sent, kept, size, Path(url).stat().st_size


@pytest.mark.parametrize("on", [FileSizes], indirect=True)
def test_when_the_log_cannot_be_folded_the_commits_stand_and_say_so(on):
    """An error from folding would tell the caller that nothing was written, though it was."""
    sent, kept, size, size_afterwards = on(fold_on_a_full_disk)
    assert kept == sent
    assert size <= 25_000_000 < size_afterwards


def write_more_than_the_disk_holds(space: Space, url: str) -> Any:
    """The data needs little space. Each commit appends a hundred times as much to the log."""
    with roles.memory(url) as jot:
        for number in range(100):
            jot.remember(f"Aardvark number{number} lives in Berlin.")
        before = Path(f"{url}-wal").stat().st_size
        space.leave(2_000_000)
        for number in range(100, 250):
            jot.remember(f"Aardvark number{number} lives in Berlin.")
        log = Path(f"{url}-wal").stat().st_size
        space.free()
        jot.work()
        return before, log, jot.status().depth.live, jot.recall("aardvark").coverage.total


@pytest.mark.parametrize("on", [FileSystem], indirect=True)
def test_the_log_does_not_fill_a_small_disk(on):
    before, log, live, found = on(write_more_than_the_disk_holds)
    assert before > 4_000_000
    assert log <= before
    assert (live, found) == (0, 250)


def fill_beside_a_long_log(space: Space, url: str, way: str) -> Any:
    with roles.memory(url) as jot:
        number = 0
        while Path(f"{url}-wal").stat().st_size < 8_000_000:
            jot.remember(f"Aardvark number{number} lives in Berlin.")
            number += 1
        space.leave(8_100_000)
        if way == "queue":
            Queue(jot.database).send("x" * 1_040_000)
        else:
            jot.add("A long document about zebras. " * 30_000)
        return Path(f"{url}-wal").stat().st_size, jot.status().depth.live - number


@pytest.mark.parametrize("way", ["memory", "queue"])
@pytest.mark.parametrize("on", [FileSizes], indirect=True)
def test_a_full_disk_is_freed_from_the_log_and_the_call_is_repeated(on, way):
    log, more = on(fill_beside_a_long_log, way)
    assert log < 8_000_000
    assert more == (1 if way == "memory" else 0)


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
