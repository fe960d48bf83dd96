"""Design properties of PostgreSQL only: durability of commits, lock timeouts, parts of long texts."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest

from jotsam import Jotsam, Processor, Queue
from jotsam.admin.doctor import examine
from jotsam.core.errors import DatabaseBusy, DatabaseUnavailable
from jotsam.core.settings import Settings
from jotsam.storage import QUEUE
from jotsam.storage.postgres.postgres import MAX_CONNECTIONS, PostgresDatabase
from processes import until

PART = 100_000
GRAMS = 33_333
"""Pairs of characters that one part of a long text holds."""


def off(url: str) -> Settings:
    return Settings(db=url, worker="off", worker_idle_ms=0)


@pytest.mark.parametrize(("durable", "level"), [(True, "on"), (False, "off")])
def test_a_durable_commit_waits_for_the_disk_and_another_does_not(durable, level, database):
    with database.transaction(durable=durable) as tx:
        assert tx.execute("show synchronous_commit") == [{"synchronous_commit": level}]


def test_a_transaction_whose_client_falls_silent_is_ended_by_the_server(database, server):
    with pytest.raises(DatabaseUnavailable), database.transaction() as tx:
        assert tx.execute("show idle_in_transaction_session_timeout") == [
            {"idle_in_transaction_session_timeout": "1min"}
        ]
        (row,) = tx.execute("select pg_backend_pid() as pid")
        tx.execute("set local idle_in_transaction_session_timeout = 1")
        until(lambda: not server.execute(f"select 1 from pg_stat_activity where pid = {row['pid']}"))
        tx.execute("select 1")
    with database.transaction() as tx:
        assert tx.execute("select 1 as one") == [{"one": 1}]


def test_a_process_has_so_many_connections_and_says_when_all_are_in_use(url):
    database = PostgresDatabase(url, schemas=QUEUE, wait_ms=50)
    begun, over = threading.Barrier(MAX_CONNECTIONS + 1), threading.Event()

    def hold() -> None:
        with ExitStack() as stack:
            while True:  # While many connect at once, some wait longer than they would.
                try:
                    stack.enter_context(database.transaction())
                    break
                except DatabaseBusy:
                    continue
            begun.wait()
            over.wait()

    threads = [threading.Thread(target=hold) for _ in range(MAX_CONNECTIONS)]
    for thread in threads:
        thread.start()
    begun.wait()
    with pytest.raises(DatabaseBusy, match="connections of this process"):
        database.transaction().__enter__()
    over.set()
    for thread in threads:
        thread.join()
    with database.transaction() as tx:
        assert tx.execute("select 1 as one") == [{"one": 1}]
    database.close()


@pytest.mark.parametrize(
    ("text", "question"),
    [("a " * (PART // 2 - 2) + "aardvark zebra", "aardvark"), ("猫" * GRAMS + "数据库" + "猫" * 100, "数据库")],
    ids=["words", "pairs"],
)
def test_what_stands_on_the_border_of_two_parts_is_found_whole(text, question, url):
    with Jotsam(settings=off(url)) as jot:
        jot.add(text)
        with jot.database.snapshot(tenant="default") as tx:
            assert tx.execute("select count(*) as parts from text_index") == [{"parts": 2}]
        assert jot.recall(question).coverage.total == 1


def test_stems_are_english_and_no_word_is_left_out(url):
    """The words of a question lose their stop words; those of a text do not, so that a phrase can be found."""
    with Jotsam(settings=off(url)) as jot:
        jot.remember("To be or not to be, the parrots were arguing.")
        assert jot.recall("a parrot argues").coverage.total == 1
        assert jot.recall('"to be or not to be"').coverage.total == 1


def test_the_doctor_says_whether_the_wall_stands(server, url):
    def wall(address: str) -> tuple[str, str]:
        (found,) = [finding for finding in examine(off(address)) if finding.name == "row-level security"]
        return found.level, found.text

    ((superuser,),) = server.execute("select current_user")
    assert wall(url) == ("ok", "isolates the tenants: an unknown tenant sees no row")
    level, text = wall(server.url(role=str(superuser)))
    assert level == "warn"
    assert text.startswith(f"the role {superuser} bypasses row-level security")


def test_a_table_of_ones_own_is_written_with_the_acknowledgement(server, url):
    """In the schema `public`, which every connection sees behind ours."""
    name = f"sent_{url.rpartition('schema=')[2]}"
    server.execute(f"create table public.{name} (number bigint)")
    server.execute(f"grant select, insert on public.{name} to public")

    def handler(task):
        return lambda tx: tx.execute(f"insert into {name} (number) values (:number)", {"number": task.payload})

    with Queue(url, "mail") as mail:
        mail.send(7)
        assert Processor(mail, {"default": handler}).run() == 1
    assert server.execute(f"select number from public.{name}") == [(7,)]


def test_two_schemas_of_one_server_know_nothing_of_each_other(server):
    with Queue(server.url(), "mail") as one, Queue(server.url(), "mail") as other:
        one.database.wait(0), other.database.wait(0)
        one.send("x", key="k")
        until(lambda: one.database.wait(1_000))
        assert other.database.wait(0) is False
        assert other.receive() is None
        assert other.send("y", key="k").duplicate is False


def test_a_server_that_takes_no_writes_says_so_and_may_be_tried_again(database):
    with pytest.raises(DatabaseUnavailable, match="use the address of the primary"), database.transaction() as tx:
        tx.execute("set transaction read only")
        tx.execute("delete from queue_job")
