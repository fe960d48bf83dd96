"""Checks what a model says that a text does to an earlier one, by the guards of the rules. Pure.

A verdict counts only with words of the text, in a sentence that states something. It retires an earlier text of one
sentence, and only marks one that says more, as a rule does. Who speaks of themselves changes nothing that others say
of themselves.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.pipeline.extraction.extract import JudgedChange
from jotsam.pipeline.llm.prompt import NEITHER, REPLACES
from jotsam.pipeline.statements.find_changes import is_uncertain
from jotsam.pipeline.statements.sentences import code_of, read_sentence, split
from jotsam.pipeline.statements.words import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.pipeline.llm.prompt import Context

MIN_QUOTE = 3  # words; in scripts without spaces, characters
_MARKS = " .,;:!?\"'`()[]*_。，！？"


def judged_change(item: dict[str, Any], text: str, context: Context, extractor: str) -> JudgedChange | None:
    """The change that a verdict states; None for "neither". Raises `InvalidInput` for one that does not count."""
    if item["verdict"] == NEITHER:
        return None
    earlier = next((one for one in context.earlier if one.id == item["id"].strip()), None)
    if earlier is None:
        raise InvalidInput(f"{item['id']!r} is no id that was given")
    sentence = _quoted_sentence(item["quote"], text)
    stated = split(earlier.text)
    certain = [one for one in stated if not _is_uncertain(one)]
    if not certain:
        raise InvalidInput(f"{earlier.id} states nothing that could be replaced")
    if earlier.actor != (context.actor or None) and _is_of_speaker(sentence) and any(map(_is_of_speaker, certain)):
        raise InvalidInput(f"{earlier.id} is what another person says of themselves")
    return JudgedChange(
        memory=earlier.memory,
        text=earlier.text,
        is_end=item["verdict"] == REPLACES and len(stated) == 1 and not earlier.is_chunk,
        sentence=sentence,
        extractor=extractor,
    )


def _quoted_sentence(quote: str, text: str) -> str:
    """The sentence of a text that has the quote."""
    words = _normal(quote)
    if sum(len(word) if word > "\u2e80" else 1 for word in words.split()) < MIN_QUOTE:
        raise InvalidInput(f"a quote of at least {MIN_QUOTE} words is missing")
    if words not in _normal(text):
        raise InvalidInput("the quote is not in the text")
    sentence = next((one for one in split(text) if words in _normal(one)), None)
    if sentence is None:
        raise InvalidInput("the quote is not in one sentence of the text")
    if _is_uncertain(sentence):
        raise InvalidInput("the quoted sentence only asks, proposes or supposes")
    return sentence


def _is_uncertain(sentence: str) -> bool:
    return is_uncertain(plain(sentence), code_of(sentence), written=sentence)


def _is_of_speaker(sentence: str) -> bool:
    return read_sentence(sentence, code_of(sentence)).person == "i"


def _normal(text: str) -> str:
    return " ".join(text.replace("’", "'").casefold().split()).strip(_MARKS)
