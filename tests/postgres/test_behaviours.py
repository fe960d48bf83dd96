"""Behaviours of other queues on PostgreSQL, by their numbers: BR of BrainstormRouter, GQ of goqite.

BR-1 to BR-12 and BR-14 hold on every database, and stand in tests/conformance.
"""

from __future__ import annotations

import threading

import pytest
from clients import share

from jotsam import Jotsam, Queue
from jotsam.core.settings import Settings
from jotsam.storage import queue
from processes import PATIENCE, start, until

MANY = 1_000_000


@pytest.fixture
def mail(url):
    with Queue(url, "mail") as mail:
        yield mail


def test_four_workers_take_two_thousand_jobs_once_each_and_nothing_fails(url, mail):
    """GQ-15: at once, and to the end; who reads them inside a transaction of its own gets an error for each second."""
    mail.send_many(range(2_000))
    errors, got, begin = [], [], threading.Barrier(4, timeout=PATIENCE)

    def work():
        with Queue(url, "mail") as own:
            begin.wait()
            try:
                while jobs := own.receive_many(10):
                    for job in jobs:
                        assert own.delete(job)
                        got.append(job.id)
            except Exception as error:
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert errors == []
    assert (len(got), len(set(got))) == (2_000, 2_000)
    assert mail.stats().done == 2_000
    with mail.transaction() as tx:
        assert tx.execute("select count(*) as n, max(received) as most from queue_attempt") == [{"n": 2_000, "most": 1}]


def test_two_processes_share_a_hundred_jobs(url, mail):
    """BR-3, with processes and their own connections: a hundred distinct, none twice, and both get some."""
    with mail.transaction() as tx:
        tx.execute("create table effect (key text primary key, owner text)")
    mail.send_many([f"{number}" for number in range(100)])
    workers = [start(share, url, name) for name in ("one", "two")]
    try:
        assert [worker.says() for worker in workers] == ["begun", "begun"]
        for worker in workers:
            worker.tell("go on")
        until(lambda: mail.stats().done == 100)
    finally:
        for worker in workers:
            worker.kill()
    with mail.transaction() as tx:
        owners = tx.execute("select owner, count(*) as n from effect group by owner order by owner")
    assert [row["owner"] for row in owners] == ["one", "two"]
    assert sum(row["n"] for row in owners) == 100


def test_nobody_sees_jobs_or_memories_of_another_tenant(url):
    """BR-13; tests/postgres/test_tenant_isolation.py tries every call."""
    settings = Settings(db=url, worker="off", worker_idle_ms=0)
    with Jotsam(settings=settings, tenant="a") as mine, Jotsam(settings=settings, tenant="b") as theirs:
        kept = mine.remember("Launch Project Launchpad.")
        assert mine.admin.jobs() != []
        assert theirs.admin.jobs() == []
        assert theirs.recall("launch").coverage.total == 0
        for id in (kept.id, str(kept.job_id)):
            with pytest.raises(LookupError):
                theirs.show(id)


def test_a_million_finished_jobs_cost_a_claim_nothing(mail):
    """BR-15: a claim reads as many rows as when nothing was ever done, dead jobs and what waits long included."""
    mail.send("first", priority=1)
    alone = read_by_a_claim(mail)
    with mail.transaction() as tx:
        tx.execute(
            "insert into queue_attempt (job_id, received, queue, tenant, kind, started_at, ended_at, outcome)"
            " select n, 1, 'mail', 'default', 'k', 1, 2, 'done' from generate_series(1000, 1000 + :many) n",
            {"many": MANY},
        )
        tx.execute(
            "insert into queue_job (queue, tenant, kind, state, priority, place, parallel, wake_at, lease_ms,"
            " max_receive, created_at) select 'mail', 'default', 'k', state, 9, 0, 1,"
            " case state when 'waiting' then 9999999999999 end, 1, 5, 1"
            " from generate_series(1, 10000), unnest(array['dead', 'waiting']) state"
        )
    assert read_by_a_claim(mail) <= alone + 10


def read_by_a_claim(mail) -> int:
    """How many rows of any table a claim reads; what it claimed is left as it was."""
    with pytest.raises(ZeroDivisionError), mail.transaction() as tx:
        (job,) = queue.receive(tx, queue="mail", owner="me")
        assert job.payload == '"first"'
        rows = tx.execute(
            "select cast(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as bigint) as rows"
            " from pg_stat_xact_user_tables where schemaname = current_schema()"
        )
        raise ZeroDivisionError
    assert rows[0]["rows"] > 0
    return rows[0]["rows"]
