"""The check says which queries and public operations none of its tests executes on PostgreSQL."""

from __future__ import annotations

import jotsam
import split
from jotsam.storage.statements import queries


def test_what_no_test_executes_is_named_with_a_test_that_could() -> None:
    on_postgres, on_sqlite = {"memories.get": "test_a"}, {"memories.get": "test_b", "facts.valid_at": "test_c[sqlite]"}
    wanted = ["memories.get", "facts.valid_at", "Jotsam.brief"]
    first, second = split.left_out(wanted, on_postgres, on_sqlite)
    assert first.startswith("Jotsam.brief is not executed on PostgreSQL by any test of the check")
    assert first.endswith("no test executes it")
    assert second.endswith("mark one that does, with needs_server: test_c[sqlite]")
    assert split.left_out(["memories.get", *split.NOT_YET], on_postgres, on_sqlite) == []
    late = split.no_longer_left_out({"themes.of_memory": "test_a", "memories.get": "test_b"})
    assert late == ["themes.of_memory is executed on PostgreSQL: remove it from NOT_YET"]


def test_each_query_that_a_server_can_execute_and_each_operation_is_wanted() -> None:
    named = split.named_queries()
    assert {f"queue.{name}" for name in queries("postgres", "queue")} <= named
    assert {"tenant_moves.find", "memories.get", "roles.role"} <= named
    assert not any(name.startswith(("fragments.", "worker_lease.", "text_index.")) for name in named)
    assert named | split.operations() >= split.NOT_YET
    assert {"Jotsam.recall", "Admin.retry_many", "Blocks.set", "Queue.send", "Processor.start"} <= split.operations()


def test_what_a_test_executes_is_recorded_by_database(jot: jotsam.Jotsam, pytestconfig) -> None:
    (recorder,) = [one for one in pytestconfig.pluginmanager.get_plugins() if isinstance(one, split.Recorder)]
    jot.remember("Ana moved to Bonn.")
    assert ("sqlite", "queue.send") in recorder._queries
    assert "Jotsam.remember" in recorder._operations
    assert {dialect for dialect, _ in recorder._queries} == {"sqlite"}
