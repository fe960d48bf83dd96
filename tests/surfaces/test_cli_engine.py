"""What `jotsam db engine` and `jotsam doctor` print about a real FalkorDB, from `add` to `remove`."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from conftest import Shell
from falkordb_server import FalkorDBServer


@pytest.fixture
def falkordb() -> Iterator[FalkorDBServer]:
    server = FalkorDBServer()
    yield server
    server.stop()


def test_each_command_prints_what_the_engine_holds_and_what_to_do_next(jotsam: Shell, falkordb: FalkorDBServer) -> None:
    address = falkordb.address
    head = f"falkordb  {address}, version FalkorDB 4.16.3\n"

    def doctor() -> str:
        """Its test of memory changes the graph, so it is asked after the others."""
        checks = json.loads(jotsam("doctor", "--json").stdout)["checks"]
        return next(str(each["text"]) for each in checks if each["name"] == "engine")

    assert jotsam("engine").stdout == "no engine: `jotsam db engine add ADDRESS` adds one\n"
    jotsam("remember", "Ada chose PostgreSQL.")
    jotsam("work")
    added = jotsam("engine", "add", address)
    assert added.stdout == f"{head}  holds    0 of 1 memory\n  pending  1 memory\n"
    assert "`jotsam jobs wait` waits for them" in added.stderr
    jotsam("work")
    assert jotsam("engine").stdout == f"{head}  holds    1 of 1 memory\n"

    falkordb.graph("jotsam:default").delete()
    lost = "1 memory, no job writes them: `jotsam db engine compare --repair` does"
    assert jotsam("engine").stdout == f"{head}  holds    0 of 1 memory\n  lacks    {lost}\n"
    compared = jotsam("engine", "compare")
    row = " ".join(compared.stdout.split("\n")[1].split())
    assert (compared.returncode, row) == (3, "falkordb default 1 0 1 0 0 0")
    assert "falkordb: 1 memory will be repaired in the background" in jotsam("engine", "compare", "--repair").stdout
    jotsam("work")
    assert " ".join(jotsam("engine", "compare").stdout.split("\n")[1].split()) == "falkordb default 1 1 0 0 0 0"
    falkordb.graph("jotsam:default").delete()
    assert doctor() == f"falkordb: {address}, version FalkorDB 4.16.3, 0 of 1 memories; no job writes the others"

    falkordb.kill()
    away = jotsam("engine")
    problem = f"FalkorDB at {address} cannot be reached"
    assert (away.returncode, f"  problem  {problem}" in away.stdout, "holds" in away.stdout) == (3, True, False)
    assert problem in doctor()
    assert "remove falkordb` without --purge" in jotsam("engine", "remove", "falkordb", "--purge").stderr
    removed = jotsam("engine", "remove", "falkordb")
    assert removed.stdout == f"removed falkordb, {address}\n"
    assert jotsam("engine", "--json").stdout == '{"schema":1,"engines":[]}\n'
