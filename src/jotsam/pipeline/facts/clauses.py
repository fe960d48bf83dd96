"""Facts of clauses with any verb: "Ines presented the new form", "the importer keeps its index in Tantivy".

The verb is found by its form, not by a list of predicates: see `verb_forms`. So these facts never end another: one with
a functional predicate needs a subject with a proper name and is less certain than what may end a fact.
"""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.predicates import FUNCTIONAL
from jotsam.core.records import Fact
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import AnnotatedText, is_statement, opens, source_text, validity
from jotsam.pipeline.facts.clause_subjects import NO_BEGINNING, ClauseSubject, clause_subject
from jotsam.pipeline.facts.clause_verbs import (
    COMPLEMENTED,
    FINITE_AUXILIARIES,
    IS,
    PREPOSITIONS,
    VerbGroup,
    after_adverbs,
    verb_group,
)
from jotsam.pipeline.facts.objects import CONTEXT_DEPENDENT
from jotsam.pipeline.facts.phrases import ObjectPhrase, object_phrase
from jotsam.pipeline.facts.predicates import normalise_predicate
from jotsam.pipeline.facts.replacements import REPLACES
from jotsam.pipeline.facts.subjects import Subject, is_specific
from jotsam.pipeline.facts.verb_forms import PARTICIPLE, PAST, PLAIN, REPORTING, SINGULAR, uses_of
from jotsam.pipeline.text.tokens import CLAUSE, POSSESSIVE, SENTENCE

NAMED_CONFIDENCE, DESCRIBED_CONFIDENCE = 0.7, 0.6
GUESSED_CONFIDENCE = 0.5  # an unknown verb, or a pronoun for the subject of the previous sentence
UNCERTAIN_CONFIDENCE = 0.45  # below `predicates.MIN_CONFIDENCE`: ends no other fact

_HEDGES = gazetteer.word_set(
    "maybe perhaps probably possibly presumably hopefully supposedly allegedly apparently think guess wish hope"
)
_NO_PREDICATES = frozenset((REPLACES, "replaced_by", "named", "has_to", "is_by"))


def clause_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    """The facts of the clauses of a text."""
    prose = annotated.prose
    previous: Subject | None = None  # of the previous sentence
    current: Subject | None = None
    for at in range(len(prose.words)):
        gap = prose.gaps[at]
        if gap == SENTENCE:
            previous, current = current, None
        if prose.in_heading[at] or gap in (POSSESSIVE, "/") or prose.lower[at] in NO_BEGINNING:
            continue
        if gap == " " and at and _is_plain(annotated, at):
            continue
        if not (opens(annotated, at) or _is_introduced(annotated, at)) or (gap == " " and _is_relative(annotated, at)):
            continue
        found = clause_subject(annotated, at, previous=previous if gap == SENTENCE else None)
        if (
            found is None
            or found.verb >= len(prose.words)
            or not is_statement(annotated, found.verb)
            or not _is_asserted(annotated, at, found.verb)
        ):
            continue
        subject = found.subjects[0]
        facts = tuple(_predications(annotated, found))
        if current is None and len(found.subjects) == 1 and subject.is_named and not subject.is_speaker:
            is_alone = not any(fact.object[:1].isupper() for fact in facts if fact.predicate != IS)
            current = subject if is_alone else None
        yield from facts


def _is_plain(annotated: AnnotatedText, at: int) -> bool:
    """Whether the word before it opens no clause: a faster check than `opens`."""
    return annotated.prose.lower[at - 1] not in _OPENERS and annotated.prose.lower[at] not in _AFTER_INTRODUCTION


_OPENERS = gazetteer.word_set(
    """
    and but because that since so says said as where why then therefore fyi btw yesterday today recently lately week
    month year monday tuesday wednesday thursday friday saturday sunday ago
    """
)
_AFTER_INTRODUCTION = frozenset(("i", "we", "the", "our"))


def _is_introduced(annotated: AnnotatedText, at: int) -> bool:
    """Whether only a short addition precedes it in its sentence: "For the survey we ...", "Since May the ..."."""
    prose = annotated.prose
    if prose.lower[at] not in _AFTER_INTRODUCTION or prose.gaps[at] != " ":
        return False
    start = at
    while start > 0 and at - start <= 4 and prose.gaps[start] == " ":
        start -= 1
    is_long_enough = at - start >= 2 and prose.lower[at - 1] not in PREPOSITIONS
    return is_long_enough and prose.gaps[start] == SENTENCE and prose.lower[start] in ("in", "at", "on", "for", "since")


def _is_relative(annotated: AnnotatedText, at: int) -> bool:
    """Whether the "that" before it follows a noun: "the book that Ann wrote"."""
    lower = annotated.prose.lower
    return lower[at - 1] in ("that", "where", "as") and (
        at < 2 or (lower[at - 2] != "out" and REPORTING.isdisjoint(uses_of(lower[at - 2]).values()))
    )


def _is_asserted(annotated: AnnotatedText, start: int, verb: int) -> bool:
    prose = annotated.prose
    first = start
    while first > 0 and start - first < 8 and prose.gaps[first] not in (SENTENCE, CLAUSE):
        first -= 1
    return _HEDGES.isdisjoint(prose.lower[first : verb + 3])


def _predications(annotated: AnnotatedText, found: ClauseSubject) -> Iterator[Fact]:
    """The facts of the verbs of one subject: of the first, of those after "and", and of a relative clause."""
    prose = annotated.prose
    subjects, at, auxiliary = found.subjects, found.verb, found.auxiliary
    is_person = subjects[0].is_speaker
    for count in range(3):
        group = verb_group(annotated, at, auxiliary=auxiliary, is_person=is_person)
        phrase = _phrase(annotated, group) if group is not None else None
        if group is None or phrase is None:
            return
        if _is_clear(annotated, subjects, group, phrase):
            yield from _facts(
                annotated, subjects, group, phrase, (at, phrase.end), is_guess=found.is_guess or count > 0
            )
        end = phrase.end
        following = prose.lower[end : end + 1]
        if following in (("that",), ("which",)) and prose.gaps[end] == " " and not group.is_intention:
            if not group.is_copula:
                subjects = (Subject(name=phrase.texts[-1], is_named=phrase.is_named),)
            if len(phrase.texts) > 1 or not is_specific(subjects[0]):
                return
            at, auxiliary, is_person = end + 1, "", False
        elif following == ("and",) and prose.gaps[end] in (" ", ",") and _is_second_verb(annotated, end + 1, group):
            at = end + 1
            is_participle = SINGULAR not in uses_of(prose.lower[at]) and (group.is_passive or group.is_copula)
            auxiliary = "is" if is_participle and PARTICIPLE in uses_of(prose.lower[at]) else ""
        else:
            return


def _is_second_verb(annotated: AnnotatedText, at: int, group: VerbGroup) -> bool:
    at = after_adverbs(annotated, at)
    if at >= len(annotated.prose.words) or annotated.prose.gaps[at] != " ":
        return False
    uses = uses_of(annotated.prose.lower[at])
    return annotated.prose.lower[at] in FINITE_AUXILIARIES or SINGULAR in uses or PAST in uses


def _phrase(annotated: AnnotatedText, group: VerbGroup) -> ObjectPhrase | None:
    """The object of a verb group; of an intention, with its verb: "move to Aarhus"."""
    if not group.is_intention:
        return object_phrase(annotated, group.start, is_copula=group.is_copula)
    inner = verb_group(annotated, group.start, is_person=True)
    phrase = object_phrase(annotated, inner.start) if inner is not None and not inner.is_copula else None
    if phrase is None or len(phrase.texts) != 1:
        return None
    if phrase.texts[0].split()[0].endswith("ing") or PLAIN in uses_of(phrase.texts[0].split()[0].lower()):
        return None
    last = phrase.end
    return phrase.replace(texts=(source_text(annotated, (group.start, last)),), has_article=False)


def _is_clear(annotated: AnnotatedText, subjects: tuple[Subject, ...], group: VerbGroup, phrase: ObjectPhrase) -> bool:
    """Whether a reader who knows only this fact understands it."""
    words = phrase.texts[0].lower().split()
    is_definite = phrase.has_article and annotated.prose.lower[group.start] in CONTEXT_DEPENDENT
    is_number = words[0][0].isdigit()
    if group.is_copula and len(words) == 1 and not (phrase.is_named or group.is_state or is_number):
        return False
    if group.is_copula and is_number and not (subjects[0].is_named or " " in subjects[0].name):
        return False
    if subjects[0].is_speaker and is_definite and len(words) < 3 and not phrase.is_named:
        return False
    if subjects[0].is_speaker:
        if len(words) == 1 and (words[0].endswith(("ing", "ed")) or not phrase.is_named):
            return False
    elif not {"my", "our", "me", "us"}.isdisjoint(words):
        return False
    if group.predicate in COMPLEMENTED and annotated.prose.lower[phrase.end : phrase.end + 1] == ("to",):
        return False
    return not (group.is_by and not phrase.is_named)


def _facts(
    annotated: AnnotatedText,
    subjects: tuple[Subject, ...],
    group: VerbGroup,
    phrase: ObjectPhrase,
    span: tuple[int, int],
    *,
    is_guess: bool,
) -> Iterator[Fact]:
    predicate = normalise_predicate(group.predicate)
    if not predicate or predicate in _NO_PREDICATES:
        return
    valid_from, valid_until = validity(annotated, span)
    for subject in subjects:
        confidence = NAMED_CONFIDENCE if subject.is_named else DESCRIBED_CONFIDENCE
        if is_guess or not group.is_known:
            confidence = GUESSED_CONFIDENCE
        if predicate in FUNCTIONAL:
            if not subject.is_named or not (subject.name[0].isupper() or subject.name.startswith("my ")):
                continue
            confidence = UNCERTAIN_CONFIDENCE
        for text in phrase.texts:
            ends = (text, subject.name) if group.is_by else (subject.name, text)
            yield Fact(
                subject=ends[0],
                predicate=predicate,
                object=ends[1],
                confidence=confidence,
                valid_from=valid_from,
                valid_until=valid_until,
            )
