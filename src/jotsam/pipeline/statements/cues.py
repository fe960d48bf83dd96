"""The patterns of sentences that state a change, compiled from the words of all languages.

They match the form of `sentences.plain`. A pattern without a language is looked for in all of them.
"""

from __future__ import annotations

import re
from functools import cache

from jotsam.pipeline.languages import by_code, either, spaced, united, unspaced
from jotsam.pipeline.languages.language import words


@cache
def replaces(code: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, by_code(code).replaces))


@cache
def ends(code: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, by_code(code).ends))


@cache
def guards(code: str) -> re.Pattern[str]:
    """What makes a sentence without spaces uncertain."""
    return re.compile(by_code(code).guard_phrases)


@cache
def own_guards(code: str) -> frozenset[str]:
    return words(by_code(code).own_guards)


def _unspaced(field: str) -> str:
    return "|".join(filter(None, (getattr(one, field) for one in unspaced())))


def _anywhere(field: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either(field)})\b|{_unspaced(field)}")


STATE, CORRECTION = _anywhere("state"), _anywhere("correction")
RENAME = re.compile(f"{either('renames')}|{_unspaced('renames')}")
MOVED = re.compile(rf"\b(?:{either('moved')})\w*|{_unspaced('moved')}")
CUE_CHARACTERS = re.compile(_unspaced("cue_characters"))
REASON = re.compile(rf"[,;]? \b(?:{either('reason')})\b.*$|{_unspaced('reason')}")
LEAD = re.compile(
    rf"^(?:(?:{either('lead')}|{_unspaced('lead')})\b ?[:,：，、] ?|(?:{either('since')}) [^,]{{1,24}}, )"
)
OPEN_LABEL = re.compile(rf"^\W*(?:{either('open_label')})(?: \d+)? ?:|^\W*(?:{_unspaced('open_label')})\d*[:：]")
AS_SAID = re.compile(rf",? (?:{either('as_said')}).*$")
INTERJECTION = re.compile(rf"^(?:(?:{either('interjection')})[,:!.]? )+(?=\w)|^(?:{_unspaced('interjection')})[，,、]?")
INDEFINITE = re.compile(either("opens_vaguely"))
AFTERTHOUGHT = re.compile(rf", (?:{either('afterthought')}) .*$|（.*?）|\([^)]*\)| - .*$| – .*$")
NO_GUARD = re.compile(either("no_guards"))
DEFINITE = re.compile(rf"^(?:\w+ )?(?:{either('definite')})\b|^[^ ]+(?: [^ ]+)?'s ")

GUARD_WORDS = united("guards")
GUARD_STEMS = tuple(united("guard_stems"))
GUARD_PHRASES = re.compile(rf"\b(?:{either('guard_phrases')})\b")
# What these phrases begin with: they are looked for only where one of the words occurs.
PHRASE_STARTS = frozenset(re.findall(r"(?<![^|])[^\W_]+", either("guard_phrases")))


def _forms(pattern: str) -> frozenset[str]:
    """The first words of the alternatives of a pattern. A letter before a question mark may be missing."""
    found: set[str] = set()
    for word in pattern.split("|"):
        forms = {""}
        for letter, mark in re.findall(r"(\w)(\??)", word.split(" ")[0]):
            forms = {form + letter for form in forms} | (forms if mark else set())
        found |= forms
    return frozenset(found)


# A sentence without any of these states no change. One check of its words costs little.
CUE_WORDS = united("cue_words").union(*(_forms(f"{one.change_forms}|{one.end_forms}") for one in spaced()))
