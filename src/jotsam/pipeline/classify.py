"""Classify a text by cue words: memory type, confidence and importance.

The types are Decision, Preference, Pattern, Style, Habit, Insight, and Context for everything else. Cue words only:
entities are not considered.
"""

from __future__ import annotations

import re

from jotsam.core.names import TYPES
from jotsam.core.records import Record
from jotsam.pipeline.text.markdown import outline

DECISION, PREFERENCE, PATTERN, STYLE, HABIT, INSIGHT, CONTEXT = TYPES

LONG_TEXT = 400  # characters, above which a single cue is weak evidence

_UNSURE, _SINGLE, _MORE, _MOST = 0.3, 0.6, 0.8, 0.9
_CUES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        DECISION,
        (
            r"\bdecid(?:e|ed|es|ing)\s+(?:to|on|against|that|upon)\b|\bdecision\s*(?::|is|was|to)",
            r"\bchos(?:e|en)\b|\bwent\s+with\b|\bgoing\s+with\b|\bopted\s+(?:for|to)\b|\bsettled\s+on\b",
            r"\bpicked\s+\w+\s+over\b|\bselected\s+\w+\s+(?:over|as|for)\b|\b(?:we|i)(?:\s+will|['’]ll)\s+(?:use|switch)\b",
            r"\bagreed\s+(?:to|on|that)\b|\bswitch(?:ed|ing)\s+(?:to|from)\b|\bmigrat(?:ed|ing)\s+(?:to|from)\b",
            r"\binstead\s+of\b|\breplaced\s+\w+\s+(?:with|by)\b",
            r"决定|選定|选定|选择了|采用了|改用|決めた",
        ),
    ),
    (
        PREFERENCE,
        (
            r"\bprefer(?:s|red|ence|ences)?\b",
            r"\brather\s+than\b|\binstead\s+of\b|\bover\s+(?:dark|light|tabs|spaces)\b",
            r"\bfavou?rite\b|\blikes?\b[^.\n]{0,40}\b(?:better|more|best)\b|\bwould\s+rather\b",
            r"\balways\s+use\b|\bnever\s+use\b",
            r"\b(?:i|we|he|she|they)\s+(?:really\s+)?(?:like|love|hate|dislike|enjoy)s?\b",
            r"喜欢|偏好|更愿意|讨厌|好き",
        ),
    ),
    (
        HABIT,
        (
            r"\bevery\s+(?:time|day|morning|evening|night|week|month|monday|tuesday|wednesday|thursday|friday|sprint)\b",
            r"\b(?:i|we|he|she|they)\s+always\b|\bhabit(?:s|ually)?\b|\broutine(?:ly)?\b",
            r"\b(?:daily|weekly|monthly|nightly)\b|\bon\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days\b",
            r"每天|每次|每周|每週|每晚|总是|總是|习惯|習慣",
        ),
    ),
    (
        INSIGHT,
        (
            r"\breali[sz](?:e|ed|es|ing)\b|\bit\s+turns\s+out\b|\bturned\s+out\b|\bfigured\s+out\b",
            r"\bdiscovered\b|\blearn(?:ed|t)\s+that\b|\bfound\s+out\b|\bunderstood\b|\blesson(?:s)?\s+learned\b",
            r"\broot\s+cause\b|\bthe\s+(?:real\s+)?(?:reason|cause)\s+(?:is|was)\b|\bkey\s+(?:insight|finding|takeaway)s?\b",
            r"意识到|發現|发现|原来|明白了|根本原因",
        ),
    ),
    (
        PATTERN,
        (
            r"\busually\b|\btypically\b|\btends?\s+to\b|\bin\s+general\b|\bmost\s+of\s+the\s+time\b",
            r"\bpatterns?\s+(?:i|we)\b|\brecurring\b|\boften\b|\bfrequently\b|\bregularly\b|\bconsistently\b",
            r"\bwhenever\b|\bagain\s+and\s+again\b|\bkeeps?\s+\w+ing\b",
            r"通常|往往|经常|經常",
        ),
    ),
    (
        STYLE,
        (
            r"\b(?:coding|writing|naming|code|comment)\s+(?:style|convention)s?\b|\bstyle\s+(?:guide|rule)s?\b",
            r"\btone\b|\bformatted\s+(?:as|with|like)\b|\bwrit(?:es|ten|e)\s+in\s+(?:a|an|the)\s+\w+\s+(?:style|voice)\b",
            r"\b(?:snake_case|camelcase|kebab-case|pascalcase)\b|\bbullet\s+points\b|\bconcise(?:ly)?\b",
            r"风格|風格|语气|口吻",
        ),
    ),
)
_CUE_PATTERNS = tuple((name, tuple(re.compile(cue, re.IGNORECASE) for cue in cues)) for name, cues in _CUES)
_SENTENCE = re.compile(r"[.!?。！？](?:\s|$)|[。！？]|\n\s*\n")
_IMPORTANT = re.compile(
    r"\b(?:important|critical|crucial|must|never|always|remember|don['’]t\s+forget|urgent|security|breaking|deadline"
    r"|required|warning|caution|essential)\b|重要|必须|必須|切记|不要忘",
    re.IGNORECASE,
)
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
    text a single cue counts only in the first two sentences.
    """
    prose = _prose(text[:MAX_CHARACTERS])
    beginning = _beginning(prose)
    best, most, emphasised = CONTEXT, 0, 0
    for name, cues in _CUE_PATTERNS:
        count = sum(1 for cue in cues if cue.search(prose))
        if count == 1 and len(prose) > LONG_TEXT and not any(cue.search(beginning) for cue in cues):
            continue
        if count > most:
            best, most = name, count
    confidence = (_UNSURE, _SINGLE, _MORE, _MOST)[min(most, 3)]
    emphasised = len({match.group().lower() for match in _IMPORTANT.finditer(prose)})
    return Classification(type=best, confidence=confidence, importance=_importance(best, prose, emphasised))


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


def _beginning(prose: str) -> str:
    """The first two sentences, including headings."""
    ends = [match.end() for _, match in zip(range(2), _SENTENCE.finditer(prose), strict=False)]
    return prose[: ends[-1]] if ends else prose[:LONG_TEXT]
