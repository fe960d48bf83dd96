"""Where is looked, what is added to it, and what an answer says about the ways in which it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.answers import Question
from jotsam.core.errors import DatabaseUnavailable, InvalidInput
from jotsam.retrieval.answer import recall
from jotsam.retrieval.rank.weights import WEIGHTS
from jotsam.storage.memories import memories

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from jotsam import Jotsam
    from jotsam.core.answers import Answer
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.search import Scope


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def found(answer: Answer) -> set[str]:
    return {hit.text for hit in answer.hits}


class FixedVectors:
    """Question vectors with known nearest memories; None: the index of vectors is unavailable."""

    failures: tuple[str, ...] = ()

    def __init__(self, near: Mapping[str, float] | None) -> None:
        self._near = near

    def search(self, tx: Transaction, scope: Scope, *, limit: int) -> Mapping[int, float]:
        if self._near is None:
            raise DatabaseUnavailable("the index of vectors is away")
        return {row["id"]: near for row, near in self._rows(tx)}

    def compare(self, tx: Transaction, refs: Collection[int]) -> Mapping[int, float]:
        """Every memory has a vector, and those that are not near are far."""
        return dict.fromkeys(refs, 0.0) | {row["id"]: near for row, near in self._rows(tx)}

    def _rows(self, tx: Transaction) -> Iterator[tuple[Row, float]]:
        for uuid, near in (self._near or {}).items():
            if row := memories.get(tx, uuid=uuid):
                yield row, near


def ask(jot: Jotsam, text: str, vectors: FixedVectors) -> Answer:
    with jot.database.snapshot() as tx:
        return recall(tx, Question(text=text), question_vectors=vectors)


@pytest.fixture
def tagged(jot: Jotsam) -> Jotsam:
    jot.remember("kangaroo one", tags=["zoo", "project:foo/bar"], type="fact")
    jot.remember("kangaroo two", tags=["zoo", "wild"], type="decision")
    jot.remember("kangaroo three", tags=["project/foo"])
    jot.add("kangaroo four")
    return jot


@pytest.mark.needs_server
def test_tags_filter_by_any_all_none_and_prefix(tagged: Jotsam) -> None:
    """AM-15."""
    ask = tagged.recall
    assert found(ask("kangaroo", tags=["zoo", "wild"])) == {"kangaroo one", "kangaroo two"}
    assert found(ask("kangaroo", tags=["zoo", "wild"], every_tag=True)) == {"kangaroo two"}
    assert found(ask("kangaroo", without=["zoo"])) == {"kangaroo three", "kangaroo four"}
    assert found(ask("kangaroo", without=["zoo"], tags=["zoo"])) == set()
    assert found(ask("kangaroo", tags=["project:foo"], tag_prefix=True)) == {"kangaroo one", "kangaroo three"}
    assert found(ask("kangaroo", tags=["project:foo"])) == set()
    everything = ask("kangaroo", tags=["PROJECT:foo", "zo"], tag_prefix=True, every_tag=True)
    assert found(everything) == {"kangaroo one"}
    assert everything.coverage.total == 1
    assert found(ask(tags=["wild"])) == {"kangaroo two"}


def test_types_and_sessions_filter_the_answer(tagged: Jotsam) -> None:
    assert found(tagged.recall("kangaroo", types=["fact", "decision"])) == {"kangaroo one", "kangaroo two"}
    tagged.remember("kangaroo five", session="s")
    assert found(tagged.recall("kangaroo", session="s")) == {"kangaroo five"}


@pytest.fixture
def filed(jot: Jotsam) -> Jotsam:
    for source in ("home/Billing/docs/retry.md", "C:\\work\\shop\\retry.md", "shop_old/100%.txt", None):
        jot.remember(f"The retry waits a minute, says {source}.", source=source)
    return jot


SOURCES = {
    "billing": {"home/Billing/docs/retry.md"},
    "Billing/docs/": {"home/Billing/docs/retry.md"},
    "bill": set[str](),
    "retry.md": {"home/Billing/docs/retry.md", "C:\\work\\shop\\retry.md"},
    "shop/*.md": {"C:\\work\\shop\\retry.md"},
    "shop*": {"C:\\work\\shop\\retry.md", "shop_old/100%.txt"},
    "shopXold": set(),
    "100%.txt": {"shop_old/100%.txt"},
    "1%.txt": set(),
}


@pytest.mark.needs_server
def test_a_source_filters_by_its_path_and_by_parts_of_it(filed: Jotsam) -> None:
    kept = {pattern: {hit.source for hit in filed.recall("retry", source=pattern).hits} for pattern in SOURCES}
    assert kept == SOURCES
    assert len(filed.recall("retry", source="").hits) == 4


def test_a_question_that_names_a_folder_prefers_its_texts_and_hides_no_other(filed: Jotsam) -> None:
    def first(question: str) -> str | None:
        hits = filed.recall(question).hits
        assert len(hits) == 4
        return next(hit.source for hit in hits if hit.source is not None)

    assert first("how long waits the retry in billing") == "home/Billing/docs/retry.md"
    assert first("how long waits the retry in the shop repo") == "C:\\work\\shop\\retry.md"
    assert first("how long waits the retry in shop_old") == "shop_old/100%.txt"
    lowered = {hit.source: hit.scores.get("place", 0.0) for hit in filed.recall("the retry of billing").hits}
    assert [source for source, score in lowered.items() if score == 0.0] == ["home/Billing/docs/retry.md", None]


def test_a_question_that_names_a_project_prefers_it(jot: Jotsam) -> None:
    for project in ("billing", "shop", None):
        jot.remember(f"The retry waits {project}.", project=project)
    lowered = {
        hit.project for hit in jot.recall("does the retry in the shop project wait").hits if "place" in hit.scores
    }
    assert lowered == {"billing"}


def test_hits_below_min_score_are_left_out(jot: Jotsam) -> None:
    jot.remember("The kangaroo jumps over the fence at noon.")
    jot.remember("The fence is green.")
    answer = jot.recall("kangaroo fence noon")
    assert len(answer.hits) == 2
    least = answer.hits[1].evidence + 0.01
    assert found(jot.recall("kangaroo fence noon", min_score=least)) == {"The kangaroo jumps over the fence at noon."}


def test_the_preferred_project_comes_first_and_hides_no_other(jot: Jotsam) -> None:
    jot.remember("kangaroo ours", project="ours")
    jot.remember("kangaroo theirs", project="theirs")
    assert texts(jot.recall("kangaroo", prefer="ours")) == ["kangaroo ours", "kangaroo theirs"]
    assert texts(jot.recall("kangaroo", prefer="theirs")) == ["kangaroo theirs", "kangaroo ours"]
    assert texts(jot.recall("kangaroo", project="ours")) == ["kangaroo ours"]


def test_a_pinned_memory_is_always_included(jot: Jotsam) -> None:
    """AM-21."""
    wanted = jot.remember("Always run the tests.", external_id="rule").id
    jot.remember("kangaroo")
    for pin in ("rule", wanted, wanted[:8]):
        assert texts(jot.recall("kangaroo", pinned=[pin], limit=1)) == ["Always run the tests."]
    assert texts(jot.recall(pinned=["rule"], limit=1)) == ["Always run the tests."]
    assert "unavailable: pinned nothing (not found)" in jot.recall("kangaroo", pinned=["nothing"]).text


def test_text_scores_are_at_most_one_and_all_parts_add_up(jot: Jotsam) -> None:
    """AM-20."""
    for number in range(5):
        jot.remember(f"The kangaroo jumps {'high ' * number}.", session="s", position=number, actor="Ann")
    jot.work()
    hits = jot.recall("when did Ann say how high the kangaroo jumps?").hits
    assert len(hits) == 5
    for hit in hits:
        assert 0 <= hit.scores.get("text", 0) <= 1
        assert hit.score == pytest.approx(sum(hit.scores.values()))


def test_the_best_match_says_to_what_it_is_linked_too(jot: Jotsam) -> None:
    best, other = jot.remember("The kangaroo escaped.").id, jot.remember("A kangaroo eats the grass of the zoo.").id
    jot.knowledge.link(other, "LEADS_TO", best, weight=1.0)
    first, second = jot.recall("kangaroo escaped", expand=["relations"]).hits
    assert (first.id, first.path) == (best, (f"LEADS_TO from {other[:8]}",))
    assert (second.id, second.path) == (other, (f"LEADS_TO {best[:8]}",))


@pytest.mark.needs_server
def test_relations_are_followed_on_request_from_a_minimum_weight(jot: Jotsam) -> None:
    """AM-22."""
    seed = jot.remember("The kangaroo escaped.").id
    strong, weak = jot.remember("Fix the gate.").id, jot.remember("Buy paint.", tags=["chores"]).id
    jot.knowledge.link(seed, "LEADS_TO", strong, weight=0.9)
    jot.knowledge.link(weak, "RELATES_TO", seed, weight=0.6)
    assert texts(jot.recall("kangaroo")) == ["The kangaroo escaped."]
    answer = jot.recall("kangaroo", expand=["relations"])
    assert texts(answer) == ["The kangaroo escaped.", "Fix the gate.", "Buy paint."]
    ways = [(), (f"LEADS_TO from {seed[:8]}",), (f"RELATES_TO {seed[:8]}",)]
    assert [hit.path for hit in answer.hits] == ways
    assert answer.coverage.total == 3
    assert len(jot.recall("kangaroo", expand=["relations"], min_weight=0.8).hits) == 2
    assert len(jot.recall("kangaroo", expand=["relations"], without=["chores"]).hits) == 2


def test_memories_with_a_contradicting_link_are_marked_and_the_newer_comes_first(jot: Jotsam) -> None:
    """MB-32."""
    new = jot.remember("The kangaroo is fed by Ann.", said_at="2025-05-01").id
    old = jot.remember("Bob feeds the kangaroo, the kangaroo!", said_at="2025-01-01").id
    jot.knowledge.link(new, "contradicts", old)
    assert [(hit.id, hit.conflicts) for hit in jot.recall("kangaroo").hits] == [(new, (old,)), (old, (new,))]


def test_a_rare_entity_leads_to_the_second_hop_and_a_common_one_does_not(jot: Jotsam) -> None:
    jot.remember("The film was directed by Jane Smith.")
    jot.remember("Jane Smith was born in Porto.")
    for number in range(31):
        jot.remember(f"We use Redis for cache {number}.")
    jot.remember("The film library uses Redis.")
    jot.work()
    answer = jot.recall("where was the director of the film born")
    assert "Jane Smith was born in Porto." in found(answer)
    assert not any("for cache" in text for text in found(answer))


def test_turns_around_a_match_are_found_and_shown_in_order(jot: Jotsam) -> None:
    """PRECEDED_BY."""
    for position, (actor, text) in enumerate(
        [("Ann", "Where did you leave the kangaroo?"), ("Bob", "In the garage."), ("Ann", "Good.")]
    ):
        jot.remember(text, session="s", position=position, actor=actor)
    jot.remember("Unrelated.", session="t", position=0)
    jot.work()
    answer = jot.recall("where is the kangaroo?")
    assert answer.hits[0].text == "In the garage."
    block = answer.text.split("\n\n")[0]
    assert block.index("Where did you leave") < block.index("In the garage.") < block.index("Good.")
    assert "Unrelated." not in answer.text


def test_a_reply_gains_more_than_a_turn_before_and_one_step_more_than_two(jot: Jotsam) -> None:
    said = ("Rain today.", "Fine.", "Where did you leave the kangaroo?", "In the garage.", "Good.")
    unrelated = jot.remember("Unrelated.").id
    ids = [jot.remember(text, session="s", position=position).id for position, text in enumerate(said)]
    jot.knowledge.link(unrelated, "LEADS_TO", ids[3])
    jot.work()
    gained = {
        hit.text: hit.scores["neighbours"] for hit in jot.recall("where is the kangaroo?").hits if hit.text != said[2]
    }
    assert gained == {
        said[0]: pytest.approx(WEIGHTS.turn * WEIGHTS.second),
        said[1]: pytest.approx(WEIGHTS.turn * WEIGHTS.adjacent),
        said[3]: pytest.approx(WEIGHTS.turn * WEIGHTS.reply),
        said[4]: pytest.approx(WEIGHTS.turn * WEIGHTS.second),
    }


def test_an_unavailable_retriever_is_reported_and_the_others_answer(jot: Jotsam) -> None:
    jot.remember("The kangaroo.")
    answer = ask(jot, "kangaroo", FixedVectors(None))
    assert texts(answer) == ["The kangaroo."]
    assert answer.coverage.unavailable == ("vectors (the index of vectors is away)",)
    assert answer.text.endswith("; unavailable: vectors (the index of vectors is away))")


def test_vector_matches_are_found_counted_and_ranked_with_text_matches(jot: Jotsam) -> None:
    jot.remember("The kangaroo.")
    other = jot.remember("A marsupial.").id
    answer = ask(jot, "kangaroo", FixedVectors({other: 0.7}))
    assert texts(answer) == ["The kangaroo.", "A marsupial."]
    assert answer.coverage.total == 2


CONVERSATION = (
    ("Ann", "I finally booked the flight to Lisbon.", "vacation trip travel"),
    ("Bob", "How long will you stay?", "duration"),
    ("Ann", "Ten days, from the third of May.", "dates holiday duration"),
    ("Bob", "My sister opened a bakery last week.", "shop business family"),
    ("Ann", "What does she sell?", "shop"),
    ("Bob", "Sourdough and cinnamon rolls.", "bread pastry food bakery"),
    ("Ann", "My knee hurts since the marathon.", "injury pain running"),
    ("Bob", "Did you see a doctor?", "physician"),
    ("Ann", "Yes, she said to rest it for a month.", "physician advice injury"),
    ("Bob", "I am learning the cello.", "music instrument"),
)
QUESTIONS = (
    ("When did Ann book her flight to Lisbon?", 0),
    ("How long is the holiday of Ann?", 2),
    ("What bread is sold in the bakery?", 5),
    ("Which instrument is Bob learning?", 9),
    ("Why does the knee of Ann hurt after running?", 6),
    ("What advice did the physician give?", 8),
    ("Who opened a shop?", 3),
)


def test_hybrid_search_is_never_worse_than_text_or_vectors_alone(jot: Jotsam) -> None:
    """Evidence within the first three; the vectors are those of what each turn is about, by shared words."""
    ids = [
        jot.remember(text, session="s", position=position, actor=actor, external_id=str(position)).id
        for position, (actor, text, _) in enumerate(CONVERSATION)
    ]
    jot.work()
    hits = {"words": 0, "vectors": 0, "both": 0}
    for question, wanted in QUESTIONS:
        asked = {*question.lower().strip("?").split()}
        near = {
            id: shared / 10
            for id, (_, text, about) in zip(ids, CONVERSATION, strict=True)
            if (shared := len(asked & {*f"{text} {about}".lower().strip(".?").split()}))
        }
        by_vectors = sorted(near, key=lambda id: -near[id])[:3]
        hits["vectors"] += ids[wanted] in by_vectors
        hits["words"] += str(wanted) in [hit.external_id for hit in jot.recall(question).hits[:3]]
        hits["both"] += str(wanted) in [hit.external_id for hit in ask(jot, question, FixedVectors(near)).hits[:3]]
    assert hits["both"] >= max(hits["words"], hits["vectors"])
    assert hits["both"] >= 6


@pytest.mark.parametrize(
    "question",
    [
        "Traceback (most recent call last):\n  File \"/srv/app/billing.py\", line 7, in charge\nKeyError: 'customer'",
        "billing.py",
        '"charge the customer"',
        "what about " + "charge customer billing " * 220,
    ],
)
def test_a_stack_trace_a_file_a_phrase_and_a_very_long_question_find_what_they_are_about(
    question: str, jot: Jotsam
) -> None:
    jot.remember("We charge the customer in billing.py, and a KeyError means that the customer is gone.")
    jot.remember("The weather is fine.")
    assert texts(jot.recall(question)) == [
        "We charge the customer in billing.py, and a KeyError means that the customer is gone."
    ]


def test_a_question_of_stop_words_alone_is_answered(jot: Jotsam) -> None:
    jot.remember("To be or not to be.")
    assert texts(jot.recall("to be or not to be")) == ["To be or not to be."]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"expand": ["everything"]}, "expand is 'everything': give some of entities, relations"),
        ({"min_score": -1}, "invalid min_score -1: must be a number from 0 to 1"),
        ({"min_weight": "x"}, "invalid min_weight 'x': must be a number from 0 to 1"),
        ({"types": [""]}, "a type has at least one visible character"),
        ({"without": "zoo"}, "without is 'zoo': give a list of at most 100 tags"),
        ({"as_of": "then"}, "invalid as_of 'then'"),
        ({"since": "never"}, "invalid since 'never'"),
        ({"color": "red"}, "unknown field 'color'"),
    ],
)
def test_an_invalid_argument_is_named(fields: dict[str, object], message: str, jot: Jotsam) -> None:
    with pytest.raises(InvalidInput) as raised:
        jot.recall("kangaroo", **fields)
    assert message in str(raised.value)


@pytest.mark.needs_server
def test_expansion_is_limited_by_number_and_importance(jot: Jotsam) -> None:
    """AM-22."""
    seed = jot.remember("The kangaroo escaped.").id
    also = jot.remember("The kangaroo is back.").id
    for number, weight in enumerate((0.7, 0.9, 0.8)):
        other = jot.remember(f"Step {number}.", importance=number / 4).id
        jot.knowledge.link(seed, "LEADS_TO", other, weight=weight)
    jot.knowledge.link(seed, "LEADS_TO", also)

    def brought(**fields: object) -> set[str]:
        hits = jot.recall("kangaroo", expand=["relations"], **fields).hits
        assert {"The kangaroo escaped.", "The kangaroo is back."} <= {hit.text for hit in hits}
        return {hit.text for hit in hits if hit.text.startswith("Step")}

    assert brought() == {"Step 0.", "Step 1.", "Step 2."}
    assert brought(expand_limit=1) == {"Step 1."}
    assert brought(expand_limit=2) == {"Step 1.", "Step 2."}
    assert brought(expand_limit=0) == set()
    assert brought(min_importance=0.5) == {"Step 2."}
    assert brought(min_importance=0.2, expand_limit=1) == {"Step 1."}


@pytest.mark.parametrize(("field", "value"), [("expand_limit", -1), ("expand_limit", 0.5), ("min_importance", "much")])
def test_an_invalid_expansion_limit_is_refused_by_name(jot: Jotsam, field: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"{field} "):
        jot.recall("kangaroo", expand=["relations"], **{field: value})


@pytest.mark.parametrize("field", ["project", "session"])
def test_an_empty_name_filters_nothing(jot: Jotsam, field: str) -> None:
    jot.remember("kangaroo", project="zoo", session="monday")
    jot.remember("kangaroo alone")
    assert len(jot.recall("kangaroo", **{field: ""}).hits) == len(jot.recall("kangaroo", **{field: " "}).hits) == 2
    assert len(jot.recall("kangaroo", **{field: "zoo" if field == "project" else "monday"}).hits) == 1


def test_types_and_tags_match_in_any_case(jot: Jotsam) -> None:
    jot.remember("kangaroo", type="decision", tags=["Zoo", "Überblick", "ZooGarden"])
    jot.remember("kangaroo two", type="Protokoll", tags=["zoo"])
    jot.remember("kangaroo three", type="Ödland", tags=["zoology"])
    assert {hit.type for hit in jot.recall("kangaroo").hits} == {"Decision", "Protokoll", "Ödland"}
    for written in ("decision", "Decision", "DECISION"):
        assert texts(jot.recall("kangaroo", types=[written])) == ["kangaroo"]
    assert texts(jot.recall("kangaroo", types=["protokoll"])) == ["kangaroo two"]
    assert texts(jot.recall("kangaroo", types=["ödland"])) == ["kangaroo three"]
    for written in ("zoo", "Zoo", "ZOO"):
        assert {*texts(jot.recall("kangaroo", tags=[written]))} == {"kangaroo", "kangaroo two"}
        assert texts(jot.recall("kangaroo", without=[written])) == ["kangaroo three"]
        assert len(jot.recall("kangaroo", tags=[written], tag_prefix=True).hits) == 3
    assert texts(jot.recall("kangaroo", tags=["zoogarden"])) == ["kangaroo"]
    assert "kangaroo" not in texts(jot.recall("kangaroo", without=["zoogarden"]))
    assert texts(jot.recall("kangaroo", tags=["überblick"])) == ["kangaroo"]
    assert texts(jot.recall("kangaroo", tags=["zoo", "überblick"], every_tag=True)) == ["kangaroo"]


def test_the_lines_of_a_chunk_are_those_of_its_document(jot: Jotsam) -> None:
    lines = [
        "",
        "",
        "# Zoo",
        "",
        "## Gate",
        "",
        "The kangaroo escaped.",
        "Nobody saw it.",
        "",
        "## Pool",
        "",
        "Seals swim.",
    ]
    jot.add("\n".join(lines), source="zoo.md")
    jot.work()
    for word in ("zoo", "kangaroo", "seals"):
        (hit,) = (hit for hit in jot.recall(word).hits if word in hit.text.lower())
        first, last = hit.lines
        assert "\n".join(lines[first - 1 : last]) == jot.show(hit.id).memory.text.strip()
        assert jot.show(hit.id).lines == hit.lines
    assert jot.recall("seals").hits[0].lines == (10, 12)
    jot.remember("A walrus.")
    assert jot.recall("walrus").hits[0].lines is None


def test_lines_are_right_for_a_document_of_many_chunks(jot: Jotsam) -> None:
    text = "\n".join(f"## Part {number}\n\nAnimal {number} is number{number}x.\n" for number in range(230))
    id = jot.add(text, source="many.md").id
    jot.work()
    every = text.split("\n")
    for memory in jot.show(id).memories[::23]:
        story = jot.show(memory)
        first, last = story.lines
        assert "\n".join(every[first - 1 : last]) == story.memory.text.strip()
