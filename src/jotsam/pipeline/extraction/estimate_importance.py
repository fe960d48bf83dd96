"""Estimates how important a text is by what it states: dates, numbers, names, and words that are not mere talk. Pure.

It tells "Thanks, that sounds great!" from "I moved to Lyon in May". It is used where neither a caller nor a model gave
an importance. Questions state nothing. A text in another script than Latin is not judged.
"""

from __future__ import annotations

from functools import cache

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.languages import by_code, detect
from jotsam.pipeline.languages.language import names_of_days, numbered, table, words

MAX_CHARACTERS = 600  # that are read: a text that states nothing in as many is rare

LEAST, MOST = 0.05, 0.65
UNJUDGED = 0.5

# What each kind of statement adds, roughly as it raises the odds that a question is asked about it.
BEGIN = 0.1
DATE, NUMBER, QUOTATION = 0.15, 0.06, 0.1
SELF, OTHER = 0.04, -0.03  # about the speaker, or about whom it is said to
REPLY, FACT = 0.08, 0.06  # said in reply to a question; a fact was found in it
PLAIN = 0.06  # without any talk
WORD, MAX_WORDS = 0.01, 12
NAME, MAX_NAMES = 0.025, 3

_QUESTION = lazy_pattern(r"[^.!?\n]*\?")
_WORD = lazy_pattern(r"[a-zà-ɏ]{2,}|\bi\b")
_OTHER_SCRIPT = lazy_pattern(r"[\u0370-\u1fff\u2e80-\ud7ff\uf900-\ufdff]")
_NAME = lazy_pattern(r"[a-zà-ɏ,;:] [A-Z][a-zà-ɏ]+")
_QUOTATION = lazy_pattern(r"[\"“«„]\w")
_DIGIT = lazy_pattern(r"\d")


class _Known(Record):
    """The words of a language that count."""

    stop_words: frozenset[str]
    talk: frozenset[str]
    dates: frozenset[str]
    numbers: frozenset[str]
    selves: frozenset[str]
    others: frozenset[str]


@cache
def _known(code: str) -> _Known:
    one = by_code(code)
    units = table(one.units)
    return _Known(
        stop_words=words(one.stop_words or one.function),
        talk=words(one.talk),
        dates=words(f"{one.times} {units['week']} {units['month']} {units['year']}").union(names_of_days(one)),
        numbers=words(f"{one.counts} {one.more_numbers}").union(numbered(one.numbers)) - words(one.articles),
        selves=words(f"{one.first_person} {one.group}"),
        others=words(one.second_person),
    )


def estimate_importance(text: str, *, is_reply: bool = False, has_fact: bool = False) -> float:
    """From `LEAST` to `MOST`."""
    text = text[:MAX_CHARACTERS]
    if _OTHER_SCRIPT.search(text):
        return UNJUDGED
    stated = _QUESTION.sub(" ", text) if "?" in text else text
    said = {*_WORD.findall(stated.lower())}
    known = _known(detect([*said]).code)
    content = {word for word in said - known.stop_words - known.talk if len(word) > 2}
    has_digit = _DIGIT.search(stated) is not None
    if not content and not has_digit:
        return LEAST
    value = BEGIN + WORD * min(MAX_WORDS, len(content)) + NAME * min(MAX_NAMES, len(_NAME.findall(stated)))
    value += DATE * (not said.isdisjoint(known.dates)) + NUMBER * (has_digit or not said.isdisjoint(known.numbers))
    value += SELF * (not said.isdisjoint(known.selves)) + OTHER * (not said.isdisjoint(known.others))
    value += QUOTATION * (_QUOTATION.search(stated) is not None) + REPLY * is_reply + FACT * has_fact
    value += PLAIN * said.isdisjoint(known.talk)
    return round(min(MOST, max(LEAST, value)), 2)
