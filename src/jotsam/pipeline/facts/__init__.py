"""Facts by patterns: who does what to whom, where a text says so in plain words. Few and right.

Four kinds of place say facts, each in a room of its own: a sentence with a verb that is known (`sentences`), one whose
verb has two names (`changes`), what belongs to somebody or something (`traits`: "my dog Max", "the port of Flask is
5000"), and a line or a row that is laid out to say it (`lines`). `page` holds the text; `subjects` and `objects` say
where a subject and an object begin and end.

What stands on the left must be the whole subject of its sentence (a name, "we", "the importer"), and what stands on
the right must be named or short. A condition, a question, a negation, a quotation, a heading and code say nothing. It
must not resolve "it" and "they", and it must not combine sentences: that takes a model.
"""

from __future__ import annotations

from jotsam.core.records import Fact
from jotsam.pipeline.facts.annotated_text import AnnotatedText
from jotsam.pipeline.facts.attributes import attribute_facts
from jotsam.pipeline.facts.chinese_sentences import chinese_facts
from jotsam.pipeline.facts.replacements import replacement_facts
from jotsam.pipeline.facts.sentences import sentence_facts
from jotsam.pipeline.facts.tables_and_lists import table_and_list_facts

__all__ = ["MAX_CHARACTERS", "MAX_FACTS", "find_facts"]

MAX_FACTS = 16
MAX_CHARACTERS = 20_000
"""Further than this into a text nobody looks for facts."""


def find_facts(text: str, *, said_at: int, actor: str | None = None) -> tuple[Fact, ...]:
    """What a text says in plain words, at most 16: sentences first, then rows and lines, each in their order.

    "I" is the `actor`, where there is one. A fact is valid from the day that its sentence names, else from no known
    day; lines must end in LF.
    """
    annotated = AnnotatedText.of(text[:MAX_CHARACTERS], said_at=said_at, actor=actor)
    found: dict[tuple[str, str, str], Fact] = {}
    for fact in (
        *sentence_facts(annotated),
        *replacement_facts(annotated),
        *attribute_facts(annotated),
        *table_and_list_facts(annotated),
        *chinese_facts(annotated),
    ):
        if fact.subject.lower() != fact.object.lower():
            found.setdefault((fact.subject.lower(), fact.predicate, fact.object.lower()), fact)
    return tuple(found.values())[:MAX_FACTS]
