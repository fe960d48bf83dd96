"""One tenant moves to another server, however often the move is killed, and no other tenant notices."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import pytest
from movers import tenant_mover
from sources import rows_of

from jotsam import Jotsam, TenantMoved
from jotsam.admin.copy_database import copy_database
from jotsam.admin.move_tenant import move_tenant, plan_move
from jotsam.admin.schema import upgrade
from jotsam.core.errors import DatabaseUnusable, InvalidInput, JotsamError, NotFound
from jotsam.core.settings import Settings
from jotsam.memory.access.tokens import create_token, find_principal
from jotsam.storage import connect
from jotsam.storage.tables import left_out
from processes import start

QUESTIONS = ("launch", "John Smith", "数据库", "early returns style", "codes", "notes.md", "zeta", "")
OTHER = "bo's"
POINTS = ("held", "holding the jobs", "expected", "copying memory", "copying words of memories", "copying mention")
POINTS += ("copying references of memory", "copying queue_job", "comparing memory", "comparing queue_job", "arrived")
POINTS += ("freeing the jobs", "removing texts", "removing fact", "removing memory", "removing queue_job")
"""At which tellings a move is killed, one after the other."""
OF_EACH_PHASE = ("held", "copying words of memories", "copying queue_job", "comparing memory", "arrived")
OF_EACH_PHASE += ("freeing the jobs", "removing memory")
LEFT_AT_SOURCE = {"api_token", "tenant_move", "queue_count", "queue_tenant"}


@pytest.fixture
def ends():
    return "postgres", "postgres"


@pytest.fixture
def ana(source, clock):
    """A tenant with something in every table, and a job that waits."""
    with Jotsam(settings=source.replace(tenant="ana"), clock=clock) as jot:
        jot.remember("This waits.")
    return source.replace(tenant="ana")


def answers(settings, clock):
    with Jotsam(settings=settings, clock=clock) as jot:
        found = {}
        for question in QUESTIONS:
            answer = jot.recall(question)
            found[question] = {hit.id: hit.text for hit in answer.hits}, answer.coverage.total
        status = jot.status()
        jobs = sorted((job.queue, job.kind, job.state, job.received, job.error) for job in jot.admin.jobs())
        blocks = [block.text for block in jot.blocks.list()]
        return found, status.memories, status.documents, status.depth.live, jobs, blocks


def of_tenant(url, tenant, but=()):
    """The number of rows of a tenant, by table."""
    database = connect(url)
    with database.snapshot() as tx:
        names = [
            row["name"]
            for row in tx.execute(
                "select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid"
                " where a.attname = 'tenant' and c.relkind in ('r', 'p') and not c.relispartition"
                " and c.relnamespace = current_schema()::regnamespace"
            )
        ]
    found = {}
    with database.transaction() as tx:
        tx.execute("select set_config('jotsam.tenant', :tenant, true)", {"tenant": tenant})
        for name in names:
            where = "tenant = :tenant" + (" and queue <> 'mail'" if name.startswith("queue_") else "")
            sql = f"select count(*) as number from {name} where {where}"
            found[name] = tx.execute(sql, {"tenant": tenant})[0]["number"]
    database.close()
    return {name: number for name, number in found.items() if number and name not in but}


def copied(url):
    return of_tenant(url, "ana", but={*left_out(), *LEFT_AT_SOURCE})


@contextmanager
def writing(url, tenant):
    """Another tenant stores memories all the while; afterwards, how many there are."""
    stop, stored, errors = threading.Event(), [], []

    def write():
        with Jotsam(settings=Settings(db=url, tenant=tenant, worker="off")) as jot:
            while not stop.wait(0.02):  # often enough, and the move gets its turn
                try:
                    stored.append(jot.remember(f"Number {len(stored)} of a tenant that stays.").id)
                except JotsamError as error:
                    errors.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield stored, errors
    finally:
        stop.set()
        thread.join()


def test_everything_of_the_tenant_arrives_and_nothing_else_changes(ana, occupied, clock):
    before, rows = answers(ana, clock), copied(ana.db)
    others = answers(ana.replace(tenant=OTHER), clock), answers(ana.replace(db=occupied, tenant=OTHER), clock)
    assert "memory" in rows
    report = move_tenant(ana, "ana", occupied)
    assert report.state == "moved"
    assert copied(occupied) == rows
    assert answers(ana.replace(db=occupied), clock) == before
    assert copied(ana.db) == {}
    assert of_tenant(occupied, "ana").keys() >= {"api_token", "recall_count", "text_index", "queue_count"}
    assert (
        answers(ana.replace(tenant=OTHER), clock),
        answers(ana.replace(db=occupied, tenant=OTHER), clock),
    ) == others
    assert move_tenant(ana, "ana", occupied).state == "already"


def test_the_jobs_run_on_the_target_and_ids_are_not_given_twice(ana, occupied, clock):
    with Jotsam(settings=ana, clock=clock) as jot:
        waiting = jot.remember("Dora moved to Rome.")
        assert jot.status().depth.live
    move_tenant(ana, "ana", occupied)
    with Jotsam(settings=ana.replace(db=occupied), clock=clock) as jot:
        clock.tick(7_200_000)
        assert jot.work() > 0
        assert jot.show(waiting.id).memory
        assert jot.status().depth.live == 0
        for number in range(20):
            jot.remember(f"New memory {number}.")
        jot.add("# New\n\nMet with Jane Doe.")
        jot.work()
        assert jot.remember("Again.", external_id="n-1").duplicate
        assert jot.status().enriched == jot.status().memories - jot.status().depth.dead
    for url in (ana.db, occupied):
        with Jotsam(settings=ana.replace(db=url, tenant=OTHER), clock=clock) as jot:
            jot.remember("The other one is not disturbed.")
            assert jot.work() > 0


def test_the_source_names_the_new_place_and_no_password(ana, target, clock):
    with Jotsam(settings=ana, clock=clock) as jot:
        move_tenant(ana, "ana", target.replace("jotsam_test@", "jotsam_test:geheim@"))
        place = target.partition("@")[2].partition("?")[0]
        for call in (
            lambda: jot.remember("Too late."),
            lambda: jot.recall("launch"),
            lambda: jot.add("Too late."),
            jot.status,
            lambda: jot.blocks.set("human", "x"),
        ):
            with pytest.raises(TenantMoved, match="tenant 'ana' has moved to postgresql://") as raised:
                call()
            assert raised.value.retry
            assert place in str(raised.value)
            assert "geheim" not in str(raised.value)
        with Jotsam(settings=ana.replace(tenant=OTHER), clock=clock) as other:
            other.remember("Nothing has happened here.")
            other.work()


def test_tokens_work_on_the_target_and_are_told_at_the_source(ana, target, clock):
    with Jotsam(settings=ana, clock=clock) as jot:
        new = create_token(jot.database, tenant="ana", name="desk", scope="read")
    move_tenant(ana, "ana", target)
    for url in (ana.db, target):
        with Jotsam(settings=ana.replace(db=url, tenant=OTHER), clock=clock) as jot:
            assert find_principal(jot.database, new.secret).tenant == "ana"


def test_while_it_moves_it_can_be_read_and_not_changed(ana, target, clock):
    seen = []

    def tell(what, done, total):
        if what in ("copying fact", "comparing fact") and what not in seen:
            seen.append(what)
            with Jotsam(settings=ana, clock=clock) as jot:
                assert jot.recall("launch").hits
                with pytest.raises(TenantMoved, match="tenant 'ana' is being moved to postgresql://"):
                    jot.remember("Not now.")
                assert jot.work() >= 0
            with (
                Jotsam(settings=ana.replace(db=target), clock=clock) as jot,
                pytest.raises(TenantMoved, match="tenant 'ana' is being moved here from"),
            ):
                jot.recall("launch")
            with pytest.raises(DatabaseUnusable, match="the tenant 'ana' is being moved: finish or undo that"):
                copy_database(ana, "never.db")

    move_tenant(ana, "ana", target, tell=tell)
    assert len(seen) == 2


def test_a_worker_that_has_a_job_of_the_tenant_loses_its_lease(ana, target, clock):
    with Jotsam(settings=ana, clock=clock) as jot:
        job = jot.remember("Somebody works on it.").job_id
        with jot.database.transaction() as tx:
            from jotsam.storage import queue

            leased = queue.receive(tx, queue="enrich", owner="me", limit=100)
        assert job in [one.id for one in leased]
        before = copied(ana.db)
        move_tenant(ana, "ana", target)
        with jot.database.transaction() as tx:
            assert queue.delete_many(tx, [one for one in leased if one.tenant == "ana"]) == set()
    assert copied(target) == before


@pytest.mark.parametrize("points", [OF_EACH_PHASE, pytest.param(POINTS, marks=pytest.mark.long)], ids=["some", "all"])
def test_a_move_that_is_killed_again_and_again_ends_complete(points, ana, occupied, clock, record_property):
    before, rows = answers(ana, clock), copied(ana.db)
    with writing(ana.db, OTHER) as (stored, errors), writing(occupied, "cy") as (more, faults):
        for point in points:
            running = start(tenant_mover, ana.db, occupied, "ana", False)
            said = running.says()
            while said != point and said != "ended":
                running.tell("go on")
                said = running.says()
            running.kill()
        move_tenant(ana, "ana", occupied)
    assert (errors, faults) == ([], [])
    assert copied(occupied) == rows
    assert answers(ana.replace(db=occupied), clock) == before
    assert copied(ana.db) == {}
    for url, tenant, ids in ((ana.db, OTHER, stored), (occupied, "cy", more)):
        with Jotsam(settings=ana.replace(db=url, tenant=tenant), clock=clock) as jot:
            assert [jot.show(id).id for id in ids] == ids
    record_property("tried", f"{len(points)} kills of one move, {len(stored) + len(more)} memories of other tenants")


@pytest.mark.parametrize("point", [pytest.param("holding the jobs", marks=pytest.mark.long), "copying queue_job"])
def test_a_move_that_was_killed_can_be_undone(point, ana, target, clock):
    before, everything = answers(ana, clock), rows_of(ana.db)
    running = start(tenant_mover, ana.db, target, "ana", False)
    while running.says() != point:
        running.tell("go on")
    running.kill()
    with pytest.raises(DatabaseUnusable, match=r"is being moved to .*: name that address"):
        move_tenant(ana, "ana", f"{target}x")
    half = start(tenant_mover, ana.db, target, "ana", True)
    assert half.says() != "ended"
    half.kill()
    assert move_tenant(ana, "ana", target, undo=True).state == "undone"
    assert answers(ana, clock) == before
    after = rows_of(ana.db)
    assert {name for name in after if after[name] != everything[name]} <= {"queue_job", "recall_count"}
    assert of_tenant(target, "ana") == {}
    with Jotsam(settings=ana, clock=clock) as jot:
        jot.remember("It is at home again.")
        assert jot.work() > 0
    assert move_tenant(ana, "ana", target).state == "moved"


def test_one_that_has_arrived_is_not_undone(ana, target, clock):
    running = start(tenant_mover, ana.db, target, "ana", False)
    while running.says() != "arrived":
        running.tell("go on")
    running.kill()
    with Jotsam(settings=ana.replace(db=target), clock=clock) as jot:
        new = jot.remember("Stored on the target.").id
    with pytest.raises(DatabaseUnusable, match=r"is live on .*: run the same command without --undo"):
        move_tenant(ana, "ana", target, undo=True)
    assert move_tenant(ana, "ana", target).state == "moved"
    with Jotsam(settings=ana.replace(db=target), clock=clock) as jot:
        assert jot.show(new).id == new
        jot.work()
    with pytest.raises(DatabaseUnusable, match="is live on"):
        move_tenant(ana, "ana", target, undo=True)


@pytest.mark.long
def test_it_can_move_back_and_on_with_other_partitions(ana, server, clock):
    places = [ana.db, server.url(), server.url()]
    upgrade(ana.replace(db=places[1]), partitions=3)
    before, rows = answers(ana, clock), copied(ana.db)
    for here, there in ((0, 1), (1, 2), (2, 0)):
        move_tenant(ana.replace(db=places[here]), "ana", places[there])
        assert copied(places[there]) == rows
        assert copied(places[here]) == {}
        assert answers(ana.replace(db=places[there]), clock) == before


def test_what_cannot_be_moved_is_refused_and_stays_as_it_was(ana, occupied, server, clock, tmp_path):
    before = rows_of(ana.db)
    third = server.url()
    refused = [
        (InvalidInput, "is the database of the tenant", lambda: move_tenant(ana, "ana", ana.db)),
        (InvalidInput, "is a file", lambda: move_tenant(ana, "ana", str(tmp_path / "a.db"))),
        (InvalidInput, "is a file", lambda: move_tenant(ana.replace(db=str(tmp_path / "a.db")), "ana", occupied)),
        (NotFound, "has nothing of a tenant 'nobody'", lambda: move_tenant(ana, "nobody", third)),
        (NotFound, "no move of the tenant 'ana' was begun", lambda: move_tenant(ana, "ana", third, undo=True)),
    ]
    wrong = []
    for kind, text, call in refused:
        try:
            call()
        except kind as error:
            wrong += [] if text in str(error) else [str(error)]
        else:
            wrong.append(text)
    assert wrong == []
    assert rows_of(ana.db) == before
    with pytest.raises(DatabaseUnusable, match='has a tenant "bo\'s" already'):
        move_tenant(ana, OTHER, occupied)
    assert answers(ana.replace(tenant=OTHER), clock)[1], "it was not held"


def test_a_dry_run_counts_and_changes_nothing(ana, occupied):
    before, there = rows_of(ana.db), rows_of(occupied)
    plan = plan_move(ana, "ana", occupied)
    counts = {one.table: one.rows for one in plan.tables}
    assert plan.state == "planned"
    assert counts["memory"] > 5
    assert (rows_of(ana.db), rows_of(occupied)) == (before, there)
    moved = {one.table: one.rows for one in move_tenant(ana, "ana", occupied).tables}
    assert moved.items() <= (counts | {"held_job": moved["held_job"]}).items()


@pytest.mark.long
def test_a_copy_of_a_server_that_it_has_left_answers_the_same(ana, target, server, clock, tmp_path):
    with Jotsam(settings=ana, clock=clock) as jot:
        token = create_token(jot.database, tenant="ana", name="desk", scope="read")
    move_tenant(ana, "ana", target)
    copy, file = server.url(), str(tmp_path / "a.db")
    others = ana.replace(tenant=OTHER)
    expected = answers(others, clock)
    assert not copy_database(ana, copy).already
    assert copy_database(ana, copy).already
    copy_database(ana, file)
    for place in (copy, file):
        assert answers(others.replace(db=place), clock) == expected
    with Jotsam(settings=others.replace(db=copy), clock=clock) as jot:
        assert find_principal(jot.database, token.secret).tenant == "ana"
    with Jotsam(settings=ana.replace(db=copy), clock=clock) as jot, pytest.raises(TenantMoved, match="has moved to"):
        jot.recall("launch")
    with Jotsam(settings=ana.replace(db=file), clock=clock) as jot:
        assert jot.status().memories == 0
