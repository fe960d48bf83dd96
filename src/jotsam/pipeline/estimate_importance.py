"""Estimates how important a text is by what it states: dates, numbers, names, and words that are not mere talk. Pure.

It tells "Thanks, that sounds great!" from "I moved to Lyon in May". It is used where neither a caller nor a model gave
an importance. Questions state nothing. The words are English; in another language more of them count, so that a text is
rather called important. A text in another script than Latin is not judged.
"""

from __future__ import annotations

import re

from jotsam.pipeline.text.words import STOP_WORDS

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

_QUESTION = re.compile(r"[^.!?\n]*\?")
_WORD = re.compile(r"[a-zà-ɏ]{2,}|\bi\b")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1fff\u2e80-\ud7ff\uf900-\ufdff]")
_NAME = re.compile(r"[a-zà-ɏ,;:] [A-Z][a-zà-ɏ]+")
_QUOTATION = re.compile(r"[\"“«„]\w")
_DIGIT = re.compile(r"\d")

SELVES = frozenset(("i", "me", "my", "mine", "we", "us", "our", "ours"))
OTHERS = frozenset(("you", "your", "yours"))
_NUMBERS = """
    one two three four five six seven eight nine ten twelve dozen dozens hundred hundreds thousand thousands
    first second third once twice
"""
NUMBERS = frozenset(_NUMBERS.split())
_DATES = """
    yesterday today tonight tomorrow last next ago since recently weekend week weeks month months year years
    morning monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december spring summer autumn fall winter
"""
DATES = frozenset(_DATES.split())

# Words that greet, thank, praise, agree or encourage, and words that go with everything.
_TALK = """
    absolutely agree also always amazing anything appreciate awesome back beautiful best better big bit bye care
    chat congrats congratulations cool cute day days definitely don dream dreams even everything excited
    exciting feel feeling feels forward fun get getting glad going gonna good got great guess haha happy hear
    hearing hello help hey hope important impressive inspiring journey just keep keeping know let like look
    looking looks lot lots love make makes making maybe much nice one people pretty proud push pushing really
    reminder say see seeing share sharing sound sounds stay step still super support sure sweet take talk
    talking thank thanks thing things think time totally true want way well wish wonderful work wow yeah yep yes
    isn wasn doesn didn
"""
TALK = frozenset(_TALK.split())


def estimate_importance(text: str, *, is_reply: bool = False, has_fact: bool = False) -> float:
    """From `LEAST` to `MOST`."""
    text = text[:MAX_CHARACTERS]
    if _OTHER_SCRIPT.search(text):
        return UNJUDGED
    stated = _QUESTION.sub(" ", text) if "?" in text else text
    said = {*_WORD.findall(stated.lower())}
    words = {word for word in said - STOP_WORDS - TALK if len(word) > 2}
    has_digit = _DIGIT.search(stated) is not None
    if not words and not has_digit:
        return LEAST
    value = BEGIN + WORD * min(MAX_WORDS, len(words)) + NAME * min(MAX_NAMES, len(_NAME.findall(stated)))
    value += DATE * (not said.isdisjoint(DATES)) + NUMBER * (has_digit or not said.isdisjoint(NUMBERS))
    value += SELF * (not said.isdisjoint(SELVES)) + OTHER * (not said.isdisjoint(OTHERS))
    value += QUOTATION * (_QUOTATION.search(stated) is not None) + REPLY * is_reply + FACT * has_fact
    value += PLAIN * said.isdisjoint(TALK)
    return round(min(MOST, max(LEAST, value)), 2)
