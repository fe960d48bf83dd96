"""Hooks and `add` when the database is a server that cannot be reached: no turn is lost, and nothing is half there."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes import until
from proxies import Proxy

SAID = {"session_id": "session-1", "last_assistant_message": "The launch is on Friday."}


@pytest.fixture
def line(server):
    """Leads to the server, until it is told to misbehave."""
    proxy = Proxy(server.folder / "data" / ".s.PGSQL.5432")
    yield proxy
    proxy.close()


@pytest.fixture
def far(jotsam, server, line):
    """The shell of somebody whose database is a server behind that line; what it keeps is installed already."""
    schema = server.url().rpartition("schema=")[2]
    address = f"postgresql://jotsam_test:secret@127.0.0.1:{line.port}/postgres"
    jotsam.env["JOTSAM_DB"] = f"{address}?sslmode=disable&gssencmode=disable&schema={schema}"
    jotsam.env["JOTSAM_HOOK_LOCK_TIMEOUT_MS"] = "5000"
    assert jotsam("migrate").returncode == 0
    return jotsam


@pytest.fixture
def nowhere() -> Iterator[str]:
    """An address at which nobody listens, and nobody else can: its port is ours."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        yield f"postgresql://ana:secret@127.0.0.1:{door.getsockname()[1]}/app"


def spooled(shell) -> list[Path]:
    return sorted((shell.home / "data" / "jotsam").glob("server-*.spool/*"))


def said(shell, **options) -> None:
    """Fire a hook; whatever happens, it is silent and ends with 0."""
    done = shell.hook("Stop", **{**SAID, **options})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def brings_all(shell, **options) -> None:
    """Fire a hook that brings all that waits. On a busy machine its time may be over before it has begun, so that it
    takes another; the same turn twice is one.
    """
    said(shell, **options)
    until(lambda: not spooled(shell) or said(shell, **options))


def test_a_turn_goes_to_the_server_at_once(far):
    brings_all(far)
    assert "Friday" in far("recall", "launch").stdout


def test_a_turn_waits_here_until_a_command_reaches_the_server(far, line):
    line.freeze()
    said(far, env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    (waiting,) = spooled(far)
    assert "secret" not in waiting.read_text()
    assert waiting.stat().st_mode & 0o077 == 0
    line.heal()
    answer = far.json("recall", "launch")
    assert [hit["text"] for hit in answer["hits"]] == ["The launch is on Friday."]
    assert spooled(far) == []


def test_status_counts_what_waits_and_doctor_takes_it_in(far, line):
    line.freeze()
    said(far, env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    line.heal()
    assert far.json("status")["status"]["spooled"] == 1
    assert "ok    spool        empty" in far("doctor").stdout
    assert far.json("status")["status"]["memories"] == 1


def test_a_worker_takes_turns_in(far, line):
    line.freeze()
    said(far, env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    line.heal()
    assert far("work").stdout == "completed 1 job\n"
    assert far.json("status")["status"]["enriched"] == 1


def test_the_next_hook_brings_all_that_waited_in_order_and_each_once(far, line):
    line.freeze()
    for number in (1, 2, 1, 3):
        said(far, last_assistant_message=f"Turn number {number}.", env={"JOTSAM_HOOK_LOCK_TIMEOUT_MS": "50"})
    line.heal()
    brings_all(far, last_assistant_message="Turn number 4.")
    hits = far.json("recall", "--limit", "10")["hits"]
    assert [hit["text"][-2] for hit in hits] == ["4", "3", "2", "1"]


def test_a_turn_survives_a_server_that_crashes(far, server):
    server.crash()
    try:
        said(far)
        assert len(spooled(far)) == 1
    finally:
        server.restart()  # Other tests need it too.
    said(far, last_assistant_message="The party is on Saturday.")
    assert "Friday" in far("recall", "launch").stdout
    assert spooled(far) == []


def test_a_hook_whose_server_was_never_there_keeps_its_turn(jotsam, nowhere):
    said(jotsam, env={"JOTSAM_DB": nowhere})
    assert len(spooled(jotsam)) == 1


def test_a_hook_that_nobody_installed_a_schema_for_keeps_its_turn(far, server):
    """It never migrates: that may take long."""
    far.env["JOTSAM_DB"] = server.url()
    said(far)
    assert len(spooled(far)) == 1
    assert far("migrate").returncode == 0
    assert "Friday" in far("recall", "launch").stdout


def test_add_says_that_the_server_is_out_of_reach(jotsam, nowhere):
    done = jotsam("add", jotsam.file("notes.md"), JOTSAM_DB=nowhere)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the server cannot be reached; try again" in done.stderr
    assert "secret" not in done.stderr


def test_add_that_was_cut_off_writes_nothing(far, line):
    line.lose_reply_to(b"insert into document")
    done = far("add", far.file("notes.md"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "try again" in done.stderr
    line.heal()
    now = far.json("status")["status"]
    assert (now["documents"], now["depth"]["pending"]) == (0, 0)


def test_add_whose_commit_was_not_answered_says_so_and_trying_again_makes_no_second(far, line):
    line.lose_reply_to(b"commit\0")
    done = far("add", far.file("notes.md"), "--key", "k")
    assert done.returncode == 1
    assert "it is not known whether this was kept; try again with the same key" in done.stderr
    line.heal()
    assert far("add", far.file("notes.md"), "--key", "k").stdout.startswith("duplicate")
    assert far.json("status")["status"]["documents"] == 1


def test_what_goes_wrong_with_a_command_in_a_hook_is_written_down(jotsam, nowhere):
    done = jotsam("add", jotsam.file("notes.md"), JOTSAM_DB=nowhere, JOTSAM_ASYNC="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (log,) = (jotsam.home / "data" / "jotsam").glob("server-*.log")
    assert "the server cannot be reached" in log.read_text()
