"""Engines hold what SQL holds: every kind of change reaches them, and nothing that was forgotten stays there.

The engine is one in memory, because it must be away, refuse something or be slow at a certain moment. With real engines
the same is in tests/engines.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine_in_memory import EngineInMemory, engine_in_memory
from jotsam import InvalidInput, Jotsam, NotFound, ProviderUnavailable
from jotsam.core.mirror_records import MirroredMemory
from jotsam.core.names import ENGINES, MIRROR_QUEUES
from jotsam.core.settings import Settings
from jotsam.memory.tenant_visits import tenants_here
from jotsam.storage import queue
from jotsam.storage.engines import engines, mirror
from jotsam.worker.mirror import LEASE_MS, Mirror, job_spec

ADDRESS = "falkordb://127.0.0.1:6379"
QUEUE = MIRROR_QUEUES[0]


@pytest.fixture
def engine() -> Iterator[EngineInMemory]:
    with engine_in_memory() as engine:
        yield engine


def stored(jot: Jotsam) -> dict[str, MirroredMemory]:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return mirror.read_memories(tx, mirror.uuids(tx))


def forget(jot: Jotsam, *ids: str, trash: bool = False) -> None:
    jot.forget(jot.plan_forget(ids=ids), trash=trash)


def test_what_was_stored_before_an_engine_is_added_is_written_to_it(jot: Jotsam, engine: EngineInMemory) -> None:
    jot.remember("Ada chose PostgreSQL for the ledger.", tags=["db"], metadata={"a": 1})
    jot.add("# Plan\n\nGrace Hopper reviews the compiler on Monday.\n\n# Risk\n\nThe deadline is close.")
    jot.work()
    added = jot.admin.add_engine(ADDRESS)
    assert (added.held, added.pending) == (0, 3)
    jot.work()
    assert engine.memories() == stored(jot)
    (status,) = jot.admin.engines()
    assert (status.memories, status.held, status.pending, status.problem) == (3, 3, 0, None)


def test_a_tenant_that_was_imported_and_has_sent_no_job_is_known(
    open_jot: Callable[..., Jotsam], engine: EngineInMemory, tmp_path: Path
) -> None:
    ana, bob = open_jot(tenant="ana"), open_jot(tenant="bob")
    ana.remember("Ada chose PostgreSQL for the ledger.")
    ana.work()
    ana.export(tmp_path / "ana.jsonl")
    ana.admin.forget_tenant()
    assert bob.import_memories(tmp_path / "ana.jsonl").added["memory"] == 1
    assert bob.admin.jobs() == []
    with bob.database.snapshot() as tx:
        assert tenants_here(tx) == ["bob"]
    assert bob.admin.add_engine(ADDRESS).pending == 1
    bob.work()
    assert engine.memories("bob") == stored(bob)
    bob.admin.forget_tenant()
    with bob.database.snapshot() as tx:
        assert tenants_here(tx) == []


def test_more_than_a_batch_is_written_by_several_jobs(
    jot: Jotsam, engine: EngineInMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        jot.remember(f"Note {number} of the ledger.")
    jot.work()
    jot.admin.add_engine(ADDRESS)
    monkeypatch.setattr("jotsam.worker.mirror.BATCH", 4)
    monkeypatch.setattr("jotsam.worker.mirror.SWEEP", 4)
    for number in range(3):
        jot.remember(f"Later {number}.")
    jot.work()
    assert engine.memories() == stored(jot)
    assert len(engine.memories()) == 12


def test_each_change_reaches_the_engine(open_jot: Callable[..., Jotsam], engine: EngineInMemory) -> None:
    jot = open_jot(embed_model="hashing")
    jot.admin.add_engine(ADDRESS)
    first = jot.remember("Ada Lovelace chose PostgreSQL for the ledger with Bob Smith.", tags=["db"]).id
    second = jot.remember("Ada chose SQLite for the ledger.", tags=["db"]).id
    wrong = []

    def check(what: str, shows: Callable[[dict[str, MirroredMemory]], bool]) -> None:
        jot.work()
        held = engine.memories()
        if held != stored(jot) or not shows(held):
            wrong.append(what)

    check("added", lambda held: len(held) == 2 and held[first].vector is not None and len(held[first].entities) > 1)
    jot.update(first, text="Ada Lovelace chose MariaDB with Bob Smith.", importance=0.9)
    check("updated", lambda held: held[first].content.startswith("Ada Lovelace chose MariaDB"))
    jot.update(first, tags=["one", "two"])
    check("tagged", lambda held: {"one", "two"} <= {*held[first].tags})
    jot.knowledge.link(first, "RELATES_TO", second)
    check("linked", lambda held: (second, "RELATES_TO") in {(link.target, link.type) for link in held[first].links})
    jot.knowledge.merge("people:bob-smith", into="people:ada-lovelace")
    check("merged", lambda held: [entity.slug for entity in held[first].entities].count("bob-smith") == 0)
    jot.knowledge.split("people:bob-smith")
    check("split", lambda held: "bob-smith" in {entity.slug for entity in held[first].entities})
    jot.supersede(first, second)
    check("superseded", lambda held: held[first].superseded_by == second)
    forget(jot, second, trash=True)
    check("forgotten to the trash", lambda held: [*held] == [first] and held[first].superseded_by is None)
    (batch,) = jot.admin.trash()
    jot.admin.restore_forgotten(batch.id)
    check("restored", lambda held: len(held) == 2)
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("update memory set summary = 'by hand' where uuid = :id and tenant = :tenant", {"id": first})
    check("changed by another program", lambda held: held[first].summary == "by hand")
    forget(jot, second)
    check("forgotten", lambda held: [*held] == [first])
    assert wrong == []


def test_each_table_that_is_mirrored_logs_its_changes(jot: Jotsam, engine: EngineInMemory) -> None:
    """By statements alone, so that no writer can forget it; and nothing is logged without an engine."""
    first, second = (jot.remember(f"Ada Lovelace wrote note {number}.").id for number in range(2))
    jot.work()
    statements = {
        "insert a tag": "insert into memory_tag (tenant, tag, memory_id) values (:tenant, 'x', :a)",
        "delete a tag": "delete from memory_tag where tenant = :tenant and memory_id = :a",
        "insert an entity": "insert into entity (tenant, category, slug, name) values (:tenant, 'tools', 'z', 'Z')",
        "mention it": "insert into mention (tenant, memory_id, entity_id)"
        " select :tenant, :a, id from entity where slug = 'z'",
        "rename it": "update entity set name = 'ZZ' where tenant = :tenant and slug = 'z'",
        "delete it": "delete from entity where tenant = :tenant and slug = 'z'",
        "link": "insert into link (tenant, source_id, target_id, type, weight, created_at)"
        " values (:tenant, :a, :b, 'LEADS_TO', 1, 1)",
        "weigh": "update link set weight = 0.5 where tenant = :tenant and source_id = :a and type = 'LEADS_TO'",
        "unlink": "delete from link where tenant = :tenant and source_id = :a and type = 'LEADS_TO'",
        "state a fact": "insert into fact (uuid, tenant, memory_id, subject, predicate, object, subject_key,"
        " object_key, confidence, extractor, created_at) values ('f', :tenant, :a, 's', 'p', 'o', 's', 'o', 1, 'x', 1)",
        "end it": "update fact set superseded_at = 5 where tenant = :tenant and uuid = 'f'",
        "remove it": "delete from fact where tenant = :tenant and uuid = 'f'",
        "value": "update memory set importance = 0.25 where tenant = :tenant and id = :a",
    }

    def logged(sql: str) -> set[str]:
        with jot.database.transaction(tenant="default") as tx:
            ids = mirror.existing(tx, [first, second])
            tx.execute("delete from mirror_change where tenant = :tenant")
            names = {name: id for name, id in (("a", ids[first]), ("b", ids[second])) if f":{name}" in sql}
            tx.execute(sql, {"tenant": "default", **names})
            return {row["uuid"] for row in tx.execute("select uuid from mirror_change where tenant = :tenant")}

    assert {what for what, sql in statements.items() if logged(sql)} == set()
    jot.admin.add_engine(ADDRESS)
    assert {what for what, sql in statements.items() if logged(sql) != {first}} == {"insert an entity"}
    forget(jot, second)
    with jot.database.snapshot(tenant="default") as tx:
        assert second in mirror.changed_among(tx, [first, second], engine=ENGINES[0])


def test_an_engine_that_is_away_delays_nothing_else_and_lacks_nothing_after(
    jot: Jotsam, engine: EngineInMemory, clock: Any
) -> None:
    jot.admin.add_engine(ADDRESS)
    jot.work()
    engine.is_away = True
    id = jot.remember("Ada chose PostgreSQL.").id
    jot.work()
    assert jot.recall("PostgreSQL").coverage.pending == 0
    assert jot.show(id).memory is not None
    (status,) = jot.admin.engines()
    assert (status.problem, status.held, status.pending) == ("memory:// does not reply", None, 1)
    assert status.paused is not None
    (job,) = jot.admin.jobs()
    assert (job.queue, job.failures) == (QUEUE, 0)
    engine.is_away = False
    clock.tick(3_600_000)
    jot.work()
    assert engine.memories() == stored(jot)
    assert jot.admin.engines()[0].paused is None


@pytest.mark.needs_server
def test_a_memory_that_the_engine_refuses_does_not_hold_up_the_others(jot: Jotsam, engine: EngineInMemory) -> None:
    bad = jot.remember("This one is too much for the engine.").id
    others = [jot.remember(f"Note {number}.").id for number in range(3)]
    jot.work()
    engine.refused = {bad}
    jot.admin.add_engine(ADDRESS)
    jot.work()
    assert sorted(engine.memories()) == sorted(others)
    (status,) = jot.admin.engines()
    assert bad in (status.error or "")
    (found,) = jot.admin.compare_engines()
    assert [(one.id, one.kind) for one in found.differences] == [(bad, "missing")]


def test_compare_names_what_differs_and_repair_ends_it(jot: Jotsam, engine: EngineInMemory) -> None:
    ids = [jot.remember(f"Note {number} of the ledger.").id for number in range(6)]
    jot.work()
    jot.admin.add_engine(ADDRESS)
    jot.work()
    assert all(one.is_equal for one in jot.admin.compare_engines())
    there = engine.held["default"]
    version, extra = there.pop(ids[0])
    there["ffffffff-0000-4000-8000-000000000000"] = (version, extra.replace(id="ffffffff-0000-4000-8000-000000000000"))
    there[ids[1]] = (version, there[ids[1]][1].replace(content="changed", digest="changed"))
    # The digest is right and a field is not: only a memory that is read back shows it.
    there[ids[2]] = (version, there[ids[2]][1].replace(summary="changed"))
    (found,) = jot.admin.compare_engines("falkordb")
    kinds = {(one.kind, one.id, one.fields) for one in found.differences}
    assert kinds == {
        ("missing", ids[0], ()),
        ("left over", "ffffffff-0000-4000-8000-000000000000", ()),
        ("differs", ids[1], ("digest", "content")),
        ("differs", ids[2], ("summary",)),
    }
    (repaired,) = jot.admin.compare_engines(repair=True, limit=1)
    assert (len(repaired.differences), repaired.repaired) == (1, 4)
    jot.work()
    assert jot.admin.compare_engines()[0].is_equal


@pytest.mark.needs_server
def test_what_waits_for_a_job_is_pending_and_no_difference(jot: Jotsam, engine: EngineInMemory) -> None:
    jot.admin.add_engine(ADDRESS)
    jot.remember("Ada chose PostgreSQL.")
    (found,) = jot.admin.compare_engines()
    assert (found.is_equal, found.tenants[0].pending, found.tenants[0].missing) == (True, 1, 0)
    assert (jot.admin.engines()[0].pending, found.differences) == (1, ())


def test_a_forgotten_tenant_leaves_nothing_in_the_engine_and_others_keep_theirs(
    open_jot: Callable[..., Jotsam], engine: EngineInMemory
) -> None:
    ana, bob = open_jot(tenant="ana"), open_jot(tenant="bob")
    ana.admin.add_engine(ADDRESS)
    ana.remember("Ana's port is 8080.")
    bob.remember("Bob's port is 9090.")
    ana.work()
    assert engine.tenants() == ["ana", "bob"]
    assert [one.content for one in engine.memories("bob").values()] == ["Bob's port is 9090."]
    ana.admin.forget_tenant()
    with ana.database.snapshot(tenant="ana") as tx:
        assert tx.execute("select count(*) as n from mirror_change where tenant = :tenant") == [{"n": 0}]
    ana.work()
    assert engine.tenants() == ["bob"]
    with ana.database.snapshot(tenant="ana") as tx:
        assert mirror.progress(tx, engine="falkordb") is None
    ana.remember("Ana is back.")
    ana.work()
    assert [one.content for one in engine.memories("ana").values()] == ["Ana is back."]


def test_a_rebuild_writes_all_again_and_deletes_what_is_left_over(jot: Jotsam, engine: EngineInMemory) -> None:
    id = jot.remember("Ada chose PostgreSQL.").id
    jot.work()
    jot.admin.add_engine(ADDRESS)
    jot.work()
    version, memory = engine.held["default"].pop(id)
    engine.held["default"]["00000000-0000-4000-8000-000000000000"] = (version, memory)
    engine.held["gone"] = {"00000000-0000-4000-8000-000000000001": (version, memory)}
    jot.admin.rebuild_engines("falkordb")
    jot.work()
    assert engine.memories() == stored(jot)
    assert engine.tenants() == ["default"]


def test_a_delivery_that_lost_its_lease_after_it_wrote_is_healed(
    jot: Jotsam, engine: EngineInMemory, clock: Any
) -> None:
    """It writes an older state after another worker has deleted the memory."""
    jot.admin.add_engine(ADDRESS)
    id = jot.remember("Ada chose PostgreSQL.").id
    for name in ("ingest", "enrich"):
        with jot.database.transaction() as tx:
            queue.pause(tx, name, reason="not now")
    late = threading.local()

    def meanwhile() -> None:
        if getattr(late, "was_here", False):
            return
        late.was_here = True
        forget(jot, id)
        clock.tick(LEASE_MS + 1)
        handler = Mirror(jot.database, jot.settings)
        with jot.database.transaction() as tx:
            (job,) = queue.receive(tx, queue=QUEUE, owner="another")
        save = handler(job)
        assert save is not None
        with jot.database.transaction() as tx:
            assert queue.delete(tx, job)
            tx.set_tenant("default")
            save(tx)
        assert engine.memories() == {}

    engine.before_upsert = meanwhile
    handler = Mirror(jot.database, jot.settings)
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue=QUEUE, owner="late")
    handler(job)
    assert [*engine.memories()] == [id]  # It came back.
    handler.log_again(job)
    jot.work()
    assert engine.memories() == {}


def test_a_change_at_any_moment_of_a_batch_is_written_by_it_or_by_the_next(jot: Jotsam, engine: EngineInMemory) -> None:
    """A log that has an entry of the memory already may not take it for one that is still to be read."""
    jot.admin.add_engine(ADDRESS)
    id = jot.remember("Ada chose PostgreSQL.").id
    wrong = []
    for moments in (2, 3, 5, 6, 9, 10):
        jot.work()

        def change(moment: int, moments: int = moments) -> None:
            if moments & moment:
                with jot.database.transaction(tenant="default") as tx:  # A program that sends no job.
                    summary = {"id": id, "summary": f"{moments} {moment}"}
                    tx.execute("update memory set summary = :summary where uuid = :id and tenant = :tenant", summary)

        change(1)
        with jot.database.transaction(tenant="default") as tx:
            begun = mirror.next_version(tx, engine="falkordb")
        change(2)
        with jot.database.snapshot(tenant="default") as tx:
            batch = mirror.read_batch(tx, begun, engine="falkordb", limit=10)
        change(4)
        engine.upsert("default", batch.memories, version=begun.version)
        change(8)
        with jot.database.transaction(tenant="default") as tx:
            mirror.acknowledge(tx, batch, engine="falkordb", version=begun.version, sweep_after=None)
            queue.ensure(tx, job_spec("default", engine="falkordb"))
        jot.work()
        if engine.memories() != stored(jot):
            wrong.append(f"{moments:04b}")
    assert wrong == []


def test_what_several_writers_change_while_workers_write_is_there_in_the_end(
    jot: Jotsam, engine: EngineInMemory
) -> None:
    jot.admin.add_engine(ADDRESS)
    ids = [jot.remember(f"Note {number}.").id for number in range(3)]
    jot.work()
    writing = threading.Semaphore(0)

    def write(name: str) -> None:
        for number in range(20):
            jot.update(ids[number % 3], importance=number / 20, tags=[name, str(number)])
            writing.release()

    writers = [threading.Thread(target=write, args=(name,)) for name in ("a", "b")]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        writing.acquire(timeout=1)
        jot.work()
    for writer in writers:
        writer.join()
    jot.work()
    assert engine.memories() == stored(jot)


def test_a_memory_that_is_enriched_is_logged_few_times(
    open_jot: Callable[..., Jotsam], engine: EngineInMemory, kind: str
) -> None:
    """On a file once for each engine, until a batch reads it."""
    jot = open_jot(embed_model="hashing")
    with jot.database.transaction() as tx:
        for name in ENGINES:
            engines.save(tx, name=name, address=f"{name}://127.0.0.1:1", version="1")
            queue.pause(tx, f"mirror-{name}", reason="not now")
    for number in range(5):
        jot.remember(
            f"Ada Lovelace chose PostgreSQL for service {number} with Bob Smith of Acme.", tags=["a", "b", "c"]
        )
    jot.work()
    with jot.database.snapshot(tenant="default") as tx:
        (row,) = tx.execute("select count(*) as n from mirror_change where tenant = :tenant")
        assert tx.execute("select distinct engine from mirror_change where tenant = :tenant order by engine") == [
            {"engine": name} for name in ENGINES
        ]
    assert row["n"] == 10 if kind == "sqlite" else row["n"] < 400


def test_a_copy_of_the_database_does_not_write_into_the_engine_of_its_origin(
    jot: Jotsam, engine: EngineInMemory
) -> None:
    jot.admin.add_engine(ADDRESS)
    jot.work()
    with jot.database.transaction() as tx:
        tx.execute("update engine set place = 'another'")
    jot.remember("Ada chose PostgreSQL.")
    jot.work()
    assert engine.memories() == {}
    (status,) = jot.admin.engines()
    assert "copied, moved or restored" in (status.problem or "")
    assert "--replace" in (status.paused or "")
    for call in (jot.admin.compare_engines, jot.admin.rebuild_engines):
        with pytest.raises(ProviderUnavailable, match="copied, moved or restored"):
            call()
    jot.admin.add_engine(ADDRESS, replace=True)
    jot.work()
    assert engine.memories() == stored(jot)


def test_what_a_transaction_wrote_before_it_knew_of_the_engine_is_not_missed(
    jot: Jotsam, engine: EngineInMemory, kind: str
) -> None:
    if kind == "sqlite":
        jot.admin.add_engine(ADDRESS)
        jot.remember("Ada chose PostgreSQL.")
        jot.work()
    else:
        written, added = threading.Event(), threading.Event()

        def write() -> None:
            with jot.database.transaction(tenant="default") as tx:
                jot.remember("Ada chose PostgreSQL.", tx=tx)
                written.set()
                added.wait(60)

        writer = threading.Thread(target=write)
        writer.start()
        written.wait(60)
        jot.admin.add_engine(ADDRESS)
        with jot.database.transaction(tenant="default") as tx:
            mirror.fill(tx, engine="falkordb")
            queue.ensure(tx, job_spec("default", engine="falkordb"))
        jot.work()
        assert engine.memories() == {}
        added.set()
        writer.join()
        jot.admin.retry_many([job.id for job in jot.admin.jobs() if job.queue == QUEUE])
        jot.work()
    assert engine.memories() == stored(jot)
    assert len(stored(jot)) == 1


def test_an_address_with_a_password_is_refused_and_none_is_stored(jot: Jotsam, engine: EngineInMemory) -> None:
    refused = {
        "falkordb://:hunter22@h:6379": "falkordb_password",
        "qdrant://hunter22@h:6333": "qdrant_api_key",
        "qdrant://h:6333?api-key=hunter22": "qdrant_api_key",
        "redis://h": "must be falkordb://",
        "h:6379": "without a scheme",
        "falkordb://": "must be falkordb://",
        "falkordb://a b": "must be falkordb://",
    }
    for address, part in refused.items():
        with pytest.raises(InvalidInput, match=part) as caught:
            jot.admin.add_engine(address)
        assert "hunter22" not in str(caught.value)
    assert jot.admin.engines() == ()
    assert "hunter22" not in repr(Settings(falkordb_password="hunter22", qdrant_api_key="hunter22"))


def test_an_engine_that_holds_memories_already_is_not_taken_over_unasked(jot: Jotsam, engine: EngineInMemory) -> None:
    jot.admin.add_engine(ADDRESS)
    jot.remember("Ada chose PostgreSQL.")
    jot.work()
    assert jot.admin.add_engine(ADDRESS).held == 1  # The same again changes nothing.
    with pytest.raises(InvalidInput, match="a database has one falkordb"):
        jot.admin.add_engine("falkordb://elsewhere:6379")
    assert jot.admin.remove_engine("falkordb").held == 1
    with pytest.raises(InvalidInput, match="tenant 'default', perhaps of another database"):
        jot.admin.add_engine(ADDRESS)
    jot.admin.add_engine(ADDRESS, replace=True)
    jot.work()
    assert engine.memories() == stored(jot)


def test_a_removed_engine_leaves_no_job_and_no_change(jot: Jotsam, engine: EngineInMemory) -> None:
    jot.admin.add_engine(ADDRESS)
    jot.remember("Ada chose PostgreSQL.")
    jot.work()
    jot.remember("Ada chose SQLite.")
    engine.is_away = True
    with pytest.raises(ProviderUnavailable):
        jot.admin.remove_engine("falkordb", purge=True)
    assert len(jot.admin.engines()) == 1
    engine.is_away = False
    jot.admin.remove_engine("falkordb", purge=True)
    assert engine.tenants() == []
    with jot.database.snapshot(tenant="default") as tx:
        left = [tx.execute(f"select count(*) as n from {table}") for table in ("mirror_change", "mirror_progress")]
        assert left == [[{"n": 0}], [{"n": 0}]]
        assert engines.every(tx) == []
    assert [job for job in jot.admin.jobs() if job.queue == QUEUE] == []
    jot.remember("Nothing is logged.")
    jot.work()
    with jot.database.snapshot(tenant="default") as tx:
        assert not mirror.is_pending(tx, engine="falkordb")
    for call in (jot.admin.remove_engine, jot.admin.rebuild_engines, jot.admin.compare_engines):
        with pytest.raises(NotFound, match="there is no engine 'falkordb'"):
            call("falkordb")
