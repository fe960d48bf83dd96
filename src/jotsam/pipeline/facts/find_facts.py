"""Extract facts (subject, predicate, object) by rules, with precision before recall.

Sources of facts: sentences with a known verb (`sentences`), "replaced X with Y" and "moved from X to Y"
(`replacements`), attributes such as "my dog Max" and "the port of Flask is 5000" (`attributes`), clauses with any other
verb (`clauses`), table rows and list entries (`tables_and_lists`), and a few Chinese sentences. `annotated_text` holds
the input; `subjects`, `objects` and `phrases` find where a subject and an object begin and end.

The subject must be complete (a name, "we", "the importer"), the object a name or short. Conditions, questions,
negations, quotations, headings and code give no facts. Combining sentences needs a model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from jotsam.core.records import Fact
from jotsam.pipeline.facts.annotated_text import AnnotatedText
from jotsam.pipeline.facts.attributes import attribute_facts
from jotsam.pipeline.facts.chinese_sentences import chinese_facts
from jotsam.pipeline.facts.clauses import clause_facts
from jotsam.pipeline.facts.clear_facts import is_clear
from jotsam.pipeline.facts.predicates import in_set
from jotsam.pipeline.facts.replacements import replacement_facts
from jotsam.pipeline.facts.sentences import sentence_facts
from jotsam.pipeline.facts.tables_and_lists import table_and_list_facts
from jotsam.pipeline.languages.en import STOP_WORDS

Rule = Callable[[AnnotatedText], Iterable[Fact]]
Run = Callable[[Rule, AnnotatedText], Iterable[Fact]]

_KNOWN_VERBS: tuple[Rule, ...] = (sentence_facts, replacement_facts, attribute_facts)
_OTHERS: tuple[Rule, ...] = (table_and_list_facts, chinese_facts)
MAX_FACTS = 16
MAX_CHARACTERS = 20_000  # The rest of a longer text is not searched.


def _run(rule: Rule, annotated: AnnotatedText) -> Iterable[Fact]:
    return rule(annotated)


def find_facts(
    text: str, *, said_at: int, actor: str | None = None, names: Collection[str] = (), run: Run = _run
) -> tuple[Fact, ...]:
    """The facts of a text, at most 16, unique by subject, predicate and object. Lines must end in LF.

    Facts of known verbs come first, then attributes, then other clauses, then tables and lists. "I" is replaced by
    `actor` if given. `names` are names known to be in the text. A date in the sentence sets the
    validity; relative dates are resolved against `said_at`, in milliseconds. `run` calls each source of facts.
    """
    annotated = AnnotatedText.of(text[:MAX_CHARACTERS], said_at=said_at, actor=actor, names=names)
    known = [fact for rule in _KNOWN_VERBS for fact in run(rule, annotated)]
    found: dict[tuple[str, str, str], Fact] = {}
    for fact in (
        *known,
        *_not_told(run(clause_facts, annotated), known),
        *(fact for rule in _OTHERS for fact in run(rule, annotated)),
    ):
        if fact.subject.lower() != fact.object.lower() and is_clear(fact, names):
            one = in_set(fact)
            found.setdefault((one.subject.lower(), one.predicate, one.object.lower()), one)
    return tuple(found.values())[:MAX_FACTS]


def _not_told(facts: Iterable[Fact], known: Iterable[Fact]) -> list[Fact]:
    """The facts that differ from those of known verbs, which are more certain."""
    told = [({*fact.subject.lower().split()}, _content(fact.object)) for fact in known]
    return [fact for fact in facts if not any(_says_the_same(fact, *other) for other in told)]


def _says_the_same(fact: Fact, subject: set[str], object: set[str]) -> bool:
    own = _content(fact.object)
    if own <= subject | object:
        return True
    return not subject.isdisjoint(fact.subject.lower().split()) and 2 * len(own & object) >= min(len(own), len(object))


def _content(text: str) -> set[str]:
    return {word for word in text.lower().split() if word not in STOP_WORDS}
