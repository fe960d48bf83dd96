"""Sentences with a verb that is known: "we chose PostgreSQL", "the importer depends on Redis and Kafka".

It must not know what a subject or an object looks like, and must not read tables and lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jotsam.core.records import Fact
from jotsam.pipeline.facts.annotated_text import AnnotatedText, is_statement, validity
from jotsam.pipeline.facts.objects import CONTEXT_DEPENDENT, objects_after, quoted_title
from jotsam.pipeline.facts.predicates import FUNCTIONAL
from jotsam.pipeline.facts.replacements import REPLACES, is_object_replaced
from jotsam.pipeline.facts.subjects import WE, Subject, speaker_subject, subjects_before
from jotsam.pipeline.facts.verb_table import BY_FIRST_WORD, NAMED, PHRASE, STATE, Verb
from jotsam.pipeline.text.tokens import Span

NAMED_CONFIDENCE, DESCRIBED_CONFIDENCE = 0.8, 0.6
"""How sure a fact is whose subject is a name, or only described."""

_PLACE_PREDICATES = frozenset(("born_in", "lives_in", "located_in", "moved_to", "from", "works_at"))
"""What follows a comma there is where the first lies: "Mysen, Norway"."""

_PERSONAL_PREDICATES = frozenset(("created", "started", "finished"))
"""What "we" do in a manual is an example: "we've just created a task"."""

_PARTS = re.compile(r"[\s.'’-]+")
_GENERIC_OBJECT_PREDICATES = frozenset(("owns", "plays", "responsible_for", "works_on"))
"""Of these "the" tells enough: "plays the violin"."""


def sentence_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    prose = annotated.prose
    for at, word in enumerate(prose.lower):
        for verb in BY_FIRST_WORD.get(word, ()):
            end = at + len(verb.words)
            if prose.lower[at:end] != verb.words or any(gap != " " for gap in prose.gaps[at + 1 : end]):
                continue
            if (
                any(prose.in_heading[at:end])
                or any(prose.in_backticks[at:end])
                or not (verb.includes_subject or prose.words[at].islower())
            ):
                break
            facts = tuple(_facts_of_verb(annotated, verb, (at, end)))
            yield from facts
            if facts or verb.takes != NAMED:
                break


def _facts_of_verb(annotated: AnnotatedText, verb: Verb, span: Span) -> Iterator[Fact]:
    start, end = span
    found_subjects = (
        speaker_subject(annotated, start)
        if verb.includes_subject
        else subjects_before(annotated, start, is_plural=verb.is_plural)
    )
    if not found_subjects or not is_statement(annotated, start):
        return
    if not all(_accepts(annotated, verb, subject, is_alone=len(found_subjects) == 1) for subject in found_subjects):
        return
    if verb.takes == STATE:
        objects_found: tuple[str, ...] = (" ".join(verb.words[1:]),) if _ends_clause(annotated, end) else ()
    elif _is_context_dependent(annotated, verb, end) or (
        verb.predicate == REPLACES and is_object_replaced(annotated, end, found_subjects)
    ):
        return
    else:
        objects_found = tuple(quoted_title(annotated, end) if verb.needs_person else ()) or tuple(
            objects_after(annotated, end, takes=verb.takes)
        )
        if verb.predicate == "provides" and "with" in annotated.prose.lower[end : end + 4]:
            objects_found = ()
        if verb.predicate in _PLACE_PREDICATES:
            objects_found = objects_found[:1]
        if verb.words[-1] == "the":
            objects_found = tuple(each for each in objects_found if " " in each)
    for subject in found_subjects:
        for object in objects_found:
            if object.lower().split()[-1] != subject.name.lower().split()[-1]:
                yield _fact(annotated, verb, subject, object, span)


def _accepts(annotated: AnnotatedText, verb: Verb, subject: Subject, *, is_alone: bool) -> bool:
    """Whether this verb may be said of this subject: people's verbs of people, and "use" only of several.

    "SQLite store holds" has no verb there. What ends earlier facts is only said of what has a name of its own.
    """
    if subject.is_speaker:
        return annotated.actor is not None or subject.name != WE or verb.predicate not in _PERSONAL_PREDICATES
    if verb.is_plural and is_alone and not subject.name.endswith("s"):
        return False
    if verb.is_passive and not subject.is_named and not subject.name[0].isupper():
        return False
    if verb.needs_person:
        return subject.is_named and subject.name[0].isupper() and all(map(str.isalpha, _PARTS.split(subject.name)))
    is_own = subject.is_named and not (subject.name.isalpha() and subject.name.islower())
    return is_own or verb.predicate not in FUNCTIONAL


def _is_context_dependent(annotated: AnnotatedText, verb: Verb, at: int) -> bool:
    """ "I love your idea", "we went to the place": known only to those who talk."""
    is_personal = verb.needs_person or verb.predicate in ("decided", "rejected")
    words = annotated.prose.lower[at : at + 1]
    return (
        verb.takes == PHRASE
        and is_personal
        and verb.predicate not in _GENERIC_OBJECT_PREDICATES
        and set(words) <= CONTEXT_DEPENDENT
    )


def _ends_clause(annotated: AnnotatedText, end: int) -> bool:
    """Whether the clause ends here: "is required to" says something else."""
    return end >= len(annotated.prose.words) or annotated.prose.gaps[end] != " "


def _fact(annotated: AnnotatedText, verb: Verb, subject: Subject, object: str, span: Span) -> Fact:
    valid_from, valid_until = validity(annotated, span)
    predicate = verb.predicate
    if predicate == "uses_no_more":
        predicate, valid_from, valid_until = "uses", None, annotated.said_at
    name = annotated.actor if annotated.actor and subject.name == WE and verb.needs_person else subject.name
    objects_found = (object, name) if verb.is_passive else (name, object)
    return Fact(
        subject=objects_found[0],
        predicate=predicate,
        object=objects_found[1],
        confidence=NAMED_CONFIDENCE if subject.is_named else DESCRIBED_CONFIDENCE,
        valid_from=valid_from,
        valid_until=valid_until,
    )
