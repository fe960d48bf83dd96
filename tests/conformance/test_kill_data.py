"""Forgetting and importing are killed at any step: nothing is half done, and the same call again finishes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import roles
from processes import start

if TYPE_CHECKING:
    from pathlib import Path

    from jotsam import Jotsam


NUMBERS = 10


def fill(jot: Jotsam) -> None:
    for number in range(NUMBERS):
        jot.remember(f"Number {number} of the zebulon list is for Alice Hartmann.", tags=["list"], session="s")
    jot.add("# One\n\nA zebulon chapter.\n\n# Two\n\nAnother zebulon chapter.\n", source="book.md", session="s")
    jot.remember("Rivers flow to the sea.")
    jot.work()


def lines(jot: Jotsam, path: Path) -> list[str]:
    jot.export(path)
    return sorted(line for line in path.read_text().splitlines() if json.loads(line)["kind"] not in ("header", "end"))


def test_forgetting_that_is_killed_leaves_whole_memories_and_can_be_repeated(jot: Jotsam, url: str) -> None:
    fill(jot)
    total, killed = NUMBERS + 2, 0
    for dies_at in (2, 5, 6):
        assert start(roles.forget, url, {"session": "s"}, dies_at).ends() == -9, dies_at
        killed += 1
        left = [one for one in jot.list(limit=200).memories if one.session == "s"]
        found = jot.recall("zebulon", limit=200, tokens=10_000).hits
        assert {hit.id for hit in found} == {one.id for one in left}, "what is listed is found, and nothing else"
        assert all(one.tags for one in left if one.document is None)
        assert len(left) <= total
        total = len(left)
    assert killed == 3
    jot.forget(jot.plan_forget(session="s"))
    assert [one.text for one in jot.list().memories] == ["Rivers flow to the sea."]
    assert jot.recall("zebulon").hits == ()
    assert (jot.status().documents, jot.knowledge.entities()) == (0, ())


def test_a_trash_that_is_killed_has_whole_memories_and_loses_none(jot: Jotsam, url: str) -> None:
    fill(jot)
    before = {one.id for one in jot.list(limit=200).memories}
    for action, dies_at in (("forget", 6), ("forget", 5), ("restore", 2), ("restore", 3), ("restore", 4)):
        assert start(roles.use_trash, url, action, dies_at).ends() == -9, (action, dies_at)
        left, batches = jot.list(limit=200).memories, jot.admin.trash()
        assert 1 < len(left) < len(before), (action, dies_at)
        assert len(left) + sum(batch.memories for batch in batches) == len(before), (action, dies_at)
        assert all(one.tags for one in left if one.document is None and one.session)
    for batch in jot.admin.trash():
        jot.admin.restore_forgotten(batch.id)
    assert {one.id for one in jot.list(limit=200).memories} == before
    jot.forget(jot.plan_forget(session="s"), trash=True)
    (batch,) = jot.admin.trash()
    assert start(roles.use_trash, url, "empty", 1).ends() == -9
    assert jot.admin.trash() in ((), (batch,))
    jot.admin.empty_trash()
    assert jot.admin.trash() == ()


@pytest.mark.parametrize("moments", [(1, 2, 3, 5, 8), pytest.param(range(1, 21), marks=pytest.mark.long)], ids=len)
def test_an_import_that_is_killed_is_finished_by_the_next(
    moments: Any, jot: Jotsam, url: str, new_url: Any, tmp_path: Path, record_property: Any
) -> None:
    fill(jot)
    before = lines(jot, tmp_path / "all.jsonl")
    target = new_url()
    killed = 0
    for dies_at in moments:
        killed += start(roles.import_export, target, str(tmp_path / "all.jsonl"), dies_at).ends() == -9
    assert killed >= 5
    again = roles.memory(target)
    try:
        result = again.import_memories(tmp_path / "all.jsonl")
        assert not result.problems
        assert lines(again, tmp_path / "again.jsonl") == before
        record_property("tried", f"{killed} kills of one import of {len(before)} lines")
    finally:
        again.close()
