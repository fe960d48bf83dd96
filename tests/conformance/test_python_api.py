"""The Python API as a script uses it, also from many threads and from coroutines."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jotsam import Jotsam, Queue
from jotsam.core.settings import Settings


def test_a_script_does_everything_with_one_object(jot):
    old = jot.add("We chose Redis for the cache.", source="adr-1.md")
    new = jot.add("We chose Valkey for the cache.", source="adr-2.md")
    assert not jot.wait(timeout_ms=0)
    jot.work()
    assert jot.wait([old.id, new.id], timeout_ms=0)
    assert jot.supersede(old.id, new.id).since is not None
    assert [hit.source for hit in jot.recall("which cache did we choose?").hits] == ["adr-2.md"]
    assert jot.show(new.id).done
    assert jot.status().enriched == 2
    plan = jot.plan_reprocess([new.id], force=True)
    assert (jot.reprocess(plan), len(plan.due)) == (1, 1)
    jot.work()
    jot.admin.forget_tenant()
    assert (jot.status().memories, jot.recall("cache").hits) == (0, ())


def test_many_threads_share_one_object(jot):
    with ThreadPoolExecutor(8) as threads:
        receipts = list(
            threads.map(lambda n: jot.remember(f"Number {n} is red.", external_id=f"n-{n % 20}"), range(40))
        )
        answers = list(threads.map(lambda n: jot.recall(f"number {n}"), range(8)))
    assert len({receipt.id for receipt in receipts}) == 20
    assert sum(receipt.duplicate for receipt in receipts) == 20
    assert all(answer.coverage.pending == 20 for answer in answers)


def test_a_coroutine_hands_over_to_threads(jot):
    async def both():
        await asyncio.gather(*(asyncio.to_thread(jot.remember, f"Number {n} is red.") for n in range(8)))
        return await asyncio.to_thread(jot.recall, "red")

    assert len(asyncio.run(both()).hits) == 8


@pytest.mark.needs_server
def test_a_queue_changes_no_job_of_another(url):
    """Ids are those of the whole database; the jobs of memory may lie beside."""
    with Queue(url, "mail") as mail, Queue(mail.database, "other") as other:
        sent = other.send("theirs", max_receive=1)
        assert (mail.discard(sent.id), mail.cancel(sent.id)) == (False, False)
        other.bury(other.receive(), error="hopeless")
        assert mail.redrive(sent.id) == 0
        assert other.redrive(sent.id) == 1


def test_a_path_may_be_a_path(tmp_path: Path):
    with Jotsam(tmp_path / "a.db", worker="off") as jot:
        jot.remember("It is red.")
    with Queue(tmp_path / "a.db", "mail") as mail:
        mail.send("x")
        assert os.path.samefile(mail.database.url, tmp_path / "a.db")
    assert Settings(db=str(tmp_path / "a.db")).db
