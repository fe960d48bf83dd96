"""A tenant that moves: all tables with rows of a tenant, and those added later; and the engines of both servers."""

from __future__ import annotations

import threading

import pytest
from tenant_rows import rows_of_tenant, without_tenant

from engine_in_memory import EngineInMemory
from jotsam import Jotsam, ProviderUnavailable
from jotsam.admin.maintain import maintain
from jotsam.admin.move_tenant import move_tenant
from jotsam.engines import falkordb
from jotsam.memory.events.event_hub import EventHub
from jotsam.storage import events
from jotsam.storage.engines import mirror
from jotsam.storage.tables import TABLES
from jotsam.worker.mirror import SETTLE_MS
from processes import PATIENCE, until

OTHER = "bo's"
SHARED = {
    *("daily_spend", "embedder", "engine", "jotsam_migration", "model_use", "queue_clock", "queue_control"),
    *("queue_worker", "recording"),
}
"""Tables without a tenant."""
HERE = {*(name for name, table in TABLES.items() if table.is_local), "queue_tenant"}
"""What is about one server is not moved, and made again on the other."""
UNFILLED = {"held_job", "tenant_move"}
"""Only a move has rows in them."""
STAYING = {"api_token", "tenant_move"}
"""The source keeps them, to answer those who still ask it."""
MORE = (
    "insert into event_pruned (tenant, xact, id) values (:tenant, 1, 1)",
    "insert into queue_key (queue, tenant, key, job_id, expires_at) values ('enrich', :tenant, 'k', 1, :now + 60000)",
    "insert into queue_tenant (queue, tenant, place) values ('enrich', :tenant, 1)",
    "insert into queue_result (job_id, json, expires_at) select min(job_id), '{}', :now + 60000 from queue_attempt"
    " where tenant = :tenant",
    "insert into queue_payload (job_id, progress) select min(id), 0.5 from queue_job where tenant = :tenant",
)
"""What no call of a tenant with memories writes, or not at this time."""
ADDRESSES = ("falkordb://127.0.0.1:1", "falkordb://127.0.0.1:2")


def work(jot, clock):
    """Until nothing waits for an engine: it is filled when no transaction is left, of other test processes either, that
    began before it was added.
    """

    def is_done():
        jot.work()
        waits = any(one.pending for one in jot.admin.engines())
        clock.tick(SETTLE_MS if waits else 0)
        return not waits

    until(is_done)


@pytest.fixture
def ends():
    return "postgres", "postgres"


@pytest.fixture
def engines(monkeypatch):
    """One for each address."""
    made = {address: EngineInMemory() for address in ADDRESSES}
    monkeypatch.setattr(falkordb, "FalkorDBEngine", lambda address, *, password, ca_file: made[address])
    return [*made.values()]


@pytest.fixture
def servers(source, occupied, engines, clock):
    """Two servers with another tenant and an engine each; at the first is one with rows in every table."""
    places = source.replace(tenant="ana"), source.replace(tenant="ana", db=occupied)
    for settings, address in zip(places, ADDRESSES, strict=True):
        with Jotsam(settings=settings.replace(tenant=OTHER), clock=clock) as jot:
            jot.admin.add_engine(address)
            work(jot, clock)
    with Jotsam(settings=places[0], clock=clock) as jot:
        with jot.database.transaction(tenant="ana") as tx:
            events.keep_recording(tx, until=tx.now + 60_000)
            for sql in MORE:
                tx.execute(sql)
        work(jot, clock)
        jot.remember("This waits, and no engine knows it.")
    return places


def memories(settings, clock):
    with Jotsam(settings=settings, clock=clock) as jot, jot.database.snapshot(tenant="ana") as tx:
        return mirror.read_memories(tx, mirror.uuids(tx))


def test_no_table_is_forgotten_and_nothing_is_doubled_when_it_comes_back(servers, clock):
    here, there = servers
    before, jobs = rows_of_tenant(here.db, "ana")
    assert without_tenant(here.db) == SHARED
    assert {name for name, rows in before.items() if not rows} == UNFILLED
    for settings, to in ((here, there), (there, here)):
        move_tenant(settings, "ana", to.db)
        left, _ = rows_of_tenant(settings.db, "ana", jobs=jobs)
        after, jobs = rows_of_tenant(to.db, "ana")
        assert {name for name, rows in left.items() if rows} == STAYING
        assert {name for name in before if after[name] != before[name]} == {*HERE}
        assert {name for name in HERE if after[name]} == {"mirror_progress"}


@pytest.mark.parametrize("moves", [1, pytest.param(3, marks=pytest.mark.long)])
def test_the_engines_of_both_servers_follow(moves, servers, engines, clock):
    of_others = [dict(engine.memories(OTHER)) for engine in engines]
    assert all(of_others)
    for n in (0, 1, 0)[:moves]:
        move_tenant(servers[n], "ana", servers[1 - n].db)
        assert engines[n].memories("ana") == {}
        with Jotsam(settings=servers[1 - n], clock=clock) as jot:
            jot.remember(f"Stored after move {n}.")
            work(jot, clock)
        assert len(engines[1 - n].memories("ana")) > 10
        assert engines[1 - n].memories("ana") == memories(servers[1 - n], clock)
        assert [engine.memories(OTHER) for engine in engines] == of_others


def test_what_concerns_all_tenants_works_on_a_server_that_one_has_left(servers, engines, clock):
    engines[0].is_away = True
    with pytest.raises(ProviderUnavailable, match=r"'ana' is live on .* run the same command again when"):
        move_tenant(servers[0], "ana", servers[1].db)
    engines[0].is_away = False
    left = len(engines[0].memories("ana"))
    assert left > 0
    with Jotsam(settings=servers[0].replace(tenant=OTHER), clock=clock) as jot:
        assert [step.name for step in maintain(servers[0])]
        (compared,) = jot.admin.compare_engines(repair=True)
        assert {one.tenant: one.left_over for one in compared.tenants} == {"ana": left, OTHER: 0}
        assert engines[0].memories("ana") == {}
        jot.admin.rebuild_engines()
        work(jot, clock)
        (status,) = jot.admin.engines()
        assert (status.problem, status.pending) == (None, 0)
        assert move_tenant(servers[0], "ana", servers[1].db).state == "already"
        jot.admin.remove_engine("falkordb", purge=True)
        assert engines[0].tenants() == []


def test_a_worker_that_writes_to_an_engine_too_late_deletes_it_again(servers, engines, clock):
    def move_meanwhile():
        engines[0].before_upsert = lambda: None
        move_tenant(servers[0], "ana", servers[1].db)

    with Jotsam(settings=servers[0], clock=clock) as jot:
        engines[0].before_upsert = move_meanwhile
        work(jot, clock)
    assert engines[0].tenants() == [OTHER]


@pytest.mark.long
def test_a_move_that_is_undone_leaves_the_engines_as_they_were(servers, engines, clock):
    with Jotsam(settings=servers[0], clock=clock) as jot:
        work(jot, clock)

    def tell(what, done, total):
        if what == "comparing memory":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move_tenant(servers[0], "ana", servers[1].db, tell=tell)
    engines[0].held["ana"].clear()
    assert move_tenant(servers[0], "ana", servers[1].db, undo=True).state == "undone"
    for settings in servers:
        with Jotsam(settings=settings.replace(tenant=OTHER), clock=clock) as jot:
            work(jot, clock)
    assert engines[0].memories("ana") == memories(servers[0], clock)
    assert engines[1].tenants() == [OTHER]
    assert not any(rows_of_tenant(servers[1].db, "ana")[0].values())


def test_readers_of_events_end_and_do_not_delay_those_of_other_tenants(servers, clock):
    with Jotsam(settings=servers[0], clock=clock) as jot:
        hub, woken = EventHub(lambda call: call(jot.database), stopping=threading.Event()), threading.Event()
        hub.start()
        moved = hub.subscribe("ana", job=None, wake=lambda: None)
        stays = hub.subscribe(OTHER, job=None, wake=woken.set)
        move_tenant(servers[0], "ana", servers[1].db)
        hub.recalled("ana", hits=1)
        hub.recalled(OTHER, hits=1)
        assert woken.wait(PATIENCE)
        until(lambda: moved.is_closed)
        assert not stays.is_closed
        hub.close()


@pytest.mark.long
def test_counts_of_recalls_of_other_tenants_are_kept(servers, clock):
    def recalled():
        return rows_of_tenant(servers[0].db, OTHER)[0]["recall_count"]

    before = recalled()
    with Jotsam(settings=servers[0], clock=clock) as jot:
        assert jot.recall("launch").hits
        assert jot.scoped(tenant=OTHER).recall("launch").hits
        move_tenant(servers[0], "ana", servers[1].db)
    assert recalled() != before
