"""Recall for AutoMem's clients: several questions, orders, pages, preferences; its status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jotsam.memory.automem import enrichment_status, memories
from jotsam.memory.automem.recall import RecallRequest, questions, search
from jotsam.memory.writing import associate
from jotsam.storage import queue

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StandingClock

    from jotsam import Jotsam

DAY_MS = 86_400_000


def texts(jot: Jotsam, query: str = "", **wanted: Any) -> list[str]:
    found = search(jot, RecallRequest(query=query, **wanted))
    return [one.memory.text for one in found.results if one.memory is not None]


def test_several_questions_are_answered_once_each_and_merged(jot: Jotsam) -> None:
    office = jot.remember("The office of Ana Lee is in Berlin.").id
    kitchen = jot.remember("The kitchen is green.").id
    both = jot.remember("The office and the kitchen are cleaned on Mondays.").id
    found = search(jot, RecallRequest(queries=("office", "kitchen", " "), per_query=2))
    assert {one.id for one in found.results} == {office, kitchen, both}
    assert (found.queries, found.duplicates, found.coverage.total) == (("office", "kitchen"), 1, 2)
    scores = [one.score for one in found.results]
    assert scores == sorted(scores, reverse=True)
    asked = RecallRequest(query="Where is the office of Ana Lee, and what colour is the kitchen?", decompose=True)
    assert questions(asked)[1:] == ["Where is the office of Ana Lee", "what colour is the kitchen", "Ana Lee"]
    assert {one.id for one in search(jot, asked).results} >= {office, kitchen}
    assert questions(asked.replace(decompose=False)) == [asked.query]
    assert questions(RecallRequest(query="office", decompose=True)) == ["office"]
    assert questions(RecallRequest()) == [""]


def test_results_are_ordered_by_time_and_shown_page_by_page(jot: Jotsam, clock: StandingClock) -> None:
    ids = []
    for number, day in enumerate((3, 1, 2)):
        ids.append(jot.remember(f"Note {number} of the plan.", said_at=clock.now - day * DAY_MS).id)
        clock.tick(1_000)
    newest, oldest = ["Note 1", "Note 2", "Note 0"], ["Note 0", "Note 2", "Note 1"]
    for query in ("plan", ""):
        assert [text[:6] for text in texts(jot, query, order="time_desc")] == newest
        assert [text[:6] for text in texts(jot, query, order="time_asc")] == oldest
    clock.tick(1_000)
    jot.update(ids[0], importance=0.9)
    assert [text[:6] for text in texts(jot, "plan", order="updated_desc")] == ["Note 0", "Note 2", "Note 1"]
    assert [text[:6] for text in texts(jot, "plan", order="updated_asc", limit=1)] == ["Note 1"]
    pages = [texts(jot, "plan", limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [len(page) for page in pages] == [2, 1, 0]
    assert len({text for page in pages for text in page}) == 3


def test_preferences_change_the_order_and_tell_what_they_added(jot: Jotsam, clock: StandingClock) -> None:
    for tag in ("go", "python", "rust"):
        jot.remember(f"Errors are wrapped, as it is usual in {tag}.", tags=[tag], type="Style")
        clock.tick(DAY_MS)
    jot.remember("Errors are wrapped, as it is usual in java.", tags=["java"], said_at=clock.now - 90 * DAY_MS)
    plain = search(jot, RecallRequest(query="errors wrapped"))
    assert not plain.is_preferred
    found = search(jot, RecallRequest(query="errors wrapped", prefer_tags=("JAVA",)))
    assert found.results[0].hit.tags == ("java",)
    assert found.results[0].scores["context"] > 0
    assert found.is_preferred
    assert sum(found.results[0].scores.values()) == found.results[0].score
    fresh = search(jot, RecallRequest(query="errors wrapped", newest=True))
    assert fresh.results[0].hit.tags == ("rust",)
    assert fresh.results[0].scores["temporal"] > 0
    typed = search(jot, RecallRequest(query="errors wrapped", prefer_types=("style",)))
    assert typed.results[0].hit.type == "Style"


def test_results_from_outside_the_tags_fill_up_and_are_marked(jot: Jotsam) -> None:
    inside = jot.remember("The office is in Berlin.", tags=["place"]).id
    outside = jot.remember("The office is big.").id
    options = {"tags": ["place"]}
    assert [one.id for one in search(jot, RecallRequest(query="office", options=options)).results] == [inside]
    found = search(jot, RecallRequest(query="office", options=options, outside=True))
    assert [(one.id, one.is_outside) for one in found.results] == [(inside, False), (outside, True)]
    assert len(search(jot, RecallRequest(query="office", options=options, outside=True, limit=1)).results) == 1


def test_what_is_hidden_is_explained_and_links_are_listed(jot: Jotsam, clock: StandingClock) -> None:
    old, new = jot.remember("The office is in Bonn.").id, jot.remember("The office is in Kiel.").id
    gone = jot.remember("The office is closed.", valid_until=clock.now - 1).id
    later = jot.remember("The office is in Ulm.", valid_from=clock.now + DAY_MS).id
    ends = {"source": old, "target": new, "type": "EVOLVED_INTO", "properties": {"reason": "moved"}}
    associate.associate(jot.database, tenant="default", **ends)
    found = search(jot, RecallRequest(query="office", explain=True, links=5))
    assert [(one.id, [link.properties for link, _ in one.links]) for one in found.results] == [
        (new, [{"reason": "moved"}])
    ]
    hidden = {one.id: (one.reason, one.replaced_by) for one in found.hidden}
    assert hidden == {old: ("superseded", new), gone: ("expired", None), later: ("not_yet_valid", None)}
    assert search(jot, RecallRequest(query="office", explain=True, options={"history": True})).hidden == ()


def test_a_document_that_is_not_split_yet_is_a_result_without_a_memory(jot: Jotsam) -> None:
    id = jot.add("The giraffe is tall.").id
    [found] = search(jot, RecallRequest(query="giraffe")).results
    assert (found.id, found.memory, found.hit.text) == (id, None, "The giraffe is tall.")


def test_the_same_items_in_two_batches_are_stored_once_and_an_invalid_one_stores_none(jot: Jotsam) -> None:
    items = [{"content": f"Note {number}.", "tags": ["a"]} for number in range(3)]
    first = memories.store(jot, items, source="test")
    again = memories.store(jot, [*reversed(items), {"content": "Note 3."}], source="test")
    assert [one.id for one in again[:3]] == [one.id for one in reversed(first)]
    assert [one.duplicate for one in again] == [True, True, True, False]
    assert jot.status().memories == 4


@pytest.mark.needs_server
def test_the_status_of_enrichment_names_the_latest_success_and_error(
    jot: Jotsam, open_jot: Callable[..., Jotsam], clock: StandingClock
) -> None:
    now = enrichment_status.read_enrichment_status(jot.database, jot.settings)
    assert (now.pending, now.done, now.last_success_id, now.last_error) == (0, 0, None, None)
    first = jot.remember("We chose Redis.").id
    jot.work()
    done_at = clock.now
    clock.tick(5_000)
    second = jot.remember("We chose PostgreSQL.").id
    with jot.database.transaction() as tx:
        [job] = queue.receive(tx, queue="enrich", owner="test", lease_ms=1_000, limit=1)
        queue.release(tx, job, delay_ms=60_000, error="RuntimeError: no power")
    now = enrichment_status.read_enrichment_status(jot.database, jot.settings)
    assert (now.done, now.last_success_id, now.last_success_at) == (1, first, done_at)
    assert (now.retrying, now.failed_attempts) == (1, 1)
    assert (now.last_error, now.last_error_at, now.last_error_id) == ("RuntimeError: no power", clock.now, second)
    other = open_jot(tenant="other")
    assert enrichment_status.read_enrichment_status(other.database, other.settings).last_success_id is None
