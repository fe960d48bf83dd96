"""What is wrong with a FalkorDB is said with its address and the way out, and ends when it is no longer wrong."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from falkordb_server import FalkorDBServer
from jotsam.core.errors import BuryJob, InvalidInput, ProviderUnavailable, Refused
from jotsam.core.settings import Settings
from jotsam.engines.addresses import ca_file, open_engine
from jotsam.engines.falkordb import FalkorDBEngine
from jotsam.engines.falkordb_connection import parse_address
from jotsam.ingest.memory_formats.falkordb_graph import read_items
from mirrored import a_memory
from processes import until
from tls_front import TlsFront

NewServer = Callable[..., FalkorDBServer]
SECRET = "p@ss:word/#?"


def said_by(engine: FalkorDBEngine) -> str:
    """What is raised by each call alike."""
    calls = (
        engine.prepare,
        engine.tenants,
        lambda: engine.count("t"),
        lambda: engine.delete("t", ["a"]),
        lambda: engine.read_memories("t", ["a"]),
        lambda: engine.digests("t", after="", limit=1),
        lambda: engine.forget_tenant("t"),
        lambda: engine.upsert("t", [a_memory("a")], version=1),
    )
    said = set()
    for call in calls:
        with pytest.raises(ProviderUnavailable) as caught:
            call()
        said.add(str(caught.value))
    assert len(said) == 1, said
    return said.pop()


def test_a_server_that_is_killed_is_used_again_when_it_is_back(new_server: NewServer) -> None:
    for keeps in (True, False):
        server = new_server(keeps=keeps)
        engine = FalkorDBEngine(server.address)
        engine.upsert("t", [a_memory("a")], version=1)
        server.kill()
        said = said_by(engine)
        assert f"FalkorDB at {server.address} cannot be reached" in said
        assert "start it, or correct the address" in said
        server.start()
        server.wait_until_loaded()
        assert engine.read_memories("t", ["a"]) == ({"a": a_memory("a")} if keeps else {})
        engine.upsert("t", [a_memory("b")], version=2)  # with indexes, which may be gone
        assert engine.count("t") == (2 if keeps else 1)


def test_a_server_that_closed_the_connection_is_used_again_at_once(new_server: NewServer) -> None:
    server = new_server()
    engine = FalkorDBEngine(server.address)
    engine.upsert("t", [a_memory("a")], version=1)
    server.kill()
    server.start()
    assert engine.tenants() == []


def test_a_wrong_password_and_none_are_told_apart_from_the_right_one(new_server: NewServer) -> None:
    server = new_server("--requirepass", SECRET)
    for password in (None, "wrong"):
        said = said_by(FalkorDBEngine(server.address, password=password))
        assert server.address in said
        assert "password" in said
    engine = FalkorDBEngine(server.address, password=SECRET)
    assert engine.prepare().startswith("FalkorDB 4.")
    server.kill()
    assert SECRET not in said_by(engine) + repr(engine)


def test_a_user_needs_only_the_commands_of_graphs(new_server: NewServer) -> None:
    commands = ("+graph.query", "+graph.ro_query", "+graph.list", "+graph.delete", "+info", "+hello", "+client")
    few = ("--user", "few", "on", ">few", "~x", "+info")
    server = new_server("--user", "jot", "on", f">{SECRET}", "~jotsam:*", *commands, *few)
    address = server.address.replace("://", "://jot@")
    engine = FalkorDBEngine(address, password=SECRET)
    assert engine.prepare() == "FalkorDB"
    engine.upsert("t", [a_memory("a")], version=1)
    assert (engine.tenants(), engine.count("t")) == (["t"], 1)
    engine.forget_tenant("t")
    said = said_by(FalkorDBEngine(server.address.replace("://", "://few@"), password="few"))
    assert "may not run this command: grant it GRAPH.*" in said


def test_a_redis_without_the_module_is_named(new_server: NewServer) -> None:
    said = said_by(FalkorDBEngine(new_server(module=False).address))
    assert "it is a Redis without FalkorDB: load falkordb.so" in said


def test_a_server_that_loads_its_data_is_waited_for(new_server: NewServer) -> None:
    server = new_server("--rdbcompression", "no")
    keys = server.graph("x").client.connection
    keys.mset({str(number): "x" * 2_000 for number in range(1_000)})
    keys.save()
    server.kill()
    server.start("--key-load-delay", "10000", "--loading-process-events-interval-bytes", "1024")
    engine = FalkorDBEngine(server.address)
    assert "it is loading its data: wait" in said_by(engine)


def test_a_replica_refuses_to_be_written(new_server: NewServer) -> None:
    primary = new_server("--repl-diskless-sync-delay", "0")
    engine = FalkorDBEngine(primary.address)
    engine.upsert("t", [a_memory("a")], version=1)
    replica = FalkorDBEngine(new_server("--replicaof", f"127.0.0.1 {primary.port}").address)
    until(lambda: replica.tenants() == ["t"])
    for call in (
        lambda: replica.upsert("t", [a_memory("a")], version=2),
        lambda: replica.delete("t", ["a"]),
        lambda: replica.forget_tenant("t"),
    ):
        with pytest.raises(ProviderUnavailable, match="it is a read-only replica: give the address of the primary"):
            call()


def test_a_server_is_reached_by_tls_if_its_certificate_is_trusted(falkordb: FalkorDBServer, tmp_path: Path) -> None:
    front = TlsFront(tmp_path, port=falkordb.port)
    address = f"falkordbs://127.0.0.1:{front.port}"
    trusting = Settings(engine_ca_file=front.ca_file)
    engine = open_engine(address, trusting)
    engine.upsert("t", [a_memory("a")], version=1)
    assert engine.read_memories("t", ["a"]) == {"a": a_memory("a")}
    engine.forget_tenant("t")
    engine.close()
    access = {"ca_file": ca_file(address, trusting)}
    with pytest.raises(InvalidInput, match="has no graph 'memories'"):
        next(read_items(address, **access))
    with pytest.raises(ProviderUnavailable, match=r"cannot be reached: .*certificate verify failed"):
        FalkorDBEngine(address).prepare()
    with pytest.raises(ProviderUnavailable, match=r"within 2 s: look .* whether it speaks TLS"):
        FalkorDBEngine(f"falkordbs://127.0.0.1:{falkordb.port}", timeout_ms=2_000).prepare()
    front.close()


def test_a_server_that_hangs_is_given_up(new_server: NewServer) -> None:
    server = new_server()
    engine = FalkorDBEngine(server.address, timeout_ms=100)
    engine.upsert("t", [a_memory("a")], version=1)
    os.kill(server.pid, signal.SIGSTOP)
    assert "did not answer within 0.1 s" in said_by(engine)
    os.kill(server.pid, signal.SIGCONT)
    assert engine.count("t") == 1


def test_a_full_server_refuses_to_be_written(new_server: NewServer) -> None:
    server = new_server("--maxmemory", "1")
    with pytest.raises(ProviderUnavailable, match="its memory is full: raise its maxmemory"):
        FalkorDBEngine(server.address).upsert("t", [a_memory("a")], version=1)


def test_a_key_of_another_program_is_left_alone(new_server: NewServer) -> None:
    server = new_server()
    engine = FalkorDBEngine(server.address)
    server.graph("x").client.connection.set("jotsam:t", "text")
    with pytest.raises(Refused, match=r"refused a query: .*wrong kind of value"):
        engine.upsert("t", [a_memory("a")], version=1)
    assert engine.tenants() == []


def test_an_answer_that_is_no_redis_is_unavailable() -> None:
    import http.server
    import threading

    other = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    threading.Thread(target=other.handle_request, daemon=True).start()
    with pytest.raises((ProviderUnavailable, BuryJob), match=f"FalkorDB at falkordb://127.0.0.1:{other.server_port}"):
        FalkorDBEngine(f"falkordb://127.0.0.1:{other.server_port}", timeout_ms=1_000).prepare()
    other.server_close()


def test_wrong_addresses_are_refused_before_anything_is_connected() -> None:
    wrong = {
        "": "must be falkordb://HOST:PORT",
        "localhost:6379": "must be falkordb://HOST:PORT",
        "redis://localhost": "must be falkordb://HOST:PORT",
        "falkordb://": "must be a host and a port",
        "falkordb://host:0": "must be a host and a port",
        "falkordb://host:65536": "must be a host and a port",
        "falkordb://host:x": "must be a host and a port",
        f"falkordb://user:{SECRET}@host": "must not contain a password",
        "falkordb://host/graph": "names a graph",
    }
    offenders = []
    for address, message in wrong.items():
        with pytest.raises(InvalidInput) as caught:
            FalkorDBEngine(address)
        if message not in str(caught.value) or SECRET in str(caught.value):
            offenders.append((address, str(caught.value)))
    assert not offenders
    for prefix in ("", "a:b", "a b", "é"):
        with pytest.raises(InvalidInput, match="invalid prefix"):
            FalkorDBEngine("falkordb://host", prefix=prefix)


def test_an_address_has_a_user_a_port_and_a_graph() -> None:
    found = parse_address("falkordbs://me@[::1]:7000/my graph")
    assert (found.host, found.port, found.tls, found.username, found.graph) == ("::1", 7000, True, "me", "my graph")
    assert found.shown() == "falkordbs://[::1]:7000"
    assert parse_address("falkordb://host").port == 6379
