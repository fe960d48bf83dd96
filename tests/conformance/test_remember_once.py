"""A memory that is stored at most once within ten minutes, by callers that repeat a call without a key."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from jotsam.memory.writing.remember_once import WINDOW_MS, remember_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StandingClock

    from jotsam import Jotsam
    from jotsam.core.records import Receipt


def test_a_repeated_call_stores_nothing_twice_also_at_the_same_moment(
    open_jot: Callable[..., Jotsam], clock: StandingClock
) -> None:
    one, other = open_jot(), open_jot(project="shop")

    def store(jot: Jotsam, text: str = "We use tabs.", **options: object) -> Receipt:
        return remember_once(jot.database, jot.settings, text, **options)

    receipts: list[Receipt] = []
    threads = [threading.Thread(target=lambda: receipts.append(store(one))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({receipt.id for receipt in receipts}) == 1
    assert sorted(receipt.duplicate for receipt in receipts) == [False] + [True] * 7
    # Another project, text or mark is another memory.
    others = [store(other), store(one, "We use spaces."), store(one, more={"tags": ["style"]})]
    assert not any(receipt.duplicate for receipt in others)
    clock.tick(WINDOW_MS)
    assert not store(one).duplicate
    assert one.status().memories == 5
