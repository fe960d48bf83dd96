"""The power fails at any moment: what was acknowledged as durable is there when it comes back.

A disk of our own (`power.py`) stands under SQLite. Each trial runs a history of adding and working, keeps images of
the disk from the middle of it, and looks at what each of them has become after the cut.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from power import NOTHING, SURVIVALS, Disk, Platter, cut

from jotsam.core.job_records import Job, JobSpec
from jotsam.core.records import Document, Memory
from jotsam.ingest import accept
from jotsam.storage import MEMORY, queue
from jotsam.storage.sqlite.sqlite import SQLiteDatabase

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

STEPS, IMAGES = 50, 8
QUEUES = ("q", "ingest", "enrich")
AN_HOUR = 3_600_000


class Acknowledged(NamedTuple):
    """What the caller was told is kept: a job, and for a document or memory a word that finds it."""

    job_id: int
    word: str | None


class Image(NamedTuple):
    """The disk at one moment, and what had been acknowledged until then."""

    disk: dict[str, Platter]
    acknowledged: list[Acknowledged]


class History:
    """A random history of adding and working on a disk that is watched."""

    def __init__(self, path: Path, clock: Callable[[], int], *, seed: int, durable: bool = True) -> None:
        self.path, self.clock, self.durable = path, clock, durable
        self.dice = random.Random(seed)
        self.disk = Disk(f"disk-{seed}-{durable}")
        self.acknowledged: list[Acknowledged] = []
        self.images: list[Image] = []
        self.held: list[Job] = []
        self.open()
        with self.database.transaction() as tx:
            tx.execute("create table effect (job_id integer not null)")

    def open(self) -> None:
        self.database = SQLiteDatabase(str(self.path), schemas=MEMORY, clock=self.clock, vfs=self.disk.name)

    def run(self) -> list[Image]:
        moments = {self.disk.operations + self.dice.randint(1, 18 * STEPS) for _ in range(IMAGES)}

        def watch() -> None:
            if self.disk.operations in moments:
                self.images.append(Image(self.disk.image(), list(self.acknowledged)))

        self.disk.watch = watch
        for number in range(STEPS):
            steps = (self.add, self.add, self.remember, self.send, self.take, self.take, self.finish, self.finish)
            self.dice.choice((*steps, self.rest))(number)
        self.images.append(Image(self.disk.image(), list(self.acknowledged)))
        self.close()
        return self.images

    def close(self) -> None:
        self.database.close()
        self.disk.unregister()

    def add(self, number: int) -> None:
        word = f"document{number}"
        document = Document(text=f"{word} " * self.dice.randint(1, 600))
        self.accept(lambda tx: accept.add(tx, document).job_id, word)

    def remember(self, number: int) -> None:
        word = f"memory{number}"
        memory = Memory(text=f"{word} and more", tags=("a", "b"))
        self.accept(lambda tx: accept.remember(tx, memory).job_id, word)

    def send(self, number: int) -> None:
        spec = JobSpec(queue="q", kind="k", payload=self.dice.randbytes(self.dice.randint(0, 9_000)))
        self.accept(lambda tx: queue.send(tx, spec).id, None)

    def accept(self, write: Callable[[Transaction], int], word: str | None) -> None:
        with self.database.transaction(durable=self.durable) as tx:
            job_id = write(tx)
        self.acknowledged.append(Acknowledged(job_id, word))

    def take(self, _: int) -> None:
        with self.database.transaction(durable=False) as tx:
            self.held += queue.receive(tx, queue=self.dice.choice(QUEUES), owner="worker")

    def finish(self, _: int) -> None:
        while self.held:
            do(self.database, self.held.pop())

    def rest(self, _: int) -> None:
        """What a worker does when nothing is left, and what a restart does."""
        self.dice.choice((self.database.maintain, self.reopen))()

    def reopen(self) -> None:
        self.database.close()
        self.open()


def do(database: SQLiteDatabase, job: Job) -> None:
    """The effect of a job, and its acknowledgement, in one commit that a power cut may undo."""
    with database.transaction(durable=False) as tx:
        if queue.delete(tx, job):
            tx.execute("insert into effect (job_id) values (:id)", {"id": job.id})


def do_everything(database: SQLiteDatabase) -> None:
    for name in QUEUES:
        while True:
            with database.transaction(durable=False) as tx:
                jobs = queue.receive(tx, queue=name, owner="next", limit=100)
            if not jobs:
                break
            for job in jobs:
                do(database, job)


def standings(tx: Transaction) -> tuple[set[int], list[int]]:
    """The jobs that are still to be done, and one entry for each effect."""
    waiting = {row["id"] for row in tx.execute("select id from queue_job")}
    return waiting, [row["job_id"] for row in tx.execute("select job_id from effect")]


def lost(database: SQLiteDatabase, acknowledged: list[Acknowledged]) -> list[Acknowledged]:
    with database.snapshot() as tx:
        waiting, effects = standings(tx)
    return [one for one in acknowledged if one.job_id not in waiting and one.job_id not in effects]


def unfindable(database: SQLiteDatabase, acknowledged: list[Acknowledged]) -> list[str]:
    find = "select 1 from text_index where text_index match :word"
    with database.transaction(tenant="default") as tx:
        accept.index_waiting(tx)
    with database.snapshot() as tx:
        return [one.word for one in acknowledged if one.word and not tx.execute(find, {"word": one.word})]


def damage(database: SQLiteDatabase) -> list[object]:
    with database.snapshot() as tx:
        checked = tx.execute("pragma integrity_check") + tx.execute("pragma foreign_key_check")
    return [row for row in checked if row != {"integrity_check": "ok"}]


@pytest.fixture
def after_cut(tmp_path: Path, clock) -> Iterator[Callable[..., SQLiteDatabase]]:
    """Cuts the power and opens what is left, an hour later, on an ordinary disk."""
    opened: list[SQLiteDatabase] = []

    def cut_and_open(disk: dict[str, Platter], name: str, *, survival: str, dice: random.Random) -> SQLiteDatabase:
        folder = tmp_path / f"cut{len(opened)}"
        cut(disk, folder, survival, dice)
        opened.append(SQLiteDatabase(str(folder / name), schemas=MEMORY, clock=lambda: clock.now + AN_HOUR))
        return opened[-1]

    yield cut_and_open
    for database in opened:
        database.close()


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 12))])
def test_what_was_accepted_is_kept_and_every_effect_happens_once(seed: int, tmp_path: Path, after_cut, clock):
    """Commits of a worker may be lost by the cut; then their jobs are there again, and their effects are not."""
    history = History(tmp_path / "jotsam.db", clock, seed=seed)
    for number, image in enumerate(history.run()):
        for survival in SURVIVALS:
            dice = random.Random(f"{seed} {number} {survival}")
            database = after_cut(image.disk, "jotsam.db", survival=survival, dice=dice)
            assert damage(database) == []
            assert lost(database, image.acknowledged) == []
            assert unfindable(database, image.acknowledged) == []
            with database.snapshot() as tx:
                waiting, effects = standings(tx)
            assert waiting.isdisjoint(effects)
            do_everything(database)
            with database.snapshot() as tx:
                waiting_then, effects_then = standings(tx)
            assert waiting_then == set()
            assert sorted(effects_then) == sorted(waiting | set(effects))
            database.close()


def test_without_durable_the_same_cuts_lose_what_was_acknowledged(tmp_path: Path, after_cut, clock):
    """The simulation can lose rows, so the test above is not hollow; and even then nothing is damaged."""
    missing = 0
    for seed in range(4):
        for image in History(tmp_path / f"{seed}.db", clock, seed=seed, durable=False).run():
            dice = random.Random(seed)
            database = after_cut(image.disk, f"{seed}.db", survival=NOTHING, dice=dice)
            assert damage(database) == []
            with database.snapshot() as tx:
                made = tx.execute("select 1 from sqlite_schema where name = 'effect'")
            missing += len(lost(database, image.acknowledged)) if made else len(image.acknowledged)
    assert missing > 0


def test_a_durable_commit_makes_safe_what_a_worker_committed_before_it(tmp_path: Path, after_cut, clock):
    history = History(tmp_path / "jotsam.db", clock, seed=1)
    history.send(1)
    with history.database.transaction(durable=False) as tx:
        (job,) = queue.receive(tx, queue="q", owner="worker")
    do(history.database, job)
    before = after_cut(history.disk.image(), "jotsam.db", survival=NOTHING, dice=history.dice)
    history.add(2)
    after = after_cut(history.disk.image(), "jotsam.db", survival=NOTHING, dice=history.dice)
    with before.snapshot() as tx:
        assert standings(tx) == ({job.id}, [])
    with after.snapshot() as tx:
        assert standings(tx) == ({history.acknowledged[1].job_id}, [job.id])
    history.close()


@pytest.mark.parametrize("survival", SURVIVALS)
def test_a_cut_while_the_database_is_made_leaves_a_file_that_opens(survival: str, tmp_path: Path, after_cut, clock):
    disk = Disk(f"new-{survival}")
    images: list[dict[str, Platter]] = []
    disk.watch = lambda: images.append(disk.image())
    path = tmp_path / "jotsam.db"
    SQLiteDatabase(str(path), schemas=MEMORY, clock=clock, vfs=disk.name).close()
    disk.unregister()
    dice = random.Random(survival)
    for image in [*images[:12], *dice.sample(images, min(12, len(images))), *images[-12:]]:
        database = after_cut(image, "jotsam.db", survival=survival, dice=dice)
        assert damage(database) == []
        with database.transaction() as tx:
            accept.add(tx, Document(text="it works"))
        database.close()
