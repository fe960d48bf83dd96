"""How often a memory was in an answer is counted in the background, and no answer waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jotsam.core.clock import monotonic_ms
from jotsam.memory.automem import recall as automem_recall
from jotsam.memory.reading import recall_counter
from jotsam.memory.sessions import session_context

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock
    from jotsam import Jotsam


def counted(jot: Jotsam, id: str) -> tuple[int, int | None]:
    details = jot.show(id)
    return details.recalls, details.recalled_at


def test_answers_are_counted_once_the_client_is_closed(open_jot: Callable[..., Jotsam], clock: StandingClock) -> None:
    jot = open_jot()
    tea, coffee = (jot.remember(text).id for text in ("Ana drinks tea.", "Bob drinks coffee."))
    for _ in range(3):
        assert [hit.id for hit in jot.recall("Who likes tea?").hits] == [tea]
    assert counted(jot, tea) == (0, None)
    jot.close()
    first = open_jot()
    assert counted(first, tea) == (3, clock())
    assert counted(first, coffee) == (0, None)
    at = clock()
    clock.tick(60_000)
    first.recall("Who likes tea or coffee?")
    first.close()
    again = open_jot()
    assert counted(again, tea) == (4, at + 60_000)
    assert counted(again, coffee) == (1, at + 60_000)


def test_a_client_that_stays_open_writes_them_in_the_background(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot()
    tea = jot.remember("Ana drinks tea.").id
    for _ in range(recall_counter.ANSWERS):
        jot.recall("tea")
    writer = jot._recall_counter._writer
    assert writer is not None
    writer.join()
    assert counted(jot, tea)[0] == recall_counter.ANSWERS


def test_no_answer_waits_for_a_database_that_is_locked(open_jot: Callable[..., Jotsam]) -> None:
    jot, other = open_jot(), open_jot()
    tea = jot.remember("Ana drinks tea.").id
    with other.database.transaction(tenant=other.settings.tenant) as tx:
        tx.execute("update memory set importance = 0.5")
        for _ in range(recall_counter.ANSWERS + 1):
            assert jot.recall("tea").hits
        writer = jot._recall_counter._writer
    assert writer is not None
    writer.join()
    jot.close()
    assert counted(other, tea)[0] in (1, recall_counter.ANSWERS + 1)  # 1: the writer gave the lock up.


def test_each_tenant_has_its_own_counts(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot()
    ana, bob = jot.scoped(tenant="ana"), jot.scoped(tenant="bob")
    ids = [view.remember("The tea is green.").id for view in (ana, bob)]
    bob.recall("tea")
    jot.close()
    again = open_jot()
    assert counted(again.scoped(tenant="ana"), ids[0]) == (0, None)
    assert counted(again.scoped(tenant="bob"), ids[1])[0] == 1


def test_forgetting_a_memory_removes_its_count(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot()
    id = jot.remember("Ana drinks tea.").id
    jot.recall("tea")
    jot.close()
    again = open_jot()
    again.forget(again.plan_forget(ids=[id]))
    with again.database.snapshot(tenant=again.settings.tenant) as tx:
        assert tx.execute("select * from recall_count") == []


def test_what_automem_clients_are_shown_counts_and_other_candidates_do_not(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot()
    ids = [jot.remember(f"Ana drinks tea number {number}.").id for number in range(3)]
    shown = [one.id for one in automem_recall.search(jot, automem_recall.RecallRequest(query="tea", limit=1)).results]
    jot.close()
    again = open_jot()
    assert {id: counted(again, id)[0] for id in ids} == {id: int(id in shown) for id in ids}
    assert len(shown) == 1


def test_a_prompt_counts_what_its_agent_is_given(open_jot: Callable[..., Jotsam], clock: StandingClock) -> None:
    jot = open_jot()
    tea, other = (jot.remember(text).id for text in ("The tea kettle of Ana is green.", "Bob drinks coffee."))
    jot.work()
    given = session_context.at_prompt(
        jot.settings, session="s", prompt="Which colour has the tea kettle of Ana?", deadline=monotonic_ms() + 60_000
    )
    assert "green" in given
    assert [counted(jot, id)[0] for id in (tea, other)] == [1, 0]
