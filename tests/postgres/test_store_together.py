"""Calls of the store that adapters commit together: on a server only a lock keeps two of them apart."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from jotsam import Jotsam, NotFound
from jotsam.integrations.items import together

PLACE = ("files", "ann")
WRITERS, TIMES = 4, 10


def test_who_read_and_then_write_under_one_lock_lose_nothing(url: str) -> None:
    with Jotsam(url, worker="off") as jot:

        def append(who: int) -> None:
            for number in range(TIMES):
                with together(jot, "files ann") as tx:
                    try:
                        lines = jot.store.get(PLACE, "notes", **tx).value
                    except NotFound:
                        lines = []
                    jot.store.put(PLACE, "notes", [*lines, [who, number]], **tx)

        with ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(append, range(WRITERS)))
        every = sorted([who, number] for who in range(WRITERS) for number in range(TIMES))
        assert sorted(jot.store.get(PLACE, "notes").value) == every
