"""Facts of sentences with a known verb: "we chose PostgreSQL", "the importer depends on Redis and Kafka"."""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.patterns import lazy_pattern
from jotsam.core.predicates import FUNCTIONAL
from jotsam.core.records import Fact
from jotsam.pipeline.facts.annotated_text import AnnotatedText, is_statement, validity
from jotsam.pipeline.facts.objects import CONTEXT_DEPENDENT, objects_after, quoted_title
from jotsam.pipeline.facts.replacements import REPLACES, is_object_replaced
from jotsam.pipeline.facts.subjects import WE, Subject, speaker_subject, subjects_before
from jotsam.pipeline.facts.verb_table import BY_FIRST_WORD, NAMED, PHRASE, STATE, Verb
from jotsam.pipeline.text.tokens import Span

NAMED_CONFIDENCE, DESCRIBED_CONFIDENCE = 0.8, 0.6  # by the form of the subject
# After these, a name behind a comma is the region of the first: "Mysen, Norway".
_PLACE_PREDICATES = frozenset(("born_in", "lives_in", "located_in", "moved_to", "from", "works_at"))
# In documentation "we" with these is an example: "we've just created a task".
_PERSONAL_PREDICATES = frozenset(("created", "started", "finished"))
_PARTS = lazy_pattern(r"[\s.'’-]+")
# With these, an object with "the" is clear without context: "plays the violin".
_GENERIC_OBJECT_PREDICATES = frozenset(("owns", "plays", "responsible_for", "works_on"))


def sentence_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    """The facts of sentences with a verb of `verb_table`."""
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
    subjects = (
        speaker_subject(annotated, start)
        if verb.includes_subject
        else subjects_before(annotated, start, is_plural=verb.is_plural)
    )
    if not subjects or not is_statement(annotated, start):
        return
    if not all(_accepts(annotated, verb, subject, is_alone=len(subjects) == 1) for subject in subjects):
        return
    if verb.takes == STATE:
        objects: tuple[str, ...] = (" ".join(verb.words[1:]),) if _ends_clause(annotated, end) else ()
    elif _is_context_dependent(annotated, verb, end) or (
        verb.predicate == REPLACES and is_object_replaced(annotated, end, subjects)
    ):
        return
    else:
        objects = tuple(quoted_title(annotated, end) if verb.needs_person else ()) or tuple(
            objects_after(annotated, end, takes=verb.takes)
        )
        if verb.predicate == "provides" and "with" in annotated.prose.lower[end : end + 4]:
            objects = ()
        if verb.predicate in _PLACE_PREDICATES:
            objects = objects[:1]
        if verb.words[-1] == "the":
            objects = tuple(text for text in objects if " " in text)
    for subject in subjects:
        for object in objects:
            if object.lower().split()[-1] != subject.name.lower().split()[-1]:
                yield _fact(annotated, verb, subject, object, span)


def _accepts(annotated: AnnotatedText, verb: Verb, subject: Subject, *, is_alone: bool) -> bool:
    """Whether the verb fits the subject: a verb of people needs a person, a plural verb a plural subject.

    In "SQLite store holds", "store" is not a verb. A functional predicate, which ends earlier facts, needs a subject
    with a proper name.
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
    """Whether the object is clear only in the conversation: "I love your idea", "we went to the place"."""
    is_personal = verb.needs_person or verb.predicate in ("decided", "rejected")
    words = annotated.prose.lower[at : at + 1]
    return (
        verb.takes == PHRASE
        and is_personal
        and verb.predicate not in _GENERIC_OBJECT_PREDICATES
        and set(words) <= CONTEXT_DEPENDENT
    )


def _ends_clause(annotated: AnnotatedText, end: int) -> bool:
    """Whether the clause ends here: "is required to run" does not mean "is required"."""
    return end >= len(annotated.prose.words) or annotated.prose.gaps[end] != " "


def _fact(annotated: AnnotatedText, verb: Verb, subject: Subject, object: str, span: Span) -> Fact:
    valid_from, valid_until = validity(annotated, span)
    predicate = verb.predicate
    if predicate == "uses_no_more":
        predicate, valid_from, valid_until = "uses", None, annotated.said_at
    name = annotated.actor if annotated.actor and subject.name == WE and verb.needs_person else subject.name
    ends = (object, name) if verb.is_passive else (name, object)
    return Fact(
        subject=ends[0],
        predicate=predicate,
        object=ends[1],
        confidence=NAMED_CONFIDENCE if subject.is_named else DESCRIBED_CONFIDENCE,
        valid_from=valid_from,
        valid_until=valid_until,
    )
