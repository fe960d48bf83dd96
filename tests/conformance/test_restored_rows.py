"""What the trash gives back: the same rows with the same ids, whatever was deleted with a memory."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.names import CLUSTER, CREATIVE, CRYSTALS, DECAY, FORGET, IDENTITY
from jotsam.storage.tables import TABLES
from lifecycle_tables import memory_rows, run, undo

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from conftest import StandingClock

pytestmark = pytest.mark.needs_server

DAY_MS = 86_400_000
KILN = (
    "The kiln in the pottery workshop fires at 1240 degrees for the stoneware glaze.",
    "Stoneware glaze from the pottery workshop needs the kiln at full heat, Nadia says.",
    "Nadia repaired the kiln of the pottery workshop before the stoneware glaze firing.",
    "The pottery workshop orders stoneware glaze for the kiln from a dealer in Delft.",
    "Each winter the kiln of the pottery workshop is cleaned, and the stoneware glaze dries for days.",
    "Students of the pottery workshop mix the stoneware glaze while the kiln is loaded.",
    "Visitors of the pottery workshop watch how the kiln hardens the stoneware glaze.",
)
STATED = "Mira Solberg works at Kestrel Optics."
ROOF = "The roof terrace of the boathouse must be closed while the wind is above 40 knots."
MOVED = "The lessons are now on Tuesday, 12 May 2024, instead of Monday."
TRAMS = (
    "I like the morning trams to the harbour.",
    "Morning trams are better than buses.",
    "Of all trams I prefer the morning trams.",
)
REMOVED = {name for name, table in TABLES.items() if table.is_kept} | {"theme"}


def filled(open_jot: Callable[..., Jotsam], clock: StandingClock) -> Jotsam:
    """Memories with all that can belong to one."""
    with open_jot(embed_model="hashing") as jot:
        for number, text in enumerate((*KILN, STATED, ROOF, ROOF.replace("must be", "must stay"), MOVED)):
            jot.remember(text, importance=0.2, actor="Nadia Berg", session="s", position=number, tags=["Pottery"])
        for text in TRAMS:
            jot.remember(text, importance=0.2, type="Preference", metadata={"line": 2})
        jot.remember("The API key of Ole Brandt is AKIAIOSFODNN7EXAMPLE.")
        jot.work()
        jot.update(jot.list(limit=1).memories[0].id, importance=0.3)
        jot.recall("API key of Ole Brandt, kiln in May 2024")
    jot = open_jot(embed_model="hashing", archive_below=1.0)
    run(jot, CLUSTER)
    run(jot, CRYSTALS)
    clock.tick(200 * DAY_MS)
    run(jot, CREATIVE)
    run(jot, IDENTITY)
    # The only current memory that states a fact is not removed, and this one is too important for it.
    jot.remember(f"Yes, {STATED}", importance=0.9)
    jot.work()
    run(jot, DECAY)
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("update embedding set wanted = 1, error = 'too long' where memory_id in (2, 10)")
        tx.execute(
            "insert into llm_cache (tenant, key, body, extractor, created_at, used_at, memory_id)"
            " select tenant, uuid, '{}', 'model', :now, :now, id from memory",
            {"now": clock()},
        )
        tx.execute("insert into hint_word (tenant, word, memory_id) select tenant, 'oven', id from memory")
    return jot


def test_an_undone_removal_leaves_no_trace(open_jot: Callable[..., Jotsam], clock: StandingClock) -> None:
    jot = filled(open_jot, clock)
    states, runs = [memory_rows(jot)], [run(jot, FORGET)]
    both = open_jot(archive_below=1.0, remove_below=1.0)
    states.append(memory_rows(jot))
    runs.append(run(both, FORGET))
    check_removed(jot, states[1], but={"document", "change_word", "date_range", "pattern"})
    for state, done in zip(reversed(states), reversed(runs), strict=True):
        assert undo(both, done).kept == 0
        assert memory_rows(jot) == state


def test_a_restored_batch_leaves_no_trace(open_jot: Callable[..., Jotsam], clock: StandingClock) -> None:
    jot = filled(open_jot, clock)
    jot.add(f"# Kiln\n\n{STATED} The token is AKIAIOSFODNN7EXAMPLE.\n", source="kiln.md")
    jot.work()
    before = memory_rows(jot)
    ids = [one.id for one in jot.list(limit=200, archived=True).memories]
    batch = jot.forget(jot.plan_forget(ids=ids), trash=True).trash
    assert batch
    check_removed(jot, before)
    jot.admin.restore_forgotten(batch)
    assert memory_rows(jot) == before


def check_removed(jot: Jotsam, before: dict[str, list[str]], *, but: Collection[str] = ()) -> None:
    """A test of what is restored needs rows of each table that are removed or changed."""
    after = memory_rows(jot)
    assert {name for name in REMOVED & after.keys() if after[name] == before[name]} == {*but}


def test_what_is_taken_by_now_stays_and_is_used(open_jot: Callable[..., Jotsam], clock: StandingClock) -> None:
    jot = open_jot()
    id = jot.remember(STATED).id
    jot.work()
    run(jot, IDENTITY)
    batch = jot.forget(jot.plan_forget(ids=[id]), trash=True).trash
    assert batch
    other = jot.remember(STATED.replace("works at", "has left"), importance=0.1).id
    jot.work()
    run(jot, IDENTITY)
    taken = memory_rows(jot)
    jot.admin.restore_forgotten(batch)
    now = memory_rows(jot)
    assert {*taken["entity"]} <= {*now["entity"]}
    assert taken["identity"] == now["identity"]
    assert {one.slug for one in jot.show(id).entities} >= {one.slug for one in jot.show(other).entities}


def test_what_only_an_earlier_text_named_comes_back_with_it(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot()
    memory = jot.remember("Mira Solberg lives in Porto.").id
    jot.work()
    jot.update(memory, text="The kiln is hot.")
    before = memory_rows(jot)
    assert "Porto" in str(before["entity"])
    receipt = jot.forget(jot.plan_forget(ids=[memory]), trash=True)
    assert "Porto" not in str(memory_rows(jot)["entity"])
    assert receipt.trash
    jot.admin.restore_forgotten(receipt.trash)
    assert memory_rows(jot)["entity"] == before["entity"]


def forgotten(jot: Jotsam, id: str) -> str:
    batch = jot.forget(jot.plan_forget(ids=[id]), trash=True).trash
    assert batch
    return batch


def test_an_entity_whose_id_is_taken_comes_back_with_another(jot: Jotsam) -> None:
    id = jot.remember(STATED).id
    jot.work()
    names = {one.name for one in jot.show(id).entities}
    with jot.database.snapshot(tenant="default") as tx:
        ids = [row["id"] for row in tx.execute("select id from entity order by id")]
    batch = forgotten(jot, id)
    with jot.database.transaction(tenant="default") as tx:
        sql = "insert into entity (id, tenant, category, slug, name) values (:id, 'default', 'place', 'delft', 'Delft')"
        tx.execute(sql, {"id": ids[0]})
    jot.admin.restore_forgotten(batch)
    assert {one.name for one in jot.show(id).entities} == names
    assert not {"Delft"} & names


def test_a_later_migration_may_add_and_drop_columns(jot: Jotsam) -> None:
    id = jot.remember(STATED, tags=["job"]).id
    jot.work()

    def change(*statements: str) -> None:
        with jot.database.transaction(tenant="default") as tx:
            for sql in statements:
                tx.execute(sql)

    change("alter table memory_tag add column gone text default 'x'")
    batch = forgotten(jot, id)
    change("alter table memory_tag drop column gone", "alter table memory_tag add column mark text default 'new'")
    jot.admin.restore_forgotten(batch)
    with jot.database.snapshot(tenant="default") as tx:
        assert {row["mark"] for row in tx.execute("select mark from memory_tag where tag = 'job'")} == {"new"}
    change("alter table memory_tag drop column mark")  # Other tests get this database.
    assert id in {hit.id for hit in jot.recall("Kestrel Optics").hits}


def test_what_an_earlier_version_kept_as_lines_is_restored_as_an_import(jot: Jotsam) -> None:
    id = jot.remember(STATED, tags=["job"]).id
    jot.work()
    file = io.BytesIO()
    jot.export(file, vectors=True)
    kept = [line for line in file.getvalue().decode().splitlines() if not line.startswith(('{"kind":"h', '{"kind":"f'))]
    batch = forgotten(jot, id)
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("update trash set rows = '', lines = :lines", {"lines": "\n".join(kept)})
    assert jot.admin.restore_forgotten(batch).memories == 1
    assert jot.show(id).facts
    assert id in {hit.id for hit in jot.recall("Kestrel Optics").hits}


def test_the_trash_keeps_nothing_of_a_text_that_is_gone_for_good(jot: Jotsam) -> None:
    """A note of two turns, a summary of a theme and the text of an entity repeat what several texts say."""
    decided = ("We decided to use PostgreSQL for the billing.", "We decided to use SQLite for the billing in Utrecht.")
    first, second = (jot.add_turn(text, session="s", position=number).id for number, text in enumerate(decided))
    ids = [jot.remember(text, importance=0.2).id for text in KILN]
    stated, moved = (jot.remember(text).id for text in (STATED, "Mira Solberg lives in Porto."))
    jot.work()
    run(jot, CLUSTER)
    run(jot, IDENTITY)
    before = memory_rows(jot)
    batch = forgotten(jot, first), forgotten(jot, ids[0]), forgotten(jot, stated)
    for each in reversed([*batch, *(forgotten(jot, id) for id in (second, ids[1], moved))]):
        jot.admin.restore_forgotten(each)
    assert memory_rows(jot) == before
    batch = forgotten(jot, first), forgotten(jot, ids[0]), forgotten(jot, stated)
    assert [word for word in ("Utrecht", "Nadia says", "Porto") if word not in in_trash(jot)] == []
    jot.forget(jot.plan_forget(ids=[second, ids[1], moved]))
    assert [word for word in ("Utrecht", "Nadia says", "Porto") if word in in_trash(jot)] == []
    for each in reversed(batch):
        jot.admin.restore_forgotten(each)
    assert [jot.show(id).id for id in (first, ids[0], stated)] == [first, ids[0], stated]


def test_the_trash_keeps_no_names_of_a_note_that_is_gone_for_good(jot: Jotsam) -> None:
    """Of a note in the trash that ended another one."""
    ended, ender = (
        jot.remember(f"The kiln is heated with {name}.", type="Decision", said_at=f"2026-11-0{day}").id
        for day, name in enumerate(("PostgreSQL", "MySQL"), 1)
    )
    jot.work()
    forgotten(jot, ender)
    assert "postgresql" in in_trash(jot).lower()
    jot.forget(jot.plan_forget(ids=[ended]))
    assert '"endings": []' in in_trash(jot)


def in_trash(jot: Jotsam) -> str:
    with jot.database.snapshot(tenant="default") as tx:
        return str(tx.execute("select undo, rows from trash"))
