"""Find the complete subject before a verb. Pronouns are not resolved."""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import (
    DETERMINERS,
    AnnotatedText,
    begins_sentence,
    is_named,
    opens,
    source_text,
)
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.tokens import SENTENCE, Span

WE = "we"

_ADVERBS = gazetteer.word_set(
    """
    also already currently now still always really has have had just recently finally internally usually mainly all
    primarily mostly therefore then both actually only automatically simply totally absolutely definitely officially
    """
)
_MODALS = frozenset(("may", "might", "must", "could", "would", "shall", "cannot", "not", "never", "no"))
_NOT_SUBJECTS = gazetteer.word_set(
    """
    you it they he she this that which who there what each both none all some one nobody noone nothing neither either
    few hardly anybody anyone anything somebody someone something everything
    """
)
_VAGUE_WORDS = gazetteer.word_set(
    """
    it this that them these those one something anything everything nothing both each all more most many several few
    two three some any other others same such what how way much lot bit
    """
)
# Meaningless without the surrounding sentences, alone or as the first word.
GENERIC_NOUNS = gazetteer.word_set(
    """
    output outputs result results goal goals idea problem issue reason question answer default option way difference
    example point section document documents page file files value values latter former method approach step rest
    other test tests change fix case cases thing things command code key line lines list table item items part next
    last first second third current new old existing following above below process purpose rule rules note title name
    main core exact total whole real actual only corresponding remaining solution alternative trick catch plan risk
    field fields column row entry body header function class variable parameter argument flag setting settings
    best worst favorite favourite biggest day night license licence stage
    """
)
# Meaningless alone, but not with an adjective: "the script", but "the import script".
_GENERIC_ALONE = gazetteer.word_set(
    """
    system script template suite corpus app application project user program tool service package module library
    follow-up deterministic community family everyone people song band series game town city village film movie album
    book novel show season club company school university church museum hotel building station river diocese county
    country group release documentary event episode character dam island airport region area organization organisation
    race match single track story play plant species bridge road lake mountain district township college venue label
    chain restaurant ship party music competition operators members work
    platform
    """
)
_PLACEHOLDERS = frozenset(("something", "foo", "bar", "baz", "xxx", "name"))
_LETTERS = lazy_pattern(r"[^\W\d_]{2}")


class Subject(Record):
    """The subject of a sentence."""

    name: str
    is_named: bool  # a name, not a description such as "the importer"
    is_speaker: bool = False  # "I" or "we"


def subjects_before(annotated: AnnotatedText, verb: int, *, is_plural: bool) -> tuple[Subject, ...]:
    """The subjects directly before the word at index `verb`; () if they may be incomplete.

    Only a plural verb can have several: "A, B and C use D" has three.
    """
    prose, at = annotated.prose, verb - 1
    if prose.gaps[verb] != " ":
        return ()
    while at > 0 and (prose.lower[at] in _ADVERBS or _is_adverb(prose.words[at])) and prose.gaps[at] == " ":
        at -= 1
    if at < 0 or prose.in_heading[at]:
        return ()
    if prose.lower[at] in ("i", WE, "i've", "we've"):
        return speaker_subject(annotated, at)
    if prose.lower[at] in _NOT_SUBJECTS:
        return ()
    several = _listed_subjects(annotated, at) if is_plural else ()
    return several or tuple(
        subject for subject in _single_subject(annotated, at, is_plural=is_plural) if is_specific(subject)
    )


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and word.islower() and len(word) > 5


def is_specific(subject: Subject) -> bool:
    """Whether it is not a number, a label such as R4, or a generic noun such as "the script"."""
    words = subject.name.lower().split()
    is_label = len(words) == 1 and (_LETTERS.search(subject.name) is None or words[0] in _PLACEHOLDERS)
    return not is_label and (subject.is_named or len(words) > 1 or words[0] not in _GENERIC_ALONE)


def speaker_subject(annotated: AnnotatedText, at: int) -> tuple[Subject, ...]:
    """The actor for "I", or "we", if a clause begins with it."""
    if not opens(annotated, at):
        return ()
    if annotated.prose.lower[at].startswith(WE):
        return (Subject(name=WE, is_named=True, is_speaker=True),)
    return (Subject(name=annotated.actor or "I", is_named=True, is_speaker=True),)


def _single_subject(annotated: AnnotatedText, at: int, *, is_plural: bool) -> tuple[Subject, ...]:
    prose = annotated.prose
    start = _start_of_name(annotated, at)
    if start <= at:
        before = start - 1
        has_determiner = start > 0 and prose.gaps[start] == " " and prose.lower[before] in DETERMINERS
        is_whole = opens(annotated, before if has_determiner else start)
        return (Subject(name=source_text(annotated, (start, at + 1)), is_named=True),) if is_whole else ()
    if _is_capitalised_opening(annotated, at):
        return (
            ()
            if prose.lower[at] in GENERIC_NOUNS or is_plural
            else (Subject(name=source_text(annotated, (at, at + 1)), is_named=False),)
        )
    return _described_subject(annotated, at)


def _start_of_name(annotated: AnnotatedText, at: int) -> int:
    """Index of the first word of the name that ends with word `at`; `at + 1` if it is not a name."""
    prose, start = annotated.prose, at + 1
    while start > 0 and at - start < 3 and is_named(annotated, start - 1) and (start > at or prose.gaps[start] == " "):
        start -= 1
    if start > 0 and start <= at and prose.gaps[start] == " " and _is_capitalised_opening(annotated, start - 1):
        start -= 1
    return start


def _is_capitalised_opening(annotated: AnnotatedText, at: int) -> bool:
    """Whether it is a capitalised word at the beginning of a sentence: possibly a name, and a complete subject."""
    word, lower = annotated.prose.words[at], annotated.prose.lower[at]
    is_plain = word[0].isupper() and "'" not in word.replace("’", "'") and lower not in STOP_WORDS
    return is_plain and lower not in _VAGUE_WORDS and begins_sentence(annotated, at)


def _described_subject(annotated: AnnotatedText, last: int) -> tuple[Subject, ...]:
    """Matches "the importer", "our nightly job": at most three words after a determiner that begins a clause."""
    prose = annotated.prose
    for start in range(last, max(last - 3, -1), -1):
        lower = prose.lower[start]
        if lower in STOP_WORDS or lower in _MODALS or prose.gaps[start] != " " or start == 0:
            return ()
        if prose.lower[start - 1] in ("the", "our", "my"):
            is_generic = lower in GENERIC_NOUNS or (start == last and lower in _VAGUE_WORDS)
            is_whole = not is_generic and prose.lower[start - 1] != "my" and opens(annotated, start - 1)
            return (Subject(name=source_text(annotated, (start, last + 1)), is_named=False),) if is_whole else ()
    return ()


def _listed_subjects(annotated: AnnotatedText, last: int) -> tuple[Subject, ...]:
    """Matches "Ana, Bob and Carl": names joined by commas or "and", the first of which begins a clause."""
    prose, spans, at = annotated.prose, list[Span](), last
    while len(spans) < 8:
        start = _start_of_name(annotated, at)
        if start > at:
            return ()
        spans.append((start, at + 1))
        before = start - 1
        if before > 0 and prose.lower[before] == "and" and prose.gaps[start] == " ":
            at = before - 1
            if prose.gaps[before] not in (" ", ","):
                return ()
        elif prose.gaps[start] == "," and spans[1:]:
            at = before
        else:
            break
    if len(spans) < 2 or not (prose.gaps[spans[-1][0]] == SENTENCE or opens(annotated, spans[-1][0])):
        return ()
    return tuple(Subject(name=source_text(annotated, span), is_named=True) for span in reversed(spans))
