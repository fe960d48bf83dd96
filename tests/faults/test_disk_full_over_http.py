"""The disk of an HTTP server is full: each request says so, nothing is half written, and it recovers by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from space import FileSystem, NotPossible, Space

from http_server import serving
from processes import Connection, start

TEXT = "x" * 100_000


def serve_until_full(pipe: Connection, folder: Path) -> None:
    try:
        space: Space = FileSystem(folder)
    except NotPossible as reason:
        pipe.send(reason)
        return
    with serving(str(folder / "jotsam.db"), forked=False) as server:  # in the mount namespace of this process
        space.leave(3_000_000)
        accepted = 0
        while (refused := server.post("/v1/memories", {"text": f"Number {accepted}. {TEXT}"})).status == 202:
            accepted += 1
        others = [server.post("/memory", {"content": TEXT}).status, server.get("/v1/recall?question=number").status]
        stored = server.get("/v1/status").json["memories"]
        space.free()
        again = server.post("/v1/memories", {"text": "Zebras, from after."}).status
        pipe.send((accepted, refused.status, refused.json, refused.headers["retry-after"], others, stored, again))


def test_a_full_disk_is_an_answer_and_what_was_accepted_stays(tmp_path: Path, record_property) -> None:
    running = start(serve_until_full, tmp_path / "disk")
    said: Any = running.says()
    running.ends()
    if isinstance(said, NotPossible):
        pytest.skip(f"no small file system for this user here: {said}")
    accepted, status, problem, retry_after, others, stored, again = said
    assert accepted > 2
    assert (status, problem["code"], retry_after) == (503, "unavailable", "1")
    assert "nothing was written" in problem["detail"]
    assert others == [503, 200]
    assert stored == accepted
    assert again == 202
    record_property("tried", f"{accepted} requests until the disk was full, and one that was refused")
