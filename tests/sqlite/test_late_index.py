"""The words of a document are indexed by the next search, unless its chunks come first. It is found at once."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from jotsam.admin import text_index
from jotsam.ingest import accept
from jotsam.memory.sessions import session_context

if TYPE_CHECKING:
    from jotsam import Jotsam


def state(jot: Jotsam) -> tuple[int, int]:
    """How many texts wait for the index, and how many it has."""
    with jot.database.snapshot() as tx:
        (row,) = tx.execute(
            "select (select count(*) from text_index_waiting) as waiting,"
            " (select count(*) from text_index_docsize) as indexed"
        )
    return row["waiting"], row["indexed"]


def damage(jot: Jotsam) -> str | None:
    with jot.database.snapshot() as tx:
        return text_index.damage(tx)


def test_a_search_indexes_what_waits_and_finds_it(jot):
    jot.add("The quokka sleeps.", source="quokka.md")
    jot.add("The numbat digs.", source="numbat.md")
    assert (state(jot), damage(jot)) == ((2, 0), None)
    assert [hit.source for hit in jot.recall("numbat").hits] == ["numbat.md"]
    assert (state(jot), damage(jot)) == ((0, 2), None)


def test_what_is_chunked_first_is_never_indexed_whole(jot):
    jot.add("The quokka sleeps.\n\n# Numbat\n\nThe numbat digs.")
    assert jot.work() > 0
    assert state(jot)[0] == 0
    assert jot.recall("numbat").hits[0].kind == "memory"
    assert damage(jot) is None


def test_a_prompt_in_a_hook_finds_it_too(jot):
    jot.add("The quokka of Perth sleeps in the afternoon.")
    told = session_context.at_prompt(
        jot.settings, session="s", prompt="Where does the quokka of Perth sleep in the afternoon", deadline=1 << 60
    )
    assert "The quokka of Perth sleeps" in told
    assert state(jot) == (0, 1)


def test_a_search_has_few_texts_to_index_and_none_that_is_long(jot):
    for number in range(accept.MAX_WAITING + 1):
        jot.add(f"Quokka number {number}.", source=f"{number}.md")
    assert state(jot) == (1, accept.MAX_WAITING)
    jot.add("numbat " * accept.MAX_LATE)
    assert state(jot) == (1, accept.MAX_WAITING + 1)


def test_each_tenant_has_few_texts_that_wait(jot, open_jot):
    other = open_jot(tenant="other")
    for number in range(accept.MAX_WAITING):
        for one in (jot, other):
            one.add(f"Quokka number {number}.", source=f"{number}.md")
    assert state(jot) == (0, 2 * accept.MAX_WAITING)


def test_another_tenant_indexes_its_own(jot, open_jot):
    jot.add("The quokka sleeps.")
    other = open_jot(tenant="other")
    other.add("The numbat digs.")
    assert other.recall("numbat").coverage.total == 1
    assert state(jot) == (1, 1)


def test_what_is_forgotten_does_not_wait(jot):
    receipt = jot.add("The quokka sleeps.")
    jot.forget(jot.plan_forget(ids=[receipt.id]))
    assert state(jot) == (0, 0)
    assert jot.recall("quokka").coverage.total == 0


def test_a_rebuilt_index_has_what_waited(jot):
    jot.add("The quokka sleeps.")
    with jot.database.transaction() as tx:
        assert text_index.rebuild(tx) == 1
    assert state(jot) == (0, 1)
    assert jot.recall("quokka").coverage.total == 1


def test_while_another_program_writes_the_answer_counts_it_as_pending(jot):
    jot.remember("The quokka sleeps.")
    jot.work()
    jot.add("The quokka eats.")
    with closing(apsw.Connection(jot.settings.db)) as other:
        other.execute("begin immediate")
        answer = jot.recall("quokka")
        other.execute("rollback")
    assert (answer.coverage.total, answer.coverage.pending) == (1, 1)
    assert jot.recall("quokka").coverage.total == 2


def test_without_its_table_a_search_still_answers(jot):
    jot.add("The quokka sleeps.")
    with jot.database.transaction() as tx:
        tx.execute("drop table text_index_waiting")
    assert jot.recall("quokka").coverage.pending == 1
