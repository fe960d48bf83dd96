"""Installation, concurrency, lost connections, a stopped server: no job is lost, no effect happens twice."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam import Jotsam, Processor, Queue
from jotsam.core.errors import DatabaseBusy, DatabaseUnavailable, DatabaseUnusable, InvalidInput, JotsamError
from jotsam.core.job_records import JobSpec
from jotsam.core.settings import Settings
from jotsam.storage import QUEUE, connect, outstanding, queue
from jotsam.storage.postgres.postgres import PostgresDatabase
from processes import PATIENCE, start, until
from servers import Server

SHORT_MS = 5_000
"""A frozen server is given up after so long, and one on a busy machine is not."""


@pytest.fixture
def mail(url):
    with Queue(url, "mail") as mail:
        yield mail


def test_two_may_install_at_once(url):
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _: connect(url, wait_ms=PATIENCE * 1_000), range(6)))
    with opened[0].snapshot() as tx:
        assert tx.execute("select count(*) as n from jotsam_migration") == [{"n": 12}]
    for database in opened:
        database.close()


def test_what_would_be_done_is_told_beforehand_and_nothing_once_it_is(url):
    names = [step.name for step in outstanding(url)]
    assert names == [
        "queue_0001_initial",
        "queue_0002_server_of_tenant",
        "queue_0003_short_payloads",
        "memory_0001_initial",
        "memory_0002_projects",
        "memory_0003_operator_scope",
        "memory_0004_notes",
        "memory_0005_trash_rows",
        "memory_0006_hints",
        "memory_0007_given_texts",
        "memory_0008_store",
        "memory_0009_item_vectors",
    ]
    connect(url).close()
    assert outstanding(url) == []


def test_the_time_is_the_servers(mail):
    with mail.transaction() as tx:
        (row,) = tx.execute("select abs(extract(epoch from clock_timestamp()) * 1000 - :now) as apart")
        assert row["apart"] < 5_000


def test_a_password_is_in_no_message(server):
    url = f"postgresql://ana:hunter2@/nowhere?host={server.folder / 'data'}&password=hunter3"
    with pytest.raises(JotsamError) as raised:
        connect(url)
    assert "hunter" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("postgresql://x@127.0.0.1:1/postgres", DatabaseUnavailable),
        ("postgresql://x@/postgres?host=/nowhere", DatabaseUnavailable),
        ("postgresql:///postgres?schema=a-b", InvalidInput),
        ("postgresql:///postgres?nonsense=1", JotsamError),
    ],
)
def test_an_address_that_leads_nowhere_is_named(address, error):
    with pytest.raises(error):
        connect(address)


def test_a_role_that_may_not_install_is_told_so(server):
    with pytest.raises((DatabaseUnusable, JotsamError), match=r"pg_monitor|permission|role"):
        connect(server.url(role="pg_monitor"))


def test_a_second_transaction_on_one_thread_is_refused(mail):
    with mail.transaction(), pytest.raises(JotsamError, match="open transaction"), mail.transaction():
        pass
    with mail.transaction() as tx:
        tx.execute("select 1")


def test_a_transaction_that_went_on_after_an_error_does_not_seem_to_have_been_written(mail):
    with pytest.raises(JotsamError, match="nothing was written"), mail.transaction() as tx:
        mail.send(1, tx=tx)
        with pytest.raises(Exception, match="nothing_like_it"):
            tx.execute("select * from nothing_like_it")
    assert mail.stats().accepted == 0


def test_a_lock_that_somebody_holds_is_busy_and_not_for_ever(url, mail):
    mail.send(1)
    impatient = connect(url, schemas=("queue",), wait_ms=50)
    with mail.transaction() as tx:
        tx.execute("update queue_job set priority = 1")
        with pytest.raises(DatabaseBusy), impatient.transaction() as other:
            other.execute("update queue_job set priority = 2")
    impatient.close()


def test_two_that_send_under_one_key_at_once_make_one_job(url, mail):
    def send(_):
        with Queue(url, "mail") as own:
            return own.send("once", key="k")

    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(send, range(16)))
    assert len({one.id for one in sent}) == 1
    assert sum(not one.duplicate for one in sent) == 1


def test_many_receivers_get_every_job_once(url, mail):
    sent = {one.id for one in mail.send_many(range(400))}

    def receive(_):
        got = []
        with Queue(url, "mail") as own:
            while jobs := own.receive_many(7):
                got += [job.id for job in jobs]
                assert all(own.delete(job) for job in jobs)
        return got

    with ThreadPoolExecutor(8) as pool:
        got = [id for ids in pool.map(receive, range(8)) for id in ids]
    assert sorted(got) == sorted(sent)
    assert mail.stats().done == 400


def test_a_lane_holds_between_many_workers(url, mail):
    """No barrier runs beside anything else of its lane, and none is left behind."""
    for number in range(60):
        mail.send(number, lane="a", parallel=number % 3 != 0)
    running, overlaps, lock, seen = set(), [], threading.Lock(), []

    def handler(task):
        barrier = not task.job.parallel
        with lock:
            if running and (barrier or any(running_barrier for _, running_barrier in running)):
                overlaps.append(task.payload)
            running.add((task.payload, barrier))
            seen.append(task.payload)
        with lock:
            running.remove((task.payload, barrier))

    queues = [Queue(url, "mail") for _ in range(4)]
    processors = [Processor(one, {"default": handler}, concurrency=2) for one in queues]
    for processor in processors:
        processor.start()
    until(lambda: mail.stats().done == 60)
    for processor in processors:
        processor.stop()
    for one in queues:
        one.close()
    assert overlaps == []
    assert sorted(seen) == list(range(60))


def test_a_reply_lost_after_the_commit_makes_no_second_job(mail, url, proxied):
    """Nobody can know whether it was kept; the key makes trying again safe."""
    address, proxy = proxied(url)
    with Queue(address, "mail") as far:
        far.send("first", key="a")
        proxy.lose_reply_to(b"commit\0")
        with pytest.raises(DatabaseUnavailable, match="may or may not be saved"):
            far.send("second", key="b")
        proxy.heal()
        assert far.send("second", key="b").duplicate is True
    assert mail.stats().accepted == 2


def test_an_effect_whose_acknowledgement_was_cut_off_happens_once(mail, url, proxied):
    with mail.transaction() as tx:
        tx.execute("create table effect (id bigint)")
    job_id = mail.send("x", lease_ms=500).id
    address, proxy = proxied(url)

    def handler(task):
        if task.job.received == 1:
            proxy.lose_reply_to(b"insert into effect")
            threading.Timer(0.3, proxy.heal).start()
        return lambda tx: tx.execute("insert into effect (id) values (:id)", {"id": task.job.id})

    with Queue(address, "mail") as far:
        processor = Processor(far, {"default": handler}, concurrency=1, heartbeat_ms=100)
        processor.start()
        until(lambda: mail.stats().done == 1)
        processor.stop()
    with mail.transaction() as tx:
        assert tx.execute("select id from effect") == [{"id": job_id}]


def test_a_server_that_falls_silent_does_not_hold_us_for_ever(mail, url, proxied):
    address, proxy = proxied(url)
    far = PostgresDatabase(address, schemas=QUEUE, response_ms=SHORT_MS)
    with pytest.raises(DatabaseUnavailable, match="no response"), far.transaction() as tx:
        queue.send(tx, JobSpec(queue="mail", kind="k"))
        proxy.freeze()
        tx.execute("select 1")
    proxy.heal()
    with far.transaction() as tx:
        queue.send(tx, JobSpec(queue="mail", kind="k"))
    far.close()
    assert mail.stats().accepted == 1


def test_connections_that_were_cut_while_idle_are_replaced_without_a_word(mail, server):
    mail.send(1)
    server.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'jotsam'")
    assert mail.send(2).duplicate is False


def test_connections_that_are_not_used_are_closed(url, server):
    connect(url, schemas=QUEUE).close()
    name = "idle-" + url.rpartition("=")[2]
    open_here = f"select count(*) from pg_stat_activity where application_name = '{name}'"
    database = PostgresDatabase(f"{url}&application_name={name}", schemas=QUEUE, idle_ms=100)
    with ThreadPoolExecutor(3) as threads:
        meet = threading.Barrier(3)

        def use(_):
            with database.snapshot():
                meet.wait(PATIENCE)

        list(threads.map(use, range(3)))
    until(lambda: server.execute(open_here) == [(0,)])
    with database.snapshot() as tx:
        assert tx.execute("select 1 as one") == [{"one": 1}]
    database.close()


def test_a_connection_cut_in_the_middle_loses_its_transaction_and_says_so(mail, server):
    with pytest.raises(DatabaseUnavailable), mail.transaction() as tx:
        mail.send(1, tx=tx)
        server.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'jotsam'")
        mail.send(2, tx=tx)
    assert mail.stats().accepted == 0


def test_workers_outlive_cut_connections_and_a_server_that_crashes(url, mail, server):
    """None lost, and no effect twice."""
    with mail.transaction() as tx:
        tx.execute("create table effect (id bigint)")
    sent = {mail.send(number, lease_ms=1_000, max_receive=1_000).id for number in range(300)}
    slow = threading.Event()

    def handler(task):
        slow.wait(0.01)
        return lambda tx: tx.execute("insert into effect (id) values (:id)", {"id": task.job.id})

    queues = [Queue(url, "mail") for _ in range(3)]
    processors = [Processor(one, {"default": handler}, concurrency=2, heartbeat_ms=200) for one in queues]
    for processor in processors:
        processor.start()
    for trouble in (cut, cut, Server.restart, cut):
        slow.wait(0.3)
        trouble(server)
    until(lambda: done(url) == 300)
    for processor in processors:
        processor.stop()
    for one in queues:
        one.close()
    with mail.transaction() as tx:
        effects = [row["id"] for row in tx.execute("select id from effect")]
    assert sorted(effects) == sorted(sent)


def cut(server) -> None:
    server.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'jotsam'")


def done(url: str) -> int:
    try:
        with Queue(url, "mail") as own:
            return own.stats().done
    except DatabaseUnavailable:
        return -1


def test_accepting_starts_no_process_and_status_says_who_works(url):
    with Jotsam(settings=Settings(db=url, worker="auto", worker_idle_ms=0)) as jot:
        jot.remember("One.")
        assert jot.status().worker == "none"
        with jot.database.transaction() as tx:
            assert len(queue.receive(tx, queue="enrich", owner="me")) == 1
        assert jot.status().worker == "running"
        assert jot.wait(timeout_ms=0) is False


def test_the_child_of_a_fork_has_connections_of_its_own(url, mail):
    forking = start(fork, url)
    childs, parents = forking.says(), forking.says()
    assert childs not in parents
    assert parents[0] == parents[1], "and the parent kept its own"
    assert forking.ends() == 0
    assert mail.stats().accepted == 3


def fork(pipe, url: str) -> None:
    """A process with a connection in use forks, and both go on. It has no other threads, whose locks could be held.

    Says which process of the server the child spoke to, and which its parent, before and afterwards.
    """
    with Queue(url, "mail") as mail:
        before = backend(mail)
        child = os.fork()
        if child == 0:
            pipe.send(backend(mail))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert status == 0
        pipe.send((before, backend(mail)))


def backend(mail: Queue) -> object:
    with mail.transaction() as tx:
        mail.send("x", tx=tx)
        return tx.execute("select pg_backend_pid() as pid")[0]["pid"]


def test_a_ring_reaches_another_connection(url):
    first, second = connect(url), connect(url)
    first.wait(0)
    first.wait(0)
    with second.transaction() as tx:
        queue.send(tx, JobSpec(queue="q", kind="k"))
    assert first.wait(PATIENCE * 1_000) is True
    assert first.wait(10) is False
    first.close(), second.close()
