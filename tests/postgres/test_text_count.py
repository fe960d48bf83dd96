"""The counts of a tenant's texts are exact after every change, and their rows few."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

KEPT = """
select count(*) as rows, coalesce(sum(memories), 0) as memories, coalesce(sum(documents), 0) as documents,
  coalesce(sum(words), 0) as words
from text_count
"""
COUNTED = """
select
  (select count(*) from memory) as memories,
  (select count(*) from document where cut_at is null) as documents,
  (select coalesce(sum(length), 0) from text_index) as words
"""
LONG = "harbour " * 20_000


@pytest.fixture
def jot(url: str) -> Iterator[Jotsam]:
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, tenant="eve")) as jot:
        yield jot


def checked(jot: Jotsam) -> int:
    """The number of rows. Fails unless their sums are right."""
    with jot.database.snapshot(tenant="eve") as tx:
        (kept,), (counted,) = tx.execute(KEPT), tx.execute(COUNTED)
    rows = int(kept.pop("rows"))
    assert kept == counted
    return rows


def test_the_counts_are_exact_after_every_change(jot: Jotsam) -> None:
    dice = random.Random(5)
    ids: list[str] = []
    for number in range(40):
        if ids and dice.random() < 0.3:
            jot.update(dice.choice(ids), text=f"Changed {number} times.")
        elif len(ids) > 3 and dice.random() < 0.4:
            id = ids.pop(dice.randrange(len(ids)))
            jot.forget(jot.plan_forget(ids=[id]), trash=dice.random() < 0.5)
        elif dice.random() < 0.3:
            jot.add(f"# Notes {number}\n\nThe port is {number}.\n\n## More\n\n{'Rain. ' * number}")
        else:
            ids.append(jot.remember(f"The wall {number} is green.").id)
        if number % 10 == 9:
            checked(jot)
    jot.add(LONG)
    checked(jot)
    jot.work()
    assert checked(jot) > 1
    jot.admin.forget_tenant()
    assert checked(jot) == 0


def test_many_writers_of_one_tenant_keep_it_exact_and_short(jot: Jotsam) -> None:
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(lambda number: jot.remember(f"The wall {number} is green."), range(400)):
            pass
    assert checked(jot) < 200
    assert jot.recall("green").coverage.total == 400


def test_a_write_that_is_rolled_back_is_not_counted(jot: Jotsam) -> None:
    jot.remember("The wall is green.")
    with pytest.raises(ZeroDivisionError), jot.database.transaction(tenant="eve") as tx:
        for number in range(70):
            jot.remember(f"The wall {number} is red.", tx=tx)
        raise ZeroDivisionError
    assert checked(jot) == 1
