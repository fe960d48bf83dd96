"""A read-only server, temporarily or permanently, as in a failover: workers wait and find the new primary."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from jotsam import Jotsam, Processor, Queue
from jotsam.core.errors import DatabaseUnavailable, JotsamError
from jotsam.core.settings import Settings
from jotsam.storage import connect
from processes import until
from servers import Server
from standbys import Standby


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One of this room's own: what is switched off here is switched off for everybody."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def switch(server: Server) -> Iterator[Callable[..., None]]:
    """Lets the server take writes, or none, as a primary that is being switched over."""

    def take_writes(yes: bool) -> None:
        server.execute(f"alter system set default_transaction_read_only = {'off' if yes else 'on'}")
        server.execute("select pg_reload_conf()")
        until(lambda: server.execute("show default_transaction_read_only") == [("off" if yes else "on",)])

    yield take_writes
    take_writes(True)


@pytest.fixture
def standby(server: Server) -> Iterator[Standby]:
    standby = Standby(server)
    yield standby
    standby.stop()


def writing(url: str) -> str:
    """An address whose sessions may write all the same, as some may during a switch."""
    return f"{url}&options=-cdefault_transaction_read_only%3Doff"


def test_a_worker_outlives_a_server_that_takes_no_writes_for_a_while(url, switch, tmp_path):
    connect(url).close()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JOTSAM_")}
    environment |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "jotsam", "--db", url, "work", "--forever"]
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    with worker, Jotsam(settings=Settings(db=writing(url), worker_idle_ms=0)) as jot:
        assert worker.stderr is not None
        said = [worker.stderr.readline()]
        assert "working on" in said[0]
        switch(False)
        jot.remember("Ana moved to Bonn.")
        said.append(worker.stderr.readline())
        assert "the server is read-only" in said[1], said
        assert jot.status().depth.live == 1
        switch(True)
        until(lambda: jot.status().enriched == 1)
        worker.send_signal(signal.SIGTERM)
        said += worker.stderr.readlines()
        assert worker.wait() == 0, said
    assert sum("is not available" in line for line in said) == 1, said
    assert sum("is available again" in line for line in said) == 1, said


def test_who_sends_meanwhile_is_told_that_trying_again_can_help(url, switch):
    with Queue(url, "mail") as mail:
        mail.send(1)
        switch(False)
        with pytest.raises(DatabaseUnavailable, match=r"the server is read-only.*try again.*target_session_attrs"):
            mail.send(2)
        assert mail.stats().accepted == 1
        switch(True)
        until(lambda: sends(mail, 2))
        assert mail.stats().accepted == 2


def sends(mail: Queue, payload: object) -> bool:
    try:
        mail.send(payload)
    except DatabaseUnavailable:
        return False
    return True


def test_a_snapshot_that_is_written_to_is_no_standby(url):
    with Queue(url, "mail") as mail:
        refusal = pytest.raises(JotsamError, match="a snapshot is read-only")
        with refusal as refused, mail.database.snapshot() as tx:
            tx.execute("delete from queue_job")
    assert refused.value.retry is False


@pytest.mark.parametrize("ends", ["switched off", "crashed"])
def test_who_knows_both_hosts_goes_over_to_the_one_that_was_promoted(ends, url, server, standby, switch):
    schema = url.rpartition("schema=")[2]
    place = f"host={server.folder / 'data'},{standby.folder}&target_session_attrs=read-write"
    both = f"postgresql://jotsam_test@/postgres?{place}&schema={schema}"
    there = f"postgresql://jotsam_test@/postgres?host={standby.folder}&schema={schema}"
    with Queue(both, "mail") as mail, Queue(both, "mail") as sender:
        sender.send("before")  # It has one connection, and nobody else opens another beside it.
        worker = Processor(mail, {"default": lambda task: None}, concurrency=1, heartbeat_ms=200)
        worker.start()
        until(lambda: mail.stats().done == 1)
        until(lambda: arrived(there, 1))
        if ends == "crashed":
            server.crash()
        standby.promote()
        if ends == "switched off":
            switch(False)
        until(lambda: sends(sender, "after"))
        until(lambda: arrived(there, 2))
        worker.stop()
    if ends == "crashed":
        server.restart()


def arrived(url: str, jobs: int) -> bool:
    """Whether so many jobs are done, as this host sees it; before it has heard of the queue there are none."""
    try:
        with Queue(url, "mail") as mail:
            return mail.stats().done == jobs
    except JotsamError:
        return False
