"""Prompts that name no subject, such as "yes", "go on" or "/compact". Pure, and light: it is asked for each prompt."""

from __future__ import annotations

from jotsam.pipeline.text.words import STOP_WORDS, bigrams

MIN_WORDS = 2  # one word in common is a coincidence
MIN_PAIRS = 3  # the same for scripts without spaces
TRIVIAL_CHARACTERS = 400  # a longer prompt is never trivial

# Words of prompts that carry no subject. A prompt needs others.
FILLERS = frozenset(
    """
    accept add again agree agreed alright answer apply approve approved ask back cancel change check code commit
    continue correct create do does doing done edit exactly explain file files fine first fix fixed for function give go
    going good great happened hello help hey hi implement just keep let lets like line look looks make need next nice
    nope ok okay one perfect please plz proceed push read really redo remove rename resume retry review right run same
    see show simplify skip start stop sure tell test tests thank thanks thing thx today try undo update use want way
    well work works write wrong yeah yep yes ja nein weiter mach bitte danke oui non merci continua si gracias
    """.split()  # noqa: SIM905 - words read better
)
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
    return {word for word in words if len(word) > 1} - STOP_WORDS - FILLERS
