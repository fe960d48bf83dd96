"""What a memory is called: found by its name, and joined to what mentions it. And an answer while others still wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jotsam import Jotsam
    from jotsam.core.answers import Answer

GHENT = "It lies where two rivers meet, and has a castle of the counts."


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


@pytest.mark.parametrize("actor", ["Ghent", "Ghent (city)", "Ghent, Belgium"])
def test_a_memory_is_found_by_its_title_without_a_common_word(jot: Jotsam, actor: str) -> None:
    jot.remember(GHENT, actor=actor)
    jot.remember("What rises highest there is the belfry.")
    jot.work()
    hit = jot.recall("What rises above Ghent?").hits[0]
    assert hit.text == GHENT
    assert hit.scores["title"] == 1.0
    assert "title" not in jot.recall("what rises above ghent?").hits[0].scores, "a name has a capital"


def test_the_page_that_a_top_hit_mentions_is_found_by_its_title(jot: Jotsam) -> None:
    jot.add(f"# Ghent\n\n{GHENT}\n", source="places/ghent.md")
    for number in range(40):
        jot.remember(f"Order {number} was shipped to Acme GmbH.")
    jot.remember("The painter Jan Vos was born in Ghent.")
    jot.remember("We met with Acme GmbH and the painter Jan Vos.")
    jot.work()
    (hit,) = [hit for hit in jot.recall("where was the painter born?").hits if GHENT in hit.text]
    assert hit.path[0].startswith("titled Ghent, mentioned in ")
    assert hit.scores["mentioned_title"] > 0


def test_a_title_is_reached_from_the_memory_that_mentions_it_and_from_no_better_one(jot: Jotsam) -> None:
    jot.remember(GHENT, actor="Ghent")
    jot.remember("The painter Jan Vos won the prize.")
    jot.remember("The painter Ann Lee was born in Ghent.")
    jot.work()
    (hit,) = [hit for hit in jot.recall("which painter won the prize?").hits if hit.text == GHENT]
    assert hit.path[0].startswith("titled Ghent, mentioned in ")


def test_sections_of_a_document_gain_nothing_by_naming_the_same_thing(jot: Jotsam) -> None:
    """Most sections about a subject name the same things; single memories that share a rare one belong together."""
    about = {
        "Start": "A worker starts with the machine.",
        "Stop": "A worker stops at the signal.",
        "Logs": "They rotate.",
    }
    jot.add("\n\n".join(f"# {head}\n\n{text} See Acme GmbH." for head, text in about.items()), source="worker.md")
    for text in ("The worker was delivered by Initech GmbH.", "Initech GmbH closed its gates."):
        jot.remember(text)
    for number in range(20):
        jot.remember(f"Order {number} was shipped.")
    jot.work()
    by_text = {hit.text.split(".")[0]: hit for hit in jot.recall("how does the worker start and stop?").hits}
    assert "Initech GmbH closed its gates" in by_text
    assert not [text for text, hit in by_text.items() if "See Acme" in hit.text and "shared_entity" in hit.scores]
    expanded = jot.recall("how does the worker start and stop?", expand=("entities",)).hits
    assert [hit for hit in expanded if "They rotate" in hit.text and "shared_entity" in hit.scores]


def test_the_best_match_stays_first_before_two_that_name_the_same_rare_thing(jot: Jotsam) -> None:
    best = "Results that nobody fetches stay until the task expires."
    also = "Initech Widget: the result of a task expires after one day."
    for text in (also, "Initech Widget: a task is a function.", best):
        jot.remember(text)
    for number in range(20):
        jot.remember(f"Order {number} was shipped.")
    jot.work()
    first, second, *_ = jot.recall("after how long does the result of a task expire?").hits
    assert (first.text, second.text) == (best, also)
    assert second.path[0].startswith("shares Initech Widget with ")


def test_a_title_that_many_share_is_ignored(jot: Jotsam) -> None:
    for number in range(4):
        jot.remember(f"Note {number} of the day.", actor="Ghent")
    jot.remember("The painter Jan Vos was born in Ghent.")
    jot.work()
    assert "title" not in {leg for hit in jot.recall("What rises above Ghent?").hits for leg in hit.scores}
    assert all(not hit.path or "called" not in hit.path[0] for hit in jot.recall("where was the painter born?").hits)


def test_a_title_is_forgotten_with_its_memory_and_hidden_from_other_tenants(jot: Jotsam) -> None:
    jot.remember(GHENT, actor="Ghent")
    jot.work()
    with type(jot)(settings=jot.settings.replace(tenant="eve")) as eve:
        eve.remember("The painter Jan Vos was born in Ghent.")
        eve.work()
        assert GHENT not in texts(eve.recall("Who was born in Ghent?"))
    jot.admin.forget_tenant()
    assert jot.recall("What rises above Ghent?").hits == ()


def test_pending_memories_do_not_change_the_order_of_enriched_ones(jot: Jotsam) -> None:
    questions = ("which crane stands on the quay of the old harbour?", "what is on the quay?", "lighthouse")
    notes = ("The crane of the quay in the old harbour.", "The crane is on the quay.", "A crane was sold.", "The quay.")
    for number, text in enumerate((*notes, *(f"Nothing of this kind, but page {page}." for page in range(12)))):
        jot.add(text, source=f"{number}.md")
    jot.work()
    before = {question: [hit.id for hit in jot.recall(question).hits] for question in questions}
    for number in range(3):
        jot.add(f"A lighthouse, later {number}.", source=f"late{number}.md")
    for question in questions:
        answer = jot.recall(question)
        drained = [hit.id for hit in answer.hits if hit.kind == "memory"]
        assert drained == before[question]
        assert answer.coverage.pending == 3
        assert "3 pending" in answer.text.rsplit("\n", 1)[-1]
    assert [hit.kind for hit in jot.recall("lighthouse").hits] == ["document"] * 3


def test_hits_of_all_retrievers_share_one_budget(jot: Jotsam) -> None:
    """MB-19: what one kind of hit leaves of the budget goes to the others, for there is one budget."""
    jot.remember("Bob works at Acme.")
    for number in range(30):
        jot.remember(f"Report {number} about nothing in particular says that the weather in the valley was fine.")
    jot.work()
    alone = jot.recall("Where does Bob work?", tokens=300)
    both = jot.recall("Where does Bob work, and how was the weather in the valley?", tokens=300)
    assert alone.coverage.tokens < 150, "nothing is filled up"
    assert both.coverage.tokens > 250
    assert any("Acme" in hit.text for hit in both.hits)
