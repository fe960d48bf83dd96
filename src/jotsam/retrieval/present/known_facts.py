"""The fact that answers a question, as a line above the results. For people only.

Pure. A fact answers if the question names its subject and its predicate, and it is certain enough: one of two parts
only shows where to look. A predicate with several objects at a time, such as `uses`, gives all of them.
"""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.predicates import FUNCTIONAL
from jotsam.core.records import Record
from jotsam.retrieval.question.mentions import fact_parts
from jotsam.storage.graph.facts import key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.answers import Answer
    from jotsam.core.records import Fact

CERTAIN = 0.7  # confidence: what a plain sentence states of a named subject
DESCRIBED = 0.6  # is enough for a subject of several words: "billing service"
NOUNS = frozenset(
    """
    address birthday branch budget capital deadline dimensions goal hobby hometown job language license limit port
    status timeout timezone version
    """.split()  # noqa: SIM905 - quoted words are harder to read than their text
)
MAX_OBJECTS = 4


class KnownFact(Record):
    """A fact in words, with what states it."""

    text: str  # "Ana lives in Lisbon"
    memory: str  # UUID of the memory that states it
    since: str  # the day from which it holds, if that is stated


def known_fact(answer: Answer) -> KnownFact | None:
    """The fact that answers the question of an answer, or None. Without what is superseded."""
    facts = _answering(answer.question, answer.facts)
    if not facts or answer.coverage.nothing:
        return None
    first = facts[0]
    objects = list(dict.fromkeys(fact.object for fact in facts))
    if first.predicate in FUNCTIONAL and len(objects) > 1:
        return None  # They contradict each other, which the results tell.
    more = ", ..." if len(objects) > MAX_OBJECTS else ""
    return KnownFact(
        text=f"{first.subject} {_in_words(first.predicate)} {', '.join(objects[:MAX_OBJECTS])}{more}",
        memory=first.memory,
        since="" if first.valid_from is None else format_time(first.valid_from)[:10],
    )


def _answering(question: str, facts: Iterable[Fact]) -> Sequence[Fact]:
    """The certain facts of the first subject and predicate that the question names both."""
    parts = fact_parts(question)
    found = [
        fact
        for fact in facts
        if fact.superseded_at is None
        and fact.confidence >= (DESCRIBED if " " in fact.subject.strip() else CERTAIN)
        and fact.predicate in parts.predicates
        and key(fact.subject) in parts.keys
    ]
    return [fact for fact in found if _asked(fact) == _asked(found[0])]


def _in_words(predicate: str) -> str:
    return f"{predicate}:" if predicate in NOUNS else predicate.replace("_", " ")


def _asked(fact: Fact) -> tuple[str, str]:
    return key(fact.subject), fact.predicate
