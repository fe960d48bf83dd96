"""A worker is killed at any moment, and at every step: memory is whole in the end, and nothing is there twice."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import roles
from jotsam.storage import queue
from jotsam.worker.enrichment.ingest import SLICE
from processes import start, until
from roles import facts

if TYPE_CHECKING:
    from jotsam.storage.database import Database

AN_HOUR = 3_600_000
LAST_STEP = 150
"""The whole work has more than twice as many, so that several workers die, however late we come to kill them."""

LONG = "\n\n".join(f"## Section {number}\n\nThis is about Kafka. {'word ' * 80}" for number in range(SLICE + 5))
GUIDE = """# Guide

Kafka carries the orders of Acme Corp. Maria Keller decided that in March.

## Install

Install Redis first, and PostgreSQL 16 after it. TODO: say which user.

## Run

Never start the billing service before Redis is up.
"""


Check = Callable[["Database"], None]


@pytest.fixture
def assert_sound(intact: Check) -> Check:
    """The account adds up, and the index of words has every memory, and no more the documents that were cut."""

    def check(database: Database) -> None:
        intact(database)
        with database.snapshot(tenant="default") as tx:
            totals = queue.totals(tx)
            (left,) = tx.execute("select count(*) as jobs from queue_job")
            indexed = {ref for refs in roles.findable(tx).values() for ref in refs}
            assert indexed == {row["id"] for row in tx.execute("select id from memory")}
        assert totals["accepted"] == totals["done"] + totals["discarded"] + left["jobs"]

    return check


def fill_short(url: str) -> None:
    with roles.memory(url) as jot:
        jot.add(GUIDE, source="guide.md")
        jot.remember("We chose Kafka.", session="s", tags=["decision"])
        jot.remember("It carries orders.", session="s")


def fill_long(url: str) -> None:
    with roles.memory(url) as jot:
        jot.add(LONG)


def undisturbed(url: str, fill: Callable[[str], None]) -> dict[str, Any]:
    fill(url)
    with roles.memory(url) as jot:
        jot.work()
    return facts(url)


def kill_at(step: int, url: str, fill: Callable[[str], None], check: Check) -> bool:
    """Lets a worker die at a step, and another one finish. False: there was no such step."""
    fill(url)
    was_killed = start(roles.work, url, 0, 1, step).ends() == -9
    assert start(roles.work, url, AN_HOUR, 1, 0).ends() == 0
    with roles.memory(url) as jot:
        check(jot.database)
    return was_killed


EACH_STEP = [pytest.mark.long, pytest.mark.timeout(1_800)]  # It starts two processes for every step of the whole work.


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=EACH_STEP)])
def test_a_worker_killed_at_any_step_leaves_the_same_memory_as_one_that_is_not(every, new_url, assert_sound):
    """Lease taken, job received, handled, before and after each commit, before and after the lease is given up."""
    expected = undisturbed(new_url(), fill_short)
    assert expected["jobs"] == []
    step, was_killed = 0, True
    while was_killed:
        step += every
        url = new_url()
        was_killed = kill_at(step, url, fill_short, assert_sound)
        assert facts(url) == expected, f"killed at step {step}"
    assert step > 10


@pytest.mark.parametrize("steps", [(5, 10), pytest.param(tuple(range(4, 13)), marks=pytest.mark.long)], ids=len)
def test_a_worker_killed_while_it_cuts_a_long_document_leaves_no_chunk_out_and_none_twice(steps, new_url, assert_sound):
    """It is written in slices, each a commit of its own."""
    expected = undisturbed(new_url(), fill_long)
    assert len(expected["chunks"]) > SLICE
    for step in steps:
        url = new_url()
        assert kill_at(step, url, fill_long, assert_sound)
        assert facts(url) == expected, f"killed at step {step}"


@pytest.mark.parametrize("documents", [12, pytest.param(100, marks=pytest.mark.long)])
def test_a_memory_whose_workers_are_killed_all_the_time_is_whole_in_the_end(
    documents, new_url, assert_sound, processes
):
    """AM-10."""
    texts = [f"{GUIDE}\nThis is document number{number}.\n" for number in range(documents)]
    calm, url = new_url(), new_url()
    assert start(roles.add, calm, texts).ends() == 0
    assert start(roles.work, calm, 0, 4, 0).ends() == 0
    dice, ahead_ms, kills = random.Random(1), 0, 0
    with roles.memory(url) as jot:
        processes += [start(roles.add, url, texts[part::2]) for part in range(2)]
        while jot.status().memories < 3 * len(texts) or jot.status().depth.live:
            worker = start(roles.work, url, ahead_ms, 4, dice.randint(1, LAST_STEP))
            processes.append(worker)
            goal = jot.status().done + dice.randint(5, 20)
            until(lambda goal=goal, worker=worker: jot.status().done >= goal or not worker.alive)
            worker.kill()
            kills += worker.ends() == -9
            ahead_ms += AN_HOUR
        assert_sound(jot.database)
        depth = jot.status().depth
    assert kills > documents // 25
    assert (depth.live, depth.dead) == (0, 0)
    assert facts(url) == facts(calm)
