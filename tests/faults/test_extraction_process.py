"""The second process of a worker, which extracts: same results, and no process is left, however one of them ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.extraction.extract import Extraction, extract
from jotsam.worker.enrichment import extraction_process
from jotsam.worker.enrichment.extraction_process import ExtractionProcess
from jotsam.worker.enrichment.ner import ConfiguredTagger

WHEN = 1_773_847_800_000
DOCS = Path(__file__).parents[2] / "docs"
TEXT = "Ann moved from Redis to PostgreSQL last Tuesday, because 昨天 it was slow."


def directly(text: str) -> Extraction:
    return extract(text, said_at=WHEN, actor="Ann", tagger=ConfiguredTagger())


@pytest.fixture
def process() -> Iterator[ExtractionProcess]:
    process = ExtractionProcess(after=0, cores=2)
    yield process
    process.close()


def test_the_process_finds_what_the_worker_would_find(process: ExtractionProcess) -> None:
    texts = [piece.text for name in ("queue.md", "recall.md") for piece in chunk((DOCS / name).read_text())][:40]
    texts += [TEXT, "", "x" * 200_000]
    assert [text for text in texts if process.extract(text, said_at=WHEN, actor="Ann") != directly(text)] == []
    assert process.pid is not None


def test_it_begins_only_when_there_is_much_to_do_and_a_second_core() -> None:
    few, alone = ExtractionProcess(after=3, cores=2), ExtractionProcess(after=0, cores=1)
    for _ in range(3):
        assert few.extract(TEXT, said_at=WHEN) == alone.extract(TEXT, said_at=WHEN)
    assert (few.pid, alone.pid) == (None, None)
    few.extract(TEXT, said_at=WHEN)
    assert few.pid is not None
    few.rest()
    few.extract(TEXT, said_at=WHEN)
    assert few.pid is None
    few.close()


@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGTERM])
def test_the_worker_goes_on_by_itself_when_the_process_is_killed(process: ExtractionProcess, ends: int) -> None:
    process.extract(TEXT, said_at=WHEN)
    assert process.pid is not None
    os.kill(process.pid, ends)
    found = [process.extract(TEXT, said_at=WHEN, actor="Ann") for _ in range(3)]
    assert found == [directly(TEXT)] * 3
    assert process.pid is None


def in_threads(process: ExtractionProcess, texts: list[str]) -> dict[str, Extraction]:
    """What several threads find that ask at the same time."""
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda text: process.extract(text, said_at=WHEN, actor="Ann"), texts)
        return dict(zip(texts, found, strict=True))


MANY = [f"{name} moved from Redis to PostgreSQL {count} days ago." for name in ("Ann", "Bo") for count in range(2, 40)]


def test_each_of_several_threads_gets_what_was_found_in_its_text(process: ExtractionProcess) -> None:
    process.extract(TEXT, said_at=WHEN)
    texts = [*MANY, "x" * 300_000, *(f"{text} {'y' * 70_000}" for text in MANY[:4])]
    found = in_threads(process, texts)
    assert [text[:60] for text in texts if found[text] != directly(text)] == []
    assert process.pid is not None


def test_threads_that_wait_for_a_killed_process_go_on_by_themselves(process: ExtractionProcess) -> None:
    process.extract(TEXT, said_at=WHEN)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)  # It hangs, so that the threads that it serves wait for it.
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(process.extract, text, said_at=WHEN, actor="Ann") for text in MANY[:6]]
        done, waiting = wait(asked, timeout=60, return_when=FIRST_COMPLETED)
        while len(waiting) > extraction_process.MAX_WAITING:
            done, waiting = wait(asked, timeout=0.01)
        assert len(waiting) == len(asked) - len(done) == extraction_process.MAX_WAITING
        os.kill(process.pid, signal.SIGKILL)
        assert [one.result(timeout=60) for one in asked] == [directly(text) for text in MANY[:6]]
    assert process.pid is None


def test_closing_does_not_wait_for_a_process_that_hangs(process: ExtractionProcess) -> None:
    process.extract(TEXT, said_at=WHEN)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(process.extract, TEXT, said_at=WHEN, actor="Ann")
        assert process._child is not None
        while not process._child._asked > 1:
            assert not asked.done()
        process.close()
        assert asked.result(timeout=60) == directly(TEXT)
    assert process.pid is None


def test_an_error_of_extraction_is_raised_in_the_worker(process: ExtractionProcess) -> None:
    with pytest.raises(AttributeError):
        process.extract(TEXT, said_at=WHEN, actor=7)  # type: ignore[arg-type]
    assert process.extract(TEXT, said_at=WHEN, actor="Ann") == directly(TEXT)
    assert process.pid is not None


def test_a_process_that_cannot_start_is_done_without(
    monkeypatch: pytest.MonkeyPatch, process: ExtractionProcess, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    assert process.extract(TEXT, said_at=WHEN, actor="Ann") == directly(TEXT)
    assert process.pid is None


def test_closing_ends_it(process: ExtractionProcess) -> None:
    process.extract(TEXT, said_at=WHEN)
    pid = process.pid
    assert pid is not None
    process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


KILLED = """
import os, signal
from jotsam.worker.enrichment.extraction_process import ExtractionProcess
process = ExtractionProcess(after=0, cores=2)
process.extract("Ann uses Redis.", said_at=0)
os.write(1, f"{process.pid}\\n".encode())
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_no_process_is_left_when_the_worker_is_killed() -> None:
    """Both hold the other end of this pipe, so that reading it to its end waits for both."""
    worker = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, errors = worker.communicate(timeout=60)
    assert (worker.returncode, errors) == (-signal.SIGKILL, b"")


def test_it_ends_with_the_worker_although_another_process_holds_its_pipe_open() -> None:
    """A process that was forked from the worker while the pipe was open, for example."""
    reading, kept_open = os.pipe()
    program = f"import os\nos.dup2({reading}, 0)\nos.close({reading})\n" + ORPHAN
    worker = subprocess.Popen(
        [sys.executable, "-c", program], pass_fds=[reading], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    os.close(reading)
    worker.communicate(timeout=60)
    os.close(kept_open)
    assert worker.returncode == 0


ORPHAN = """
import subprocess, sys
program = "from jotsam.worker.enrichment import extraction_process as it; it.PARENT_CHECK_SECONDS = 0.01; it.main()"
child = subprocess.Popen([sys.executable, "-c", program], stdin=0, stdout=subprocess.PIPE)
assert child.stdout.read(1)
"""


def test_the_frames_of_the_pipe_are_read_in_pieces() -> None:
    reading, writing = os.pipe()
    data = extraction_process._LENGTH.pack(9)
    os.write(writing, data[:2])
    os.write(writing, data[2:])
    os.close(writing)
    with pytest.raises(EOFError):
        extraction_process._read(reading)
    os.close(reading)
