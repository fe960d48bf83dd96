"""Judge what a text says that is worth keeping: the claims it makes, each with its kind and how sure that is.

Deterministic, for English and Chinese. It prefers silence: a sentence without a sure sign claims nothing. Whether a
claim becomes lasting is decided elsewhere, by how many sessions make it.
"""

from __future__ import annotations

import re
from itertools import accumulate

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.extraction.classify import classify
from jotsam.pipeline.extraction.summarise import says_something
from jotsam.pipeline.extraction.type_cues import HABIT
from jotsam.pipeline.lifecycle.triage_cues import (
    CUES,
    DECISION,
    EXPLAINED,
    FACT,
    GENERAL,
    HAN_CUES,
    LASTING,
    LEARNING,
    MARKED,
    MOMENTARY,
    PASSING,
    PREFERENCE,
    PROCEDURE,
)
from jotsam.pipeline.statements.read import UNKNOWN_VERB, read_statements
from jotsam.pipeline.statements.sentences import split
from jotsam.pipeline.statements.values import DATE, NAME, NUMBER, TIME, WEEKDAY
from jotsam.pipeline.statements.words import is_cjk

# Rises when a change of the rules makes it worth judging all memories again.
VERSION = 2

ASSISTANTS = frozenset(("assistant", "agent", "ai", "model", "bot"))
OTHERS = frozenset(("tool", "system", "function"))  # these speak for no person

MAX_CHARACTERS = 20_000
MAX_CLAIMS = 8
MAX_ASKED = 600  # characters of a text that a model is asked about
MIN_WORDS, MIN_HAN = 4, 6  # of a claim

SURE, GENERALLY = 0.6, 0.7  # of a claim that is about this case perhaps, and of one that is general
BY_CUE, BY_STATEMENT, MARK = 0.7, 0.6, 0.1

_EMPHASIS = lazy_pattern(r"\*\*|__(?=\W|$)|(?<!\w)__")
_ALWAYS = lazy_pattern(r"\balways\b", re.IGNORECASE)  # "I always forget it" is no habit that lasts
_NO_BEGINNING = ("-", "{", "<", "[", "$", "(", ")", "=", "/")  # commands, data, lines of a list of tasks
_BY_TYPE = {"Decision": DECISION, "Preference": PREFERENCE, "Style": PREFERENCE, "Insight": LEARNING, HABIT: FACT}
_VALUES = (NAME, NUMBER, TIME, WEEKDAY, DATE)
_ORDER = (PREFERENCE, DECISION, PROCEDURE, LEARNING, FACT)  # Of equally sure claims the first is the best.


class Claim(Record):
    """A sentence of a text that states something lasting."""

    kind: str
    text: str
    confidence: float


class Judgement(Record):
    """What was decided about a text: its kind, and its best claim if it has one."""

    kind: str | None = None
    claim: Claim | None = None


def judge(text: str, *, actor: str | None = None) -> Judgement:
    """The best claim of a text. Without one, the kind of its first sentence that is of a kind that does not last."""
    found, passing = _read(text, actor)
    if found:
        best = max(found, key=lambda claim: (claim.confidence, -_ORDER.index(claim.kind)))
        return Judgement(kind=best.kind, claim=best)
    return Judgement(kind=passing)


def claims(text: str, *, actor: str | None = None) -> tuple[Claim, ...]:
    """All claims of a text, at most eight, in their order."""
    return _read(text, actor)[0]


def _read(text: str, actor: str | None) -> tuple[tuple[Claim, ...], str | None]:
    who = (actor or "").lower()
    found: list[Claim] = []
    passing: str | None = None
    for sentence in () if who in OTHERS else map(_plain, split(text[:MAX_CHARACTERS])):
        kind, confidence = _kind(sentence)
        if kind is None or is_of_assistant(kind, who):
            continue
        if kind not in LASTING:
            passing = passing or kind
        elif len(found) < MAX_CLAIMS:
            found.append(Claim(kind=kind, text=sentence, confidence=_confidence(sentence, kind, confidence)))
    return tuple(found), passing


def is_of_assistant(kind: str | None, actor: str | None) -> bool:
    """Whether it is decided or preferred by an assistant, and so not by its user."""
    return kind in (DECISION, PREFERENCE) and (actor or "").lower() in ASSISTANTS


def asked_about(text: str, *, actor: str | None = None) -> tuple[str, ...]:
    """The sentences of a text that may last, for a model that judges them; () if none may."""
    found: list[str] = []
    if (actor or "").lower() not in OTHERS:
        for sentence in map(_plain, split(text[:MAX_CHARACTERS])):
            is_marked = MARKED.search(sentence) is not None
            if _is_sentence(sentence) and (is_marked or not PASSING.match(sentence)):
                found.append(sentence)
    fits = [*accumulate(len(one) + 1 for one in found)]
    return tuple(one for one, size in zip(found, fits, strict=True) if size <= MAX_ASKED)


def _confidence(sentence: str, kind: str, confidence: float) -> float:
    """How sure a claim is: without a sign that it is general, less than `GENERALLY`."""
    is_general = GENERAL[kind].search(sentence) is not None or MARKED.search(sentence) is not None
    return round(max(confidence, GENERALLY) if is_general else min(confidence, SURE), 2)


def _plain(sentence: str) -> str:
    """The sentence without marks of emphasis."""
    return _EMPHASIS.sub("", sentence).strip()


def is_quoted(claim: str, text: str) -> bool:
    """Whether a text contains a claim word by word."""
    return " ".join(_plain(claim).split()) in " ".join(_plain(text).split())


def _kind(sentence: str) -> tuple[str | None, float]:
    """The kind of a sentence and how sure it is; None: it says nothing."""
    if not _is_sentence(sentence):
        return None, 0.0
    is_han = is_cjk(sentence)
    mark = MARK if MARKED.search(sentence) else 0.0
    cue = next((kind for kind, pattern in (HAN_CUES if is_han else CUES) if pattern.search(sentence)), None)
    if not mark and cue != FACT and PASSING.match(sentence):
        return None, 0.0
    is_momentary = not mark and _momentary(sentence) is not None
    if cue is not None and not (cue in LASTING and is_momentary):
        return cue, BY_CUE + mark
    if is_momentary:
        return None, 0.0
    typed = classify(sentence)
    if typed.type in _BY_TYPE and not (typed.type == HABIT and _ALWAYS.search(sentence)):
        return _BY_TYPE[typed.type], typed.confidence + mark
    return (FACT, BY_STATEMENT + mark) if _is_statement(sentence) else (None, 0.0)


def _momentary(sentence: str) -> re.Match[str] | None:
    """What makes a sentence mean something only now, or beside another; its own words and its project do not."""
    return MOMENTARY.search(EXPLAINED.sub("", sentence))


def objection(text: str, *, actor: str | None = None) -> str:
    """Why the rules find no claim in a text that may seem to make one, in words for a person."""
    who = (actor or "").lower()
    if who in OTHERS:
        return f"said by {who}, which speaks for no person"
    sentences = [sentence for sentence in map(_plain, split(text[:MAX_CHARACTERS])) if _is_sentence(sentence)]
    if not sentences:
        return "no statement: only questions, commands, data or a few words"
    for sentence in sentences:
        kind = _kind(sentence)[0]
        if is_of_assistant(kind, who):
            return f"a {kind} of an assistant, not of its user"
        if kind is not None:
            return f"not lasting: {kind}"
    if found := next(filter(None, map(_momentary, sentences)), None):
        return f"not lasting: {found[0]!r} holds for the moment, or needs what was said before it"
    return "not lasting: no words say that it holds from now on"


def _is_sentence(text: str) -> bool:
    """Whether it is a sentence of some length, and no question, command or data."""
    if text.endswith(("?", "？")) or text.startswith(_NO_BEGINNING) or not says_something(text):
        return False
    return len(text) >= MIN_HAN if is_cjk(text) else len(text.split()) >= MIN_WORDS


def _is_statement(sentence: str) -> bool:
    """Whether it gives one certain thing a value that lasts."""
    return any(
        not (one.hedged or one.measured)
        and one.attribute != UNKNOWN_VERB
        and (one.attribute or one.kind in _VALUES)  # "Balance is key" is an opinion.
        and not any(value.unit for value in one.values)  # "It takes 4 minutes" is a reading.
        and len(one.about) > 1
        for one in read_statements(sentence)
    )
