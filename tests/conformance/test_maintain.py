"""`jotsam db maintain` on both databases, while others use them."""

from __future__ import annotations

import threading

import pytest

from jotsam.admin.maintain import maintain
from jotsam.core.errors import DatabaseBusy, InvalidInput

DAY_MS = 24 * 3_600_000


def by_name(settings, **options):
    return {step.name: step for step in maintain(settings, **options)}


def test_what_is_past_its_time_goes_for_every_tenant(open_jot, clock):
    jots = [open_jot(tenant=tenant, keep_history_days=1) for tenant in ("ana", "ben")]
    for jot in jots:
        id = jot.remember("It is red.").id
        for number in range(120):  # more than one slice
            jot.update(id, text=f"It is red, {number}.")
    # The command reads the time of the machine, or of the server, which is later than that of the test's clock.
    steps = by_name(jots[0].settings)
    assert "240 versions" in steps["retention"].text
    assert all(jot.versions(jot.list().memories[0].id) == () for jot in jots)
    assert by_name(jots[0].settings)["retention"].text == "nothing is past its time"


def test_each_step_leaves_every_answer_as_it_is(jot):
    for number in range(30):
        jot.remember(f"Ana moved to Bonn in year {number}.", tags=[f"t{number}"])
    before = jot.recall("Bonn year", limit=10)
    with jot.database.snapshot(tenant="default") as tx:
        steps = by_name(jot.settings)
        assert len(tx.execute("select id from memory")) == 30
    jot.remember("Written afterwards.")
    after = jot.recall("Bonn year", limit=10)
    assert [(hit.id, round(hit.score, 6)) for hit in after.hits] == [
        (hit.id, round(hit.score, 6)) for hit in before.hits
    ]
    assert all(step.took_ms >= 0 and step.bytes > 0 and step.text for step in steps.values())
    expected = ["text index", "log", "unused"] if jot.database.is_file else ["pending lists", "statistics"]
    assert list(steps) == ["size", "retention", "history", *expected]


@pytest.mark.needs_server
def test_the_text_index_is_one_segment_and_a_server_has_statistics(jot):
    for number in range(40):
        jot.remember(f"Number {number}.")
    by_name(jot.settings)
    count = (
        "select count(distinct segid) as n from text_index_idx"
        if jot.database.is_file
        else "select 1 as n from pg_class where oid = 'memory'::regclass and reltuples = 40"
    )
    with jot.database.snapshot(tenant="default") as tx:
        assert tx.execute(count)[0]["n"] == 1


@pytest.mark.needs_server
def test_writers_go_on_meanwhile(jot, open_jot):
    other, done, errors = open_jot(), threading.Event(), list[BaseException]()

    def write() -> None:
        try:
            while not done.is_set():
                other.remember("Another one.")
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(3):
            by_name(jot.settings, vacuum=jot.database.is_file)
    finally:
        done.set()
        thread.join()
    assert errors == []
    assert len(jot.recall("another", limit=5).hits) > 0


def test_only_a_file_is_vacuumed_and_it_shrinks(jot):
    if not jot.database.is_file:
        with pytest.raises(InvalidInput, match="only a file can be vacuumed"):
            by_name(jot.settings, vacuum=True)
        return
    with jot.database.transaction() as tx:
        tx.execute("create table large as select zeroblob(1000000) as bytes")
        tx.execute("drop table large")
    steps = by_name(jot.settings, vacuum=True)
    assert steps["vacuum"].bytes < steps["unused"].bytes // 2
    with jot.database.snapshot() as tx:
        assert tx.execute("pragma integrity_check") == [{"integrity_check": "ok"}]


def test_a_run_beside_a_writer_that_holds_the_lock_says_so_and_can_be_repeated(jot):
    if not jot.database.is_file:
        return
    settings = jot.settings.replace(lock_timeout_ms=1)
    with jot.database.transaction() as tx:
        tx.execute("delete from memory")
        with pytest.raises(DatabaseBusy):
            by_name(settings)
    assert by_name(settings)["text index"]
