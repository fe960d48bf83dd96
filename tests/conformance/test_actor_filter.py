"""The filter `actor`: every reading call shows what one actor said, and nothing that another one said."""

from __future__ import annotations

import inspect
import io
import json
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from jotsam import InvalidInput, Jotsam, NotFound
from jotsam.memory.api.knowledge import Knowledge
from jotsam.memory.options import FactOptions, RecallOptions, SelectionOptions

QUESTIONS = (
    *("", "Redis", "where do we use Redis", "Kestrel", "kitchen green", "What did we decide", "the latest decision"),
    *("what was in March 2026", "before the launch of Kestrel", "n-bob", "zebra", "who prefers tea"),
)
OPTIONS = (
    *({}, {"history": True}, {"tags": ["shared"]}, {"types": ["Decision"]}, {"session": "talk"}, {"project": "house"}),
    *({"when": "in March 2026"}, {"since": "2020-01-01"}, {"metadata": {"room": 1}}, {"as_of": "2030-01-01"}),
)


@pytest.fixture
def house(open_jot: Callable[..., Jotsam]) -> SimpleNamespace:
    """Two actors who say nearly the same in one project. Only what Bob says has the word zebra."""
    jot = open_jot(embed_model="hashing", project="house")
    ids: dict[str, list[str]] = {"ana": [], "bob": []}
    for room in ("kitchen", "hall", "garden", "attic"):
        for name, word in (("ana", "heron"), ("bob", "zebra")):
            text = f"We decided on 2026-03-05 to paint the {room} green for the launch of Project Kestrel, {word}."
            said = {"session": "talk", "metadata": {"room": 1}, "tags": ["shared"]}
            ids[name].append(jot.remember(text, actor=name, **said).id)
    for name, word in (("ana", "Berlin"), ("bob", "Zebraville")):
        ids[name].append(jot.remember(f"I live in {word}. We use Redis.", actor=name, external_id=f"n-{name}").id)
        ids[name].append(jot.remember(f"The {word} office prefers tea. Next step: visit it.", actor=name).id)
        document = f"# Redis\n\nRedis runs in {word}.\n\n# Kestrel\n\nKestrel launches in {word}.\n"
        ids[name].append(jot.add(document, source=f"{word}.md", actor=name).id)
    old = jot.remember("Zebra crossing one.", actor="bob").id
    ids["bob"].append(old)
    ids["bob"].append(jot.remember("Nobody said this of the zebra.").id)  # without an actor
    jot.work()
    jot.add("A zebra waits in the queue, for Redis.", actor="bob")
    jot.add("A heron waits in the queue, for Redis.", actor="ana")
    for one, other in zip(ids["ana"][:4], ids["bob"][:4], strict=True):
        jot.knowledge.link(one, "LEADS_TO", other)
        jot.knowledge.link(other, "RELATES_TO", one)
        jot.knowledge.link(ids["ana"][4], "LEADS_TO", one)
    for one, other in (("ana", "ana"), ("ana", "bob"), ("bob", "ana"), ("bob", "bob")):
        jot.knowledge.link(ids[one][0], "PREFERS_OVER", ids[other][1])
    jot.update(ids["bob"][5], text="The zebra office prefers milk.")
    return SimpleNamespace(jot=jot, ana=ids["ana"], bob=ids["bob"])


def check(found: object, house: SimpleNamespace) -> None:
    """It is something, and nothing of it is Bob's."""
    assert found
    text = json.dumps(found, default=lambda one: one.as_dict() if hasattr(one, "as_dict") else list(one)).lower()
    assert "zebra" not in text
    assert not [id for id in house.bob if id in text]


def recalls(house: SimpleNamespace) -> list[object]:
    expand = ["entities", "relations"]
    answers = [house.jot.recall(one, actor="ana", expand=expand, pinned=house.bob) for one in QUESTIONS]
    answers += [house.jot.recall("Redis Kestrel", actor="ana", expand=expand, **options) for options in OPTIONS]
    assert sum(bool(answer.hits) for answer in answers) > len(answers) - 4
    assert all(hit.actor == "ana" for answer in answers for hit in answer.hits)
    assert "not found" not in str(answers[0].coverage.unavailable)
    hits = [hit.replace(superseded_by=None, replaces=()) for answer in answers for hit in answer.hits]
    return [
        *hits,
        *(
            answer.text.replace("zebra", "", 1) if "zebra" in answer.question else answer.text
            for answer in answers
            if "pinned" not in answer.text
        ),
    ]


def shows(house: SimpleNamespace) -> list[object]:
    for id in (*house.bob, "n-bob", house.bob[0][:13]):
        with pytest.raises(NotFound):
            house.jot.show(id, actor="ana")
    return [house.jot.show(id, actor="ana") for id in (*house.ana, "n-ana")]


def gets(house: SimpleNamespace, call: Callable[..., object]) -> list[object]:
    for id in (*house.bob, "n-bob"):
        with pytest.raises(NotFound):
            call(id, actor="ana")
    return [call(id, actor="ana") for id in (*house.ana[:6], "n-ana")]


def briefs(house: SimpleNamespace) -> object:
    assert "zebra" in house.jot.brief(project="house", tokens=2_000).text
    return house.jot.brief(project="house", actor="ana", tokens=2_000)


def facts(house: SimpleNamespace) -> list[object]:
    assert any("Zebraville" in fact.object for fact in house.jot.knowledge.facts())
    return [house.jot.knowledge.facts(actor="ana", history=history) for history in (False, True)]


def entities(house: SimpleNamespace) -> tuple[object, ...]:
    (redis,) = house.jot.knowledge.entities(words="redis", category="tools", actor="ana")
    (every,) = house.jot.knowledge.entities(words="redis", category="tools")
    assert 0 < redis.memories < every.memories
    assert not house.jot.knowledge.entities(actor="eve")
    return house.jot.knowledge.entities(actor="ana", limit=500)


def patterns(house: SimpleNamespace) -> tuple[object, ...]:
    every = {one.slug: one.occurrences for one in house.jot.knowledge.patterns()}
    mine = house.jot.knowledge.patterns(actor="ana")
    assert all(0 < one.occurrences <= every[one.slug] for one in mine)
    assert any(one.occurrences < every[one.slug] for one in mine)
    assert not house.jot.knowledge.patterns(actor="eve")
    return mine


def exports(house: SimpleNamespace) -> list[str]:
    file = io.BytesIO()
    house.jot.export(file, actor="ana")
    return file.getvalue().decode().splitlines()


READING: dict[str, Callable[[SimpleNamespace], object]] = {
    "recall": recalls,
    "brief": briefs,
    "list": lambda house: house.jot.list(actor="ana", history=True),
    "get": lambda house: gets(house, house.jot.get),
    "show": shows,
    "versions": lambda house: [*gets(house, house.jot.versions), "of none"],
    "export": exports,
    "plan_forget": lambda house: [
        house.jot.plan_forget(actor="ana"),
        house.jot.plan_forget(query="Redis Kestrel", actor="ana"),
    ],
    "knowledge.facts": facts,
    "knowledge.entities": entities,
    "knowledge.patterns": patterns,
    "knowledge.preferences": lambda house: house.jot.knowledge.preferences(actor="ana"),
    "knowledge.overview": lambda house: house.jot.knowledge.overview(actor="ana"),
    "knowledge.graph": lambda house: gets(house, house.jot.knowledge.graph),
}
"""Each reading call that takes `actor`, or one of these sets of options."""


@pytest.mark.needs_server
def test_each_call_that_reads_one_actor_shows_nothing_of_another(house, subtests):
    for name, read in READING.items():
        with subtests.test(name):
            check(read(house), house)


def test_every_call_with_an_actor_is_in_the_table():
    filtered = {options.__name__ for options in (FactOptions, RecallOptions, SelectionOptions)}
    writing = {"add", "add_turn", "scoped"}
    found = set()
    for prefix, owner in (("", Jotsam), ("knowledge.", Knowledge)):
        for name, method in inspect.getmembers(owner, inspect.isfunction):
            parameters = inspect.signature(method).parameters
            options = (
                str(parameters["options" if "options" in parameters else "selection"].annotation)
                if {"options", "selection"} & parameters.keys()
                else ""
            )
            if "actor" in parameters or any(one in options for one in filtered):
                found.add(prefix + name)
    assert found - writing == READING.keys()


def test_an_empty_actor_is_refused_because_it_would_filter_nothing(jot):
    id = jot.remember("Mine.", actor="ana").id
    calls = (
        jot.recall,
        jot.brief,
        jot.list,
        jot.plan_forget,
        jot.knowledge.facts,
        jot.knowledge.entities,
        jot.knowledge.patterns,
        lambda actor: jot.get(id, actor=actor),
        lambda actor: jot.show(id, actor=actor),
        lambda actor: jot.versions(id, actor=actor),
        lambda actor: jot.knowledge.graph(id, actor=actor),
        lambda actor: jot.export(io.BytesIO(), actor=actor),
    )
    for call in calls:
        for actor in ("", "  "):
            with pytest.raises(InvalidInput, match="actor"):
                call(actor=actor)


def test_the_actor_of_a_scope_is_the_default_of_what_is_written_and_filters_nothing(jot):
    ana, bob = jot.scoped(actor="ana"), jot.scoped(actor="bob")
    ana.remember("The hedge is cut.")
    bob.remember("The pond is clean.")
    assert {hit.actor for hit in ana.recall().hits} == {"ana", "bob"}
    assert {hit.actor for hit in ana.recall(actor="ana").hits} == {"ana"}
