"""Classify a text by cues: memory type, confidence and importance.

The types are Decision, Preference, Pattern, Style, Habit, Insight, and Context for everything else. A type other than
Context is given only by a sure cue of `type_cues`. The words of a text are looked up once, and a pattern is tried only
if a word of its cue is there. Entities are not considered.
"""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.extraction.type_cues import (
    CONTEXT,
    CUES,
    DECISION,
    HABIT,
    HAN_CUES,
    INSIGHT,
    PATTERN,
    PREFERENCE,
    STYLE,
    Cue,
)
from jotsam.pipeline.languages import united, unspaced
from jotsam.pipeline.text.markdown import outline

LONG_TEXT = 400  # characters, above which a single cue is weak evidence

_UNSURE, _SINGLE, _MORE, _MOST = 0.3, 0.6, 0.8, 0.9
_ORDER = (DECISION, INSIGHT, PREFERENCE, HABIT, PATTERN, STYLE)  # Of types with equally many cues the first is given.
_WORD = lazy_pattern(r"\w+")
_HAN = lazy_pattern(r"[\u3040-\u30ff\u4e00-\u9fff]")
_SENTENCE = lazy_pattern(r"[.!?。！？](?:\s|$)|[。！？]|\n\s*\n")
_CONDITION = lazy_pattern(r"\b(?:if|should|whether|could|might)\b[^.!?\n]*\Z", re.IGNORECASE)
_DO_NOT_FORGET = lazy_pattern(r"\bdon['’]t\s+forget", re.IGNORECASE)
_BASE_IMPORTANCE = {DECISION: 0.7, INSIGHT: 0.7, PREFERENCE: 0.6, PATTERN: 0.55, HABIT: 0.55, STYLE: 0.55, CONTEXT: 0.4}
MAX_CHARACTERS = 20_000


class Classification(Record):
    """A memory type with its confidence, and the estimated importance of the text. Both are 0 to 1."""

    type: str
    confidence: float
    importance: float


def classify(text: str) -> Classification:
    """The type with the most cues in the prose of a text. Lines must end in LF.

    Confidence is 0.6 for one cue, 0.8 for two and 0.9 for more; without a cue the type is Context at 0.3. In a long
    text, and below a heading, a single cue counts only in the first two sentences. A cue in a question or a condition
    does not count.
    """
    text = text[:MAX_CHARACTERS]
    prose = _prose(text) if "```" in text or "~~~" in text or text.startswith("---") else text.strip()
    words = frozenset(_WORD.findall(prose.lower()))
    has_han = not prose.isascii() and _HAN.search(prose) is not None
    counts = _counts(prose, words, has_han=has_han)
    best = max(_ORDER, key=lambda name: counts.get(name, 0)) if counts else CONTEXT
    most = counts.get(best, 0)
    emphasised = len(words & united("emphasis")) + ("forget" in words and _DO_NOT_FORGET.search(prose) is not None)
    if has_han:
        emphasised += sum(sign in prose for one in unspaced() for sign in one.emphasis.split())
    confidence = (_UNSURE, _SINGLE, _MORE, _MOST)[min(most, 3)]
    return Classification(type=best, confidence=confidence, importance=_importance(best, prose, emphasised))


def _counts(prose: str, words: frozenset[str], *, has_han: bool) -> dict[str, int]:
    """How many cues of each type count."""
    cues = dict.fromkeys(cue for word in words & CUES.keys() for cue in CUES[word])
    found: dict[str, list[int]] = {}
    for cue in (*cues, *(HAN_CUES if has_han else ())):
        at = _first_match(cue, prose)
        if at is not None:
            found.setdefault(cue.type, []).append(at)
    if not found:
        return {}
    is_long = len(prose) > LONG_TEXT
    end = _end_of_beginning(prose) if is_long else len(prose)
    return {name: len(places) for name, places in found.items() if len(places) > 1 or places[0] < end}


def _first_match(cue: Cue, prose: str) -> int | None:
    """The offset of the first match that is stated, not asked or supposed."""
    for match in cue.pattern.finditer(prose):
        ending = _SENTENCE.search(prose, match.end())
        is_asked = ending is not None and ending.group()[:1] in "?？"
        if not is_asked and _CONDITION.search(prose, max(0, match.start() - 80), match.start()) is None:
            return match.start()
    return None


def _importance(name: str, prose: str, emphasised: int) -> float:
    if len(prose.split()) < 3 and prose.isascii():
        return 0.2
    return round(min(_BASE_IMPORTANCE[name] + 0.1 * min(emphasised, 2), 1.0), 2)


def _prose(text: str) -> str:
    """The text without fenced blocks."""
    place, parts = 0, []
    for start, end in outline(text).fences:
        parts.append(text[place:start])
        place = end
    return "\n".join([*parts, text[place:]]).strip()


def _end_of_beginning(prose: str) -> int:
    """Where the first two sentences end, including headings."""
    ends = [match.end() for _, match in zip(range(2), _SENTENCE.finditer(prose), strict=False)]
    return ends[-1] if ends else LONG_TEXT
