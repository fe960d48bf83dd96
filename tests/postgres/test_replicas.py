"""Reads on a real hot standby, which lags, fails, cancels queries and is promoted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest

from jotsam import Jotsam, TenantMoved
from jotsam.admin.doctor import examine
from jotsam.admin.move_tenant import move_tenant
from jotsam.core.errors import ReplicaUnavailable
from jotsam.core.settings import Settings
from jotsam.memory.automem import recall as automem
from jotsam.retrieval.search.failures import Failures
from jotsam.storage.database import read_snapshot
from jotsam.storage.postgres import postgres_replicas
from processes import WAIT_MS, until
from servers import Server
from standbys import Standby


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def standbys() -> Iterator[list[Standby]]:
    made: list[Standby] = []
    yield made
    for standby in made:
        standby.stop()


@pytest.fixture
def standby(server: Server, standbys: list[Standby]) -> Standby:
    """One for all tests, until a test promotes it."""
    if not standbys or standbys[-1].execute("select pg_is_in_recovery()") == [(False,)]:
        standbys.append(Standby(server))
    return standbys[-1]


@pytest.fixture(autouse=True)
def asks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of the primary and of a failed replica is never too new to ask again."""
    monkeypatch.setattr(postgres_replicas, "ASK_MS", 0)
    monkeypatch.setattr(postgres_replicas, "AWAY_MS", 0)


@pytest.fixture
def with_replica(url: str, server: Server, standby: Standby) -> Iterator[str]:
    """The address of a new database with the standby as its replica, which has replayed the migrations."""
    Jotsam(settings=Settings(db=url)).close()
    catch_up(server, standby)
    yield f"{url}&read={quote(str(standby.folder), safe='')}"
    if standby.execute("select pg_is_in_recovery()") == [(True,)]:
        standby.execute("select pg_wal_replay_resume()")


@pytest.fixture
def opened(with_replica: str) -> Iterator[Callable[..., Jotsam]]:
    jots: list[Jotsam] = []

    def open_it(**settings: object) -> Jotsam:
        jots.append(Jotsam(settings=Settings(db=with_replica, lock_timeout_ms=WAIT_MS, **settings)))
        return jots[-1]

    yield open_it
    for jot in jots:
        jot.close()


def catch_up(server: Server, standby: Standby) -> None:
    server.execute("select pg_logical_emit_message(true, '', '')")  # Its commit flushes what vacuum wrote.
    ((position,),) = server.execute("select pg_current_wal_flush_lsn()")
    until(lambda: standby.execute(f"select pg_last_wal_replay_lsn() >= '{position}'") == [(True,)])


def is_standby(jot: Jotsam, max_lag_ms: int = 3_600_000) -> bool:
    """Whether a standby answers a read."""
    (row,) = read_snapshot(
        jot.database,
        lambda tx: tx.execute("select pg_is_in_recovery() as it_is, txid_current_snapshot()"),
        tenant=jot.settings.tenant,
        max_lag_ms=max_lag_ms,
    )
    return bool(row["it_is"])


def lag(jot: Jotsam, question: str = "Bonn") -> int | None:
    return jot.recall(question).coverage.replica_lag_ms


def texts(jot: Jotsam) -> list[str]:
    return [memory.text for memory in jot.list().memories]


def test_reads_that_may_be_old_come_from_the_replica_and_say_so(opened, server, standby):
    jot = opened()
    jot.remember("Ana moved to Bonn.")
    catch_up(server, standby)
    until(lambda: lag(jot) == 0)
    answer = jot.recall("Bonn")
    assert [hit.text for hit in answer.hits] == ["Ana moved to Bonn."]
    assert answer.coverage.replica_lag_ms == 0
    assert answer.text.endswith("; answered by a replica, 0.0 s behind)")
    assert jot.brief().replica_lag_ms == 0
    assert jot.list().replica_lag_ms == 0
    assert is_standby(jot)
    found = automem.search(jot, automem.RecallRequest(query="Bonn"))
    assert found.coverage.replica_lag_ms == 0
    assert jot.get(answer.hits[0].id).text == "Ana moved to Bonn."  # on the primary, like everything else
    assert jot.database.applied == ()


def test_whoever_wrote_reads_its_own_writes_and_so_does_a_new_process(opened, server, standby):
    writer, other, reader = opened(), opened(tenant="other"), opened()
    writer.remember("The first.")
    catch_up(server, standby)
    until(lambda: (lag(writer), lag(other), lag(reader)) == (0, 0, 0))
    standby.execute("select pg_wal_replay_pause()")
    until(lambda: standby.execute("select pg_get_wal_replay_pause_state()") == [("paused",)])
    writer.remember("The second.")
    assert texts(writer) == ["The second.", "The first."]
    assert lag(writer) is None
    assert "replica" not in writer.recall("second").text  # Nothing is wrong: it is only too early.
    assert texts(opened()) == ["The second.", "The first."]
    assert texts(reader) == ["The first."]
    assert lag(reader) > 0
    scoped = writer.scoped(tenant="other")
    assert scoped.list().replica_lag_ms is not None
    standby.execute("select pg_wal_replay_resume()")
    until(lambda: lag(writer) == 0)
    assert texts(writer) == ["The second.", "The first."]


def test_a_transaction_that_writes_nothing_and_one_that_failed_are_not_waited_for(opened, server, standby):
    jot, other = opened(), opened()
    until(lambda: lag(jot) == 0)
    standby.execute("select pg_wal_replay_pause()")
    other.remember("Somebody else's.")
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("select 1")
    with pytest.raises(ZeroDivisionError), jot.database.transaction(tenant="default") as tx:
        tx.execute("delete from memory")
        raise ZeroDivisionError
    assert texts(jot) == []
    assert lag(jot) is not None


def test_an_idle_primary_is_not_lag(opened, server, standby):
    jot = opened()
    jot.remember("Long ago.")
    catch_up(server, standby)
    ((age,),) = standby.execute("select clock_timestamp() - pg_last_xact_replay_timestamp() > interval '0'")
    assert age
    until(lambda: lag(jot) == 0)


def test_a_replica_that_is_too_far_behind_answers_nothing_and_the_footer_says_so(opened, server, standby):
    jot, other = opened(max_replica_lag_ms=0), opened()
    until(lambda: lag(jot) == 0)
    standby.execute("select pg_wal_replay_pause()")
    other.remember("Ana moved to Bonn.")
    answer = jot.recall("Bonn")
    assert [hit.text for hit in answer.hits] == ["Ana moved to Bonn."]
    assert answer.coverage.replica_lag_ms is None
    assert answer.coverage.replica_problem.endswith("s behind")
    assert f"answered by the primary, not by the replica {standby.folder}: " in answer.text
    (state,) = jot.status().replicas
    assert (state.name, state.lag_ms is not None and state.lag_ms > 0) == (str(standby.folder), True)
    (check,) = [one for one in examine(jot.settings) if one.name == "replica"]
    assert check.level == "warn", check
    assert "max_replica_lag_ms (now 0)" in check.repair


def test_a_query_that_recovery_cancels_is_answered_by_the_primary(opened, server, standby, url):
    jot, schema = opened(), url.rpartition("schema=")[2]
    jot.remember("Ana moved to Bonn.")
    jot.remember("Ben moved to Rome.")
    catch_up(server, standby)
    hosts: list[bool] = []

    def count_memories(tx):
        hosts.append(tx.execute("select pg_is_in_recovery() as it_is")[0]["it_is"])
        if hosts == [True]:
            server.execute(f"delete from {schema}.memory where body like 'Ben%'")
            server.execute(f"vacuum {schema}.memory")
            catch_up(server, standby)
        return tx.replica, tx.execute("select count(*) as n from memory")[0]["n"]

    state, found = read_snapshot(jot.database, count_memories, tenant="default", max_lag_ms=3_600_000)
    assert hosts == [True, False]
    assert found == 1
    assert "conflict with recovery" in state.problem
    until(lambda: lag(jot) == 0)


def test_row_level_security_holds_on_the_replica(opened, server, standby):
    jot = opened(tenant="ana")
    jot.remember("Only for Ana.")
    catch_up(server, standby)

    def each(tx):
        seen = tx.execute("select count(*) as n from memory")[0]["n"]
        tx.set_tenant("ben")
        return seen, tx.execute("select count(*) as n from memory")[0]["n"], tx.replica

    until(lambda: lag(jot) == 0)
    for tenant, expected in (("ana", (1, 0)), ("ben", (0, 0)), ("", (0, 0))):
        *seen, replica = read_snapshot(jot.database, each, tenant=tenant, max_lag_ms=3_600_000)
        assert (tenant, tuple(seen), replica.lag_ms) == (tenant, expected, 0)


def test_a_replica_says_that_a_tenant_has_moved_once_it_has_replayed_that(opened, server, standby, url):
    ana, other = opened(tenant="ana"), opened()
    ana.remember("Only for Ana.")
    catch_up(server, standby)
    until(lambda: (lag(ana), lag(other)) == (0, 0))
    standby.execute("select pg_wal_replay_pause()")
    until(lambda: standby.execute("select pg_get_wal_replay_pause_state()") == [("paused",)])
    move_tenant(Settings(db=url), "ana", server.url())
    assert texts(ana) == ["Only for Ana."]  # as old as the replica is
    standby.execute("select pg_wal_replay_resume()")
    catch_up(server, standby)
    for jot in (ana, opened(tenant="ana")):
        with pytest.raises(TenantMoved, match="tenant 'ana' has moved to"):
            jot.recall("Ana")
    until(lambda: lag(other) == 0)


def test_a_replica_that_was_killed_is_replaced_by_the_primary_until_it_is_back(opened, server, standby):
    jot = opened()
    jot.remember("Ana moved to Bonn.")
    catch_up(server, standby)
    until(lambda: lag(jot) == 0)
    standby.kill()
    answer = jot.recall("Bonn")
    assert len(answer.hits) == 1
    assert answer.coverage.replica_problem
    (state,) = jot.status().replicas
    assert state.lag_ms is None
    (check,) = [one for one in examine(jot.settings) if one.name == "replica"]
    assert "the primary answers instead" in check.text

    def is_started() -> bool:
        try:
            standby.start()
        except AssertionError:  # Its children still hold the shared memory.
            return False
        return True

    until(is_started)
    until(lambda: lag(jot) == 0)


def test_a_replica_that_failed_is_left_alone_for_a_while(opened, server, standby, monkeypatch):
    jot = opened()
    until(lambda: lag(jot) == 0)
    monkeypatch.setattr(postgres_replicas, "AWAY_MS", 3_600_000)
    replica = jot.database.replicas._replicas[0]
    replica.away("for a test")
    assert jot.recall("x").coverage.replica_problem == f"{standby.folder}: for a test"


def test_an_older_schema_on_the_replica_is_no_damage(opened, server, standby, url):
    jot, schema = opened(), url.rpartition("schema=")[2]
    jot.remember("Ana moved to Bonn.")
    catch_up(server, standby)

    def needs_a_table(tx):
        if not tx.execute("select pg_is_in_recovery() as it_is")[0]["it_is"]:
            server.execute(f"create table {schema}.made_later (id int)")
            server.execute(f"grant all on {schema}.made_later to public")
        failures = Failures(tx)
        with failures.of("text"):
            return tx.execute("select * from made_later"), failures.unavailable
        raise AssertionError("the primary has the table")

    assert read_snapshot(jot.database, needs_a_table, tenant="default", max_lag_ms=3_600_000) == ([], ())


def test_another_server_and_a_primary_are_no_replicas(url, server, tmp_path):
    other = Server(copied=False)
    try:
        for place, problem in ((server, "promoted"), (other, "not a standby of this primary")):
            address = f"{url}&read={quote(str(place.folder / 'data'), safe='')}"
            with Jotsam(settings=Settings(db=address)) as jot:
                jot.remember("Ana moved to Bonn.")
                answer = jot.recall("Bonn")
                assert len(answer.hits) == 1
                assert problem in answer.coverage.replica_problem
    finally:
        other.stop()


def test_the_password_of_a_replica_is_never_shown(url, server, capsys):
    secret = "ZQ-hidden-ZQ"
    own = f"postgresql://jotsam_test:{secret}@/postgres?host={server.folder}/nowhere"
    settings = Settings(db=f"{url}&read={quote(own, safe='')},nowhere.invalid:5433")
    with Jotsam(settings=settings) as jot, pytest.raises(ReplicaUnavailable) as refused:
        shown = [repr(settings), repr(jot), jot.recall("x").text, str(jot.status())]
        shown += [str(one) for one in examine(settings)]
        with jot.database.replica(tenant="default", max_lag_ms=0):
            pass
    assert "nowhere.invalid:5433" in shown[0]
    assert secret not in f"{shown} {refused.value}"
    assert "ZQ" not in f"{shown} {refused.value}"


def test_a_fork_has_connections_of_its_own(opened, server, standby):
    jot = opened()
    jot.remember("Ana moved to Bonn.")
    catch_up(server, standby)
    until(lambda: lag(jot) == 0)
    ended = os.fork()
    if not ended:
        try:
            code = 0 if is_standby(jot) and len(jot.recall("Bonn").hits) == 1 else 1
        finally:
            os._exit(code)
    assert os.waitpid(ended, 0)[1] == 0
    until(lambda: lag(jot) == 0)


def test_a_promoted_standby_answers_nothing_any_more(opened, server, standby):
    """The last test, because the next one needs another standby."""
    jot = opened()
    jot.remember("Ana moved to Bonn.")
    catch_up(server, standby)
    until(lambda: lag(jot) == 0)
    standby.promote()
    answer = jot.recall("Bonn")
    assert len(answer.hits) == 1
    assert "promoted" in answer.coverage.replica_problem
