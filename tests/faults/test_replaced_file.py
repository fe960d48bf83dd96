"""The file of a database is replaced while a worker and a server use it: each says so, and nothing is written to it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from http_server import serving
from jotsam import Jotsam
from jotsam.core.settings import Settings
from processes import Connection, Running, start, until


def settings(url: str) -> Settings:
    return Settings(db=url, worker="off", worker_idle_ms=0, poll_interval_ms=100)


def work(pipe: Connection, url: str) -> None:
    """A worker that runs until its file is another one; says why it ended."""
    with Jotsam(settings=settings(url)) as jot:
        pipe.send("begun")
        try:
            jot.work(forever=True)
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}")


def texts(url: str) -> list[str]:
    with Jotsam(settings=settings(url)) as jot:
        return sorted(memory.text for memory in jot.list(limit=200).memories)


@pytest.mark.parametrize("replaced_by", ["a copy", "nothing"])
def test_what_is_accepted_is_in_the_file_that_is_there_and_no_file_is_made_again(
    replaced_by: str, url: str, tmp_path: Path, processes: list[Running]
) -> None:
    with serving(url) as server, Jotsam(settings=settings(url)) as jot:
        jot.remember("Before.")
        processes.append(start(work, url))
        assert processes[0].says() == "begun"
        copy = jot.admin.backup(tmp_path / "copy.db").path
        assert server.post("/v1/memories", {"text": "Accepted into the first file."}).status == 202
        until(lambda: server.get("/v1/status").json["enriched"] == 2)
        for ending in ("", "-wal", "-shm"):  # A log that stays would be applied to the copy.
            os.rename(url + ending, tmp_path / f"first.db{ending}")
        if replaced_by == "a copy":
            shutil.copy(copy, url)
        answers = {text: server.post("/v1/memories", {"text": text}).status for text in ("First.", "Second.")}
        assert {*answers.values()} <= {202, 503}
        assert "DatabaseReplaced" in processes[0].says()
        assert Path(url).exists() == (replaced_by == "a copy"), "it is not made again by those that lost it"
        accepted = sorted(text for text, status in answers.items() if status == 202)
    if replaced_by == "a copy":
        assert texts(url) == sorted(["Before.", *accepted])
    else:
        assert texts(str(tmp_path / "first.db")) == ["Accepted into the first file.", "Before."]
