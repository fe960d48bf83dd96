"""The line that answers a question from facts, and hits that say the same as one."""

from __future__ import annotations

from jotsam.core.answers import Answer, Coverage, Hit
from jotsam.core.records import Fact
from jotsam.retrieval.present.answer_line import answer_line
from jotsam.retrieval.present.equal_hits import fold_equal

NOW = 1_000_000

ANA = ("Ana Lima", "lives_in", "Porto")
BILLING = ("billing service", "uses", "PostgreSQL")


def hit(id: str, text: str = "What it says.", **fields: object) -> Hit:
    return Hit(kind="memory", id=id, text=text, **{"whole": True, "score": 1.0, "scores": {}, **fields})  # type: ignore[arg-type]


def asked(question: str, *triples: tuple[str, str, str], **fields: object) -> str | None:
    """The line for a question to a memory with these facts, each of a memory of its own."""
    facts = tuple(
        Fact(subject=subject, predicate=predicate, object=object, memory=str(at), **{"confidence": 0.8, **fields})  # type: ignore[arg-type]
        for at, (subject, predicate, object) in enumerate(triples)
    )
    hits = tuple(hit(str(at)) for at in range(len(triples)))
    found = answer_line(answer(question, hits, facts), at=NOW)
    return found.text if found else None


def answer(question: str, hits: tuple[Hit, ...], facts: tuple[Fact, ...]) -> Answer:
    coverage = Coverage(returned=len(hits), total=len(hits), tokens=0, budget=0)
    return Answer(question=question, hits=hits, facts=facts, coverage=coverage, text="")


def test_a_fact_answers_a_question_that_names_its_subject_and_its_predicate() -> None:
    assert asked("Where does Ana Lima live?", ANA) == "Ana Lima lives in Porto"
    assert asked("ana lima lives", ANA) == "Ana Lima lives in Porto"
    assert asked("Where does Ana Lima live now?", ("Ana Lima", "moved_to", "Porto")) == "Ana Lima moved to Porto"
    assert asked("Who is Ana Lima married to?", ("Ana Lima", "married_to", "Bo")) == "Ana Lima is married to Bo"
    assert asked("what is the port of the mail server?", ("mail server", "port", "25")) == "Mail server: port 25"
    assert asked("Which database does the billing service use?", BILLING) == "Billing service uses PostgreSQL"
    assert asked("What does Bo like?", ("Bo", "prefers", "small functions")) == "Bo likes small functions"
    free = asked("Where does the mail server run?", ("mail server", "runs_in", "Frankfurt"), free=True)
    assert free == "Mail server runs in Frankfurt"


def test_the_line_has_the_sentence_that_says_it() -> None:
    fact = Fact(subject="Ana Lima", predicate="lives_in", object="Porto", memory="1", confidence=0.8)
    said = hit("1", "She left in May. Ana lives in porto, by the sea.\n\nShe likes it.")
    found = answer_line(answer("where does ana lima live", (said,), (fact,)), at=NOW)
    assert found
    assert found.said == "Ana lives in porto, by the sea."


def test_a_question_for_something_else_has_no_line() -> None:
    questions = (
        "When did Ana Lima move to Porto?",
        "Where did Ana Lima live?",
        "Where does Ana Lima not live?",
        "Where does Ana Lima's brother live?",
        "Where do Ana Lima and Bo live?",
        "Where does Ana live?",
        "Who lives with Ana Lima?",
        "Why does Ana Lima live in Porto?",
        "What lives in Ana Lima?",
        "Where in Porto does Ana Lima live?",
        "Ana Lima",
        "Where does she live?",
        "",
    )
    assert [one for one in questions if asked(one, ANA)] == []
    assert asked("What uses PostgreSQL?", ("PostgreSQL", "uses", "MVCC")) is None
    assert asked("What is PostgreSQL used by?", ("PostgreSQL", "uses", "MVCC")) is None
    assert asked("Who does Bo know?", ("Bo", "knows", "stress of exams")) is None
    assert asked("Who does the billing service use?", BILLING) is None
    assert asked("Where does the billing service use?", BILLING) is None
    assert asked("Where is Bo located?", ("Bo", "located_in", "middle of a novel")) is None
    assert asked("Which queue does the billing service use?", BILLING) is None


def test_a_fact_in_doubt_answers_nothing() -> None:
    where = "Where does Ana Lima live?"
    assert asked(where, ANA, ("Ana Lima", "lives_in", "Lisbon")) is None
    assert asked(where, ANA, confidence=0.5) is None
    assert asked(where, ANA, superseded_at=NOW - 1) is None
    assert asked(where, ANA, valid_until=NOW - 1) is None
    assert asked(where, ANA, valid_from=NOW + 1) is None
    assert [asked(where, ("Ana Lima", "lives_in", place)) for place in ("it", "Her sister in Porto")] == [None, None]
    fact = Fact(subject="Ana Lima", predicate="lives_in", object="Porto", memory="1", confidence=0.8)
    assert answer_line(answer(where, (hit("1"),), (fact,)), at=NOW)
    unsure = (hit("2"), hit("1", superseded_at=1), hit("1", conflicts=("2",)), hit("1", newer_text="3"))
    assert [one for one in unsure if answer_line(answer(where, (one,), (fact,)), at=NOW)] == []


def test_several_values_are_one_line_and_only_those_of_the_kind_that_is_asked_for() -> None:
    uses = [("billing service", "uses", name) for name in ("PostgreSQL", "Redis", "Kafka", "Nginx")]
    assert asked("What does the billing service use?", *uses[:2]) == "Billing service uses PostgreSQL and Redis"
    assert asked("What does the billing service use?", *uses) == (
        "Billing service uses PostgreSQL, Redis, Kafka and 1 more"
    )
    assert asked("Which message broker does the billing service use?", *uses[:2]) is None


def test_hits_that_say_the_same_are_one() -> None:
    text = "The nightly export runs at two in the morning."
    hits = (
        hit("1", text),
        hit("2", "Something else is said here."),
        hit("3", text.lower()),
        hit("4", text, superseded_at=1),
        hit("5", text, project="other"),
        hit("6", text, whole=False),
        hit("7", "Which database is it?", actor="ana"),
        hit("8", "which database is it", actor="ana"),
        hit("9", "Which database is it?", actor="bo"),
        hit("10", text, actor="bo"),
    )
    assert [(one.hit.id, [other.id for other in one.others]) for one in fold_equal(hits)] == [
        ("1", ["3", "10"]),
        ("2", []),
        ("4", []),
        ("5", []),
        ("6", []),
        ("7", ["8"]),
        ("9", []),
    ]
    assert fold_equal(hits)[0].count == 3
