"""Processes killed, connections cut, the server crashed: no job is lost, no effect happens twice."""

from __future__ import annotations

import itertools

from clients import JOBS, consume, produce

from jotsam import Queue
from jotsam.core.errors import DatabaseUnavailable
from processes import Running, start, until

PRODUCERS, WORKERS, TROUBLES = 4, 8, 12
ALL = PRODUCERS * JOBS
EACH_TIME = 3
"""Jobs of each producer that there are more of after each trouble; the rest comes after the last."""


def test_killed_workers_cut_lines_and_a_crashed_server_lose_nothing_and_do_nothing_twice(url, server):
    with Queue(url, "mail") as mail, mail.transaction() as tx:
        tx.execute("create table effect (key text, owner text)")
    names = itertools.count(1)
    first = {f"w{number}" for number in range(1, WORKERS + 1)}
    workers = [start(consume, url, f"w{next(names)}") for _ in range(WORKERS)]
    producers = [start(produce, url, f"p{number}") for number in range(PRODUCERS)]
    try:
        for trouble in range(TROUBLES):
            tell(producers, EACH_TIME)
            until(lambda trouble=trouble: done(url) >= trouble * PRODUCERS * EACH_TIME)
            workers = replaced(workers, url, names)
            if trouble % 3 == 1:
                server.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'jotsam'"
                )
            if trouble == TROUBLES // 2:
                server.restart()
        tell(producers, JOBS - TROUBLES * EACH_TIME)
        assert [producer.says() for producer in producers] == ["all sent"] * PRODUCERS
        until(lambda: done(url) == ALL)
    finally:
        for running in (*workers, *producers):
            running.kill()
    with Queue(url, "mail") as mail:
        with mail.transaction() as tx:
            effects = tx.execute("select key, owner from effect")
        stats = mail.stats()
    assert sorted(row["key"] for row in effects) == sorted(f"p{p}-{n}" for p in range(PRODUCERS) for n in range(JOBS))
    assert (stats.accepted, stats.done, stats.dead) == (ALL, ALL, 0)
    assert {row["owner"] for row in effects} - first, "those that came later worked too"


def tell(producers: list[Running], number: int) -> None:
    for producer in producers:
        producer.tell(number)


def replaced(workers: list[Running], url: str, names: itertools.count[int]) -> list[Running]:
    """Kill the two that have been there longest, and start two others."""
    for worker in workers[:2]:
        worker.kill()
    return [*workers[2:], *(start(consume, url, f"w{next(names)}") for _ in range(2))]


def done(url: str) -> int:
    try:
        with Queue(url, "mail") as mail:
            return mail.stats().done
    except DatabaseUnavailable:
        return -1
