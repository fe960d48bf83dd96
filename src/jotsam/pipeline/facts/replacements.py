"""Facts about replacements: "we replaced MySQL with PostgreSQL", "we moved from Jenkins to GitHub Actions".

The verb has two names, and the preposition between them decides their roles.
"""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.records import Fact
from jotsam.pipeline.entities.name_spans import GIVEN_NAMES
from jotsam.pipeline.facts.annotated_text import AnnotatedText, is_statement, source_text, validity
from jotsam.pipeline.facts.objects import name_at
from jotsam.pipeline.facts.subjects import Subject, subjects_before
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import Span

REPLACES = "replaces"
CONFIDENCE = 0.8
_REPLACE_VERBS = frozenset(("replaced", "superseded"))
_MOVE_VERBS = frozenset(("moved", "migrated", "switched", "ported"))


def replacement_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    """The facts of "replaced X with Y" and "moved from X to Y"."""
    prose = annotated.prose
    for at, word in enumerate(prose.words):
        if word in _REPLACE_VERBS and not (prose.in_heading[at] or prose.in_backticks[at]):
            found = _pair(annotated, at + 1, ("with", "by"))
            if found and _subjects_of_statement(annotated, at):
                yield _fact(annotated, at, source_text(annotated, found[0]), "replaced_by", found[1])
        elif word in _MOVE_VERBS and prose.lower[at + 1 : at + 2] == ("from",) and prose.gaps[at + 1] == " ":
            found = _pair(annotated, at + 2, ("to",))
            if found:
                for subject in _subjects_of_statement(annotated, at):
                    yield _fact(annotated, at, subject.name, _move_predicate(word, subject), found[1])


def is_object_replaced(annotated: AnnotatedText, start: int, found: tuple[Subject, ...]) -> bool:
    """Whether the subject replaces the object by something else, and not by itself: "we replaced MySQL"."""
    is_pair = _pair(annotated, start, ("with", "by")) is not None
    return is_pair or any(subject.is_speaker for subject in found)


def _pair(annotated: AnnotatedText, start: int, prepositions: tuple[str, ...]) -> tuple[Span, Span] | None:
    """The spans of two names joined by one of the prepositions."""
    first = name_at(annotated, start)
    if first is None or annotated.prose.lower[first[1] : first[1] + 1] not in {
        (preposition,) for preposition in prepositions
    }:
        return None
    second = name_at(annotated, first[1] + 1) if annotated.prose.gaps[first[1]] == " " else None
    return None if second is None else (first, second)


def _subjects_of_statement(annotated: AnnotatedText, verb: int) -> tuple[Subject, ...]:
    return subjects_before(annotated, verb, is_plural=True) if is_statement(annotated, verb) else ()


def _move_predicate(word: str, subject: Subject) -> str:
    """A person moves to a place ("moved_to"), a team or system migrates ("migrated_to")."""
    is_person = subject.is_speaker and subject.name != "we"
    return (
        "moved_to" if word == "moved" and (is_person or slug(subject.name.split()[0]) in GIVEN_NAMES) else "migrated_to"
    )


def _fact(annotated: AnnotatedText, verb: int, subject: str, predicate: str, object_span: Span) -> Fact:
    valid_from, valid_until = validity(annotated, (verb, object_span[1]))
    text = source_text(annotated, object_span)
    return Fact(
        subject=subject,
        predicate=predicate,
        object=text,
        confidence=CONFIDENCE,
        valid_from=valid_from,
        valid_until=valid_until,
    )
