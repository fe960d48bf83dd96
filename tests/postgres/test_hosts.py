"""Several hosts: each is a network namespace with its own address, whose connection can be cut and restored.

This needs root and iproute2; where they are missing, the tests say so and do not run.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jotsam import Queue
from processes import PATIENCE, until
from proxies import Proxy


class Host:
    """A machine that is reached over one line. `number` tells it from the others of this test."""

    def __init__(self, number: int) -> None:
        own = free_number(number)
        self.name, self._line = f"jotsam-{own}-{number}", f"jt{own}x{number}"
        self.gate, self.address = f"198.18.{own}.{4 * number + 1}", f"198.18.{own}.{4 * number + 2}"
        far = f"{self._line}f"
        for command in (
            f"link add {self._line} type veth peer name {far} netns {self.name}",
            f"address add {self.gate}/30 dev {self._line}",
            f"link set {self._line} up",
            f"-n {self.name} address add {self.address}/30 dev {far}",
            f"-n {self.name} link set {far} up",
        ):
            ip(command)
        self._started: list[subprocess.Popen[str]] = []

    def work(self, port: int, schema: str) -> subprocess.Popen[str]:
        """A worker on this host, for the server behind a port of ours."""
        address = f"postgresql://jotsam_test@{self.gate}:{port}/postgres?sslmode=disable&gssencmode=disable"
        client = str(Path(__file__).parent / "clients.py")
        command = ["ip", "netns", "exec", self.name, sys.executable, client, f"{address}&schema={schema}", self.name]
        worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env={**os.environ}
        )
        self._started.append(worker)
        return worker

    def cut(self) -> None:
        """Nothing comes through any more, and nobody is told."""
        ip(f"link set {self._line} down")

    def mend(self) -> None:
        ip(f"link set {self._line} up")

    def close(self) -> None:
        for worker in self._started:
            worker.kill()
            worker.communicate()
        subprocess.run(["ip", "netns", "delete", self.name], check=False)


def free_number(number: int) -> int:
    """One of ours, with which this host has a name that nobody else has, nor a run that was killed has left behind."""
    for step in range(250):
        own = (os.getpid() + step) % 250
        if (
            subprocess.run(
                ["ip", "netns", "add", f"jotsam-{own}-{number}"], capture_output=True, check=False
            ).returncode
            == 0
        ):
            return own
    pytest.fail("there are 250 network namespaces of such tests: remove those that were left behind")


def ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True, capture_output=True)


def hears(worker: subprocess.Popen[str], words: str) -> None:
    """Read what it says until these words come."""
    assert worker.stdout is not None
    said = ""
    while words not in said:
        if not select.select([worker.stdout], [], [], PATIENCE)[0]:
            pytest.fail(f"it never said {words!r}, only {said!r}")
        line = os.read(worker.stdout.fileno(), 65_536).decode()
        assert line, f"it ended, having said only {said!r}"
        said += line


def lend_for_an_hour(mail: Queue, job_id: int) -> None:
    """From its next delivery on. Then nobody loses it whose heart stands still for a moment."""
    with mail.transaction() as tx:
        tx.execute("update queue_job set lease_ms = 3600000 where id = :id", {"id": job_id})


def go_on(worker: subprocess.Popen[str]) -> None:
    assert worker.stdin is not None
    worker.stdin.write("go on\n")


@pytest.fixture
def new_host() -> Iterator[Callable[[], Host]]:
    if os.geteuid() != 0:
        pytest.skip("several hosts: network namespaces need root")
    if not shutil.which("ip"):
        pytest.skip("several hosts: network namespaces need the program `ip` of iproute2")
    probe = subprocess.run(["ip", "netns", "add", f"jotsam-{os.getpid()}"], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"several hosts: this root may make no network namespace: {probe.stderr.strip()}")
    ip(f"netns delete jotsam-{os.getpid()}")
    hosts: list[Host] = []

    def new() -> Host:
        hosts.append(Host(len(hosts)))
        return hosts[-1]

    yield new
    for host in hosts:
        host.close()


def test_a_host_that_was_cut_off_loses_its_job_and_what_it_writes_too_late(url, server, new_host):
    schema = url.rpartition("schema=")[2]
    first, second = new_host(), new_host()
    with Queue(url, "mail") as mail, mail.transaction() as tx:
        tx.execute("create table effect (key text, owner text)")
    proxy = Proxy(server.folder / "data" / ".s.PGSQL.5432", listen_on="0.0.0.0")
    try:
        with Queue(url, "mail") as mail:
            cut_off = first.work(proxy.port, schema)
            job = mail.send("the job", lease_ms=1_500, max_receive=10)
            hears(cut_off, "begun the job")
            lend_for_an_hour(mail, job.id)
            first.cut()
            other = second.work(proxy.port, schema)
            hears(other, "begun the job")
            assert mail.get(job.id).received == 2
            first.mend()
            go_on(cut_off)
            hears(cut_off, "the lease was lost; its result was not written")
            assert mail.stats().done == 0
            go_on(other)
            until(lambda: mail.stats().done == 1)
            with mail.transaction() as tx:
                assert tx.execute("select key, owner from effect") == [{"key": "the job", "owner": second.name}]
            second.cut()
            mail.send("the next")
            hears(cut_off, "begun the next")
            go_on(cut_off)
            until(lambda: mail.stats().done == 2)
            assert {address for address, _ in proxy.clients} == {first.address, second.address}
    finally:
        proxy.close()
