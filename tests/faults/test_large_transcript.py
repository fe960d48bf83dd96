"""A transcript of 100 MB, whose reader is killed: each turn is stored once, and memory does not grow with the file."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

import roles
import transcripts
from jotsam import Jotsam
from jotsam.core.settings import Settings
from processes import WAIT_MS, Connection, start

OUTPUT = "A line of the output of a tool, as a build prints thousands of them.\n"
TURN_EVERY = 4  # of so many lines one is a turn, and the others are output of tools
LINE_BYTES = 40_000


def settings(url: str) -> Settings:
    return Settings(db=url, worker="off", lock_timeout_ms=WAIT_MS)


def write_session(path: Path, megabytes: int) -> list[str]:
    """A session file of Claude Code of this size. Returns the texts of its turns."""
    texts = []
    content = OUTPUT * (LINE_BYTES // len(OUTPUT))
    with path.open("w") as file:
        for number in range(megabytes * 1_000_000 // LINE_BYTES):
            if number % TURN_EVERY:
                block = {"type": "tool_result", "tool_use_id": "t", "content": content}
                line = transcripts.claude(number, "", message={"role": "user", "content": [block]})
            else:
                texts.append(f"Turn number{number} of the session.")
                line = transcripts.claude(number, texts[-1], "assistant" if number % 8 else "user", prompt=f"p{number}")
            file.write(line + "\n")
    return texts


def read(pipe: Connection, url: str, path: str, dies_at: int) -> None:
    """Say how many MB this process needed, beside what it had before."""
    with Jotsam(settings=settings(url)) as jot:
        jot.database = roles.Doomed(jot.database, dies_at)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        result = jot.import_sessions([path])
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    pipe.send((result.added, result.duplicates, result.problems, used // 1_000))


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(
    ("megabytes", "kills"), [(4, (2, 3)), pytest.param(100, (2, 5, 8, 12, 17, 24), marks=pytest.mark.long)]
)
def test_a_large_transcript_is_read_once_although_its_reader_is_killed(
    megabytes: int, kills: tuple[int, ...], url: str, tmp_path: Path, record_property
) -> None:
    path = tmp_path / "session.jsonl"
    texts = write_session(path, megabytes)
    died = sum(start(read, url, str(path), dies_at).ends() == -9 for dies_at in kills)
    reading = start(read, url, str(path), 0)
    added, duplicates, problems, used_mb = reading.says()
    assert (added + duplicates, problems) == (len(texts), ())
    with Jotsam(settings=settings(url)) as jot, jot.database.snapshot(tenant="default") as tx:
        stored = sorted(row["body"] for row in tx.execute("select body from memory"))
    assert stored == sorted(texts)
    assert died
    assert used_mb < 60, "it holds the file in memory"
    record_property("tried", f"{megabytes} MB, {len(texts)} turns, {died} kills, {used_mb} MB used")
