"""Hooks and `add` with a server that is unreachable, slow or crashing: no turn is lost or stored in part."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes import PATIENCE, until
from proxies import Proxy

SAID = {"session_id": "session-1", "last_assistant_message": "The launch is on Friday."}


@pytest.fixture(scope="module")
def server(own_server):
    """One that a test may crash."""
    return own_server


@pytest.fixture
def proxy(server):
    """A proxy in front of the server, which can drop or delay traffic."""
    found = Proxy(server.folder / "data" / ".s.PGSQL.5432")
    yield found
    found.close()


@pytest.fixture
def remote(jotsam, server, proxy):
    """A shell whose database is the server behind the proxy, with the schema installed."""
    schema = server.url().rpartition("schema=")[2]
    address = f"postgresql://jotsam_test:secret@127.0.0.1:{proxy.port}/postgres"
    jotsam.env["JOTSAM_DB"] = f"{address}?sslmode=disable&gssencmode=disable&schema={schema}"
    jotsam.env["JOTSAM_HOOK_LOCK_TIMEOUT_MS"] = "5000"
    assert jotsam("migrate").returncode == 0
    return jotsam


@pytest.fixture
def unreachable_url() -> Iterator[str]:
    """A URL whose port is reserved by this test, without a listener."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield f"postgresql://ana:secret@127.0.0.1:{listener.getsockname()[1]}/app"


def spooled(shell) -> list[Path]:
    return sorted((shell.home / "data" / "jotsam").glob("server-*.spool/*"))


def fire(shell, **options) -> None:
    """Fire a hook, which must be silent and exit with 0."""
    done = shell.hook("Stop", **{**SAID, **options})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def deliver_all(shell, **options) -> None:
    """Fire hooks until the spool is empty. On a busy machine one hook may time out; a repeated turn is stored once."""
    fire(shell, **options)
    until(lambda: not spooled(shell) or fire(shell, **options))


def test_a_turn_is_sent_to_the_server_immediately(remote):
    deliver_all(remote)
    assert "Friday" in remote("recall", "launch").stdout


def test_a_turn_is_spooled_until_a_command_reaches_the_server(remote, proxy):
    proxy.freeze()
    fire(remote, env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    (waiting,) = spooled(remote)
    assert "secret" not in waiting.read_text()
    assert waiting.stat().st_mode & 0o077 == 0
    proxy.heal()
    answer = remote.json("recall", "launch")
    assert [hit["text"] for hit in answer["hits"]] == ["The launch is on Friday."]
    assert spooled(remote) == []


def test_status_counts_spooled_turns_and_doctor_imports_them(remote, proxy):
    proxy.freeze()
    fire(remote, env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    proxy.heal()
    assert remote.json("status")["status"]["spooled"] == 1
    assert "ok    spool        empty" in remote("doctor").stdout
    assert remote.json("status")["status"]["memories"] == 1


def test_a_worker_imports_spooled_turns(remote, proxy):
    proxy.freeze()
    fire(remote, env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    proxy.heal()
    assert remote("work").stdout == "completed 1 job\n"
    assert remote.json("status")["status"]["enriched"] == 1


def test_the_next_hook_sends_all_spooled_turns_once_and_in_order(remote, proxy):
    proxy.freeze()
    for number in (1, 2, 1, 3):
        fire(remote, last_assistant_message=f"Turn number {number}.", env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    proxy.heal()
    deliver_all(remote, last_assistant_message="Turn number 4.")
    hits = remote.json("recall", "--limit", "10")["hits"]
    assert [hit["text"][-2] for hit in hits] == ["4", "3", "2", "1"]


def test_a_turn_survives_a_server_crash(remote, server):
    server.crash()
    try:
        fire(remote)
        assert len(spooled(remote)) == 1
    finally:
        server.restart()  # Other tests need it too.
    fire(remote, last_assistant_message="The party is on Saturday.")
    assert "Friday" in remote("recall", "launch").stdout
    assert spooled(remote) == []


def test_a_hook_spools_its_turn_if_the_server_never_existed(jotsam, unreachable_url):
    fire(jotsam, env={"JOTSAM_DB": unreachable_url})
    assert len(spooled(jotsam)) == 1


def test_a_hook_spools_its_turn_if_the_schema_is_missing(remote, server):
    """A hook does not migrate, because that may take long."""
    remote.env["JOTSAM_DB"] = server.url()
    fire(remote)
    assert len(spooled(remote)) == 1
    assert remote("migrate").returncode == 0
    assert "Friday" in remote("recall", "launch").stdout


def test_a_worker_that_starts_before_its_server_waits_for_it(jotsam, server, tmp_path):
    schema = server.url().rpartition("schema=")[2]
    late = Proxy(tmp_path / "server")
    url = f"postgresql://jotsam_test@127.0.0.1:{late.port}/postgres?sslmode=disable&gssencmode=disable&schema={schema}"
    jotsam.env["JOTSAM_DB"] = server.url(schema)
    jotsam("remember", "The launch is on Friday.")
    assert jotsam("work", JOTSAM_DB=url).returncode == 1
    worker = jotsam.start("work", "--forever", JOTSAM_DB=url)
    assert "WARNING the database is not available; retrying until it is" in worker.stderr.readline()
    (tmp_path / "server").symlink_to(server.folder / "data" / ".s.PGSQL.5432")
    until(lambda: "WARNING the database is available again" in worker.stderr.readline())
    until(lambda: jotsam.json("status")["status"]["enriched"] == 1)
    worker.terminate()
    assert worker.wait(PATIENCE) == 0
    late.close()


def test_add_reports_an_unreachable_server(jotsam, unreachable_url):
    done = jotsam("add", jotsam.file("notes.md"), JOTSAM_DB=unreachable_url)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot reach the server; try again" in done.stderr
    assert "secret" not in done.stderr


def test_add_with_a_lost_connection_writes_nothing(remote, proxy):
    proxy.lose_reply_to(b"insert into document")
    done = remote("add", remote.file("notes.md"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "try again" in done.stderr
    proxy.heal()
    now = remote.json("status")["status"]
    assert (now["documents"], now["depth"]["pending"]) == (0, 0)


def test_add_after_an_unanswered_commit_can_be_repeated_with_its_key(remote, proxy):
    proxy.lose_reply_to(b"commit\0")
    done = remote("add", remote.file("notes.md"), "--key", "k")
    assert done.returncode == 1
    assert "the changes may or may not be saved; try again with the same key" in done.stderr
    proxy.heal()
    assert remote("add", remote.file("notes.md"), "--key", "k").stdout.startswith("duplicate")
    assert remote.json("status")["status"]["documents"] == 1


def test_an_error_of_a_command_in_a_hook_is_logged(jotsam, unreachable_url):
    done = jotsam("add", jotsam.file("notes.md"), JOTSAM_DB=unreachable_url, JOTSAM_ASYNC="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (log,) = (jotsam.home / "data" / "jotsam").glob("hooks.log")
    assert "cannot reach the server" in log.read_text()
