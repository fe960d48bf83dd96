"""Read what plain sentences state: "The staging port is 5432." gives the thing, its attribute and its value.

Pure, for English, German, French, Spanish, Chinese and Japanese. It reads words, not meaning: a sentence that it does
not understand gives nothing. It must not decide which of two statements holds.
"""

from __future__ import annotations

from functools import lru_cache

from jotsam.pipeline.languages import detect
from jotsam.pipeline.statements import european, han
from jotsam.pipeline.statements.statement import Statement
from jotsam.pipeline.statements.words import is_cjk

MAX_CHARACTERS = 400  # a longer text is about more than one thing
MAX_STATEMENTS = 8
NO_SENTENCES = ("|", "#", "$")  # rows of a table, headings, commands
REMEMBERED = 1024  # texts: an answer often shows what the one before it showed


@lru_cache(REMEMBERED)
def read_statements(text: str) -> tuple[Statement, ...]:
    """What the sentences of a text state, in their order; () for a long text. Never raises."""
    if len(text) > MAX_CHARACTERS or "```" in text:
        return ()
    if is_cjk(text):
        return (*han.read_sentences(text),)[:MAX_STATEMENTS]
    language = detect(text)
    # A label of one line among many belongs to what is above it.
    has_labels = "\n" not in text.strip()
    found = (
        european.read_sentence(sentence, language, has_labels=has_labels)
        for sentence in european.sentences(text)
        if not sentence.lstrip().startswith(NO_SENTENCES)
    )
    return tuple(statement for statement in found if statement)[:MAX_STATEMENTS]
