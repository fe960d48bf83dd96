"""The patterns of sentences that state a change, made from the words of their language.

They match the form of `words.plain`. A sentence may have a cue in English too: "Update: der Port ist jetzt 81".
"""

from __future__ import annotations

import re
from functools import cache

from jotsam.pipeline.languages import UNSPACED, by_code, spaced, united
from jotsam.pipeline.languages.language import words

# Around the alternatives of a field: in a language with spaces, and in one without.
_PATTERNS = {
    "state": (r"\b(?:{})\b", "{}"),
    "correction": (r"\b(?:{})\b", "{}"),
    "renames": ("{}", "{}"),
    "moved": (r"\b(?:{})\w*", "{}"),
    "reason": (r"[,;]? \b(?:{})\b.*$", "{}"),
    "lead": (r"^(?:{})\b ?[:,：，、] ?", r"^(?:{})\b ?[:,：，、] ?"),
    "since": (r"^(?:{}) [^,]{{1,24}}, ", "(?!)"),
    "open_label": (r"^\W*(?:{})(?: \d+)? ?:", r"^\W*(?:{})\d*[:：]"),
    "as_said": (r",? (?:{}).*$", "(?!)"),
    "interjection": (r"^(?:(?:{})[,:!.]? )+(?=\w)", r"^(?:{})[，,、]?"),
    "opens_vaguely": ("^(?:{})", "(?!)"),
    "afterthought": (r", (?:{}) .*$|\([^)]*\)| - .*$| – .*$", r"（.*?）"),
    "definite": (r"^(?:\w+ )?(?:{})\b|^[^ ]+(?: [^ ]+)?'s ", "(?!)"),
    "guard_phrases": (r"\b(?:{})\b", "{}"),
    "no_guards": ("{}", "(?!)"),
    "cue_characters": ("(?!)", "{}"),
}


@cache
def cue(field: str, code: str) -> re.Pattern[str]:
    """The pattern of a field in a language."""
    is_spaced = code not in UNSPACED
    among = dict.fromkeys((code, "en")) if is_spaced else UNSPACED
    found = "|".join(filter(None, (getattr(by_code(one), field) for one in among)))
    return re.compile(_PATTERNS[field][0 if is_spaced else 1].format(found))


@cache
def own_guards(code: str) -> frozenset[str]:
    return words(by_code(code).own_guards)


@cache
def guard_stems() -> tuple[str, ...]:
    return tuple(united("guard_stems"))


@cache
def phrase_starts() -> frozenset[str]:
    """What phrases of guards begin with: they are looked for only where one of the words occurs."""
    return frozenset(re.findall(r"(?<![^|])[^\W_]+", "|".join(one.guard_phrases for one in spaced())))


@cache
def cue_words() -> frozenset[str]:
    """A sentence without any of these states no change. One check of its words costs little."""
    return united("cue_words").union(*(_forms(f"{one.change_forms}|{one.end_forms}") for one in spaced()))


def _forms(pattern: str) -> frozenset[str]:
    """The first words of the alternatives of a pattern. A letter before a question mark may be missing."""
    found: set[str] = set()
    for word in pattern.split("|"):
        forms = {""}
        for letter, mark in re.findall(r"(\w)(\??)", word.split(" ")[0]):
            forms = {form + letter for form in forms} | (forms if mark else set())
        found |= forms
    return frozenset(found)
