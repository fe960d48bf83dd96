"""Prompts that name no subject, such as "yes", "go on" or "/compact". Pure, and light: it is asked for each prompt."""

from __future__ import annotations

from jotsam.pipeline.languages import may_be
from jotsam.pipeline.languages.en import LANGUAGE, STOP_WORDS
from jotsam.pipeline.text.words import bigrams

MIN_WORDS = 2  # one word in common is a coincidence
MIN_PAIRS = 3  # the same for scripts without spaces
TRIVIAL_CHARACTERS = 400  # a longer prompt is never trivial

COMMANDS = ("/", "!", "#")  # a prompt that starts with one is a command of the agent


def is_trivial(prompt: str) -> bool:
    """Whether a prompt names no subject, such as "yes", "go on" or "/compact".

    A question needs one word that is not a filler, another prompt two.
    """
    text = prompt.strip()
    if text.startswith(COMMANDS) and "\n" not in text:
        return True
    if len(text) > TRIVIAL_CHARACTERS or len(bigrams(text)) >= MIN_PAIRS:
        return False
    return len(subjects(text)) < (1 if text.endswith(("?", "？")) else MIN_WORDS)


def subjects(text: str) -> set[str]:
    """The words of a text that are neither stop words nor fillers."""
    words = "".join([c if c.isalnum() else " " for c in text.lower()]).split()
    found = {word for word in words if len(word) > 1} - STOP_WORDS - {*LANGUAGE.courtesy.split()}
    return found - fillers(text) if found else found


def fillers(text: str) -> frozenset[str]:
    """The words of prompts that carry no subject, in the languages in which a text may be."""
    return frozenset(word for one in may_be(text) for word in one.courtesy.split())
