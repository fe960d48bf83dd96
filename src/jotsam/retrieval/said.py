"""The sentences of earlier turns that a prompt needs, where no note says it. Of a long turn, the part that matters.

A turn of a session may state a fact in passing, in one sentence of many. So the sentences of turns that share a word
with the prompt are compared with it, each with what follows it. Left out are questions, and what a note says or ended.
"""

from __future__ import annotations

from jotsam.core.answers import BriefLine
from jotsam.core.note_records import FoundNote
from jotsam.core.records import Record
from jotsam.pipeline.notes.match import best_of, read_prompt
from jotsam.pipeline.notes.words import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.core.answers import Hit

MAX_SAID = 4  # lines
MAX_PART = 240  # characters of a sentence and of what follows it
MIN_PART = 20
MAX_TURN = 6_000  # characters that are read
ENDS = (". ", "! ", "? ", "; ", "\n")
SAID = "said"
_FENCE = "```"


class _Part(Record):
    """A sentence, and with those after it, as far as they fit."""

    text: str
    own: frozenset[str]  # the terms of the sentence
    names: frozenset[str]  # those of the whole part


def said_about(prompt: str, hits: Iterable[Hit], *, is_known: Callable[[frozenset[str]], bool]) -> list[BriefLine]:
    """At most `MAX_SAID` lines, each a part of a turn; the best part of each turn. `is_known` is asked by its terms."""
    parts = [(hit, part) for hit in hits for part in _parts(hit.text) if not is_known(part.names)]
    sentences = [_compared(hit, part.own) for hit, part in parts]
    wholes = [_compared(hit, part.names) for hit, part in parts]
    found: list[BriefLine] = []
    for at in best_of(read_prompt(prompt), sentences, wholes):
        hit, part = parts[at]
        if len(found) < MAX_SAID and all(line.id != hit.id for line in found):
            found.append(_line(hit, part.text))
    return found


def _compared(hit: Hit, names: frozenset[str]) -> FoundNote:
    return FoundNote(kind=SAID, text="", ref=0, at=hit.date or 0, names=names)


def _parts(text: str) -> list[_Part]:
    """The parts of a turn, without code, and without questions."""
    prose = "\n".join(text[:MAX_TURN].split(_FENCE)[::2])
    for end in ENDS[:-1]:
        prose = prose.replace(end, f"{end.rstrip()}\n")
    sentences = [" ".join(one.split()).lstrip("-*#> ") for one in prose.split("\n")]
    sentences = [one for one in sentences if len(one) > 2]
    names = [terms(one) for one in sentences]
    parts: list[_Part] = []
    for at, first in enumerate(sentences):
        part, after = first, at + 1
        while after < len(sentences) and len(part) + len(sentences[after]) < MAX_PART:
            part += f" {sentences[after]}"
            after += 1
        if not first.endswith("?") and len(part) >= MIN_PART:
            parts.append(_Part(text=part, own=names[at], names=frozenset().union(*names[at:after])))
    return parts


def _line(hit: Hit, part: str) -> BriefLine:
    return BriefLine(
        id=hit.id,
        label=SAID,
        text=part[: MAX_PART + 60],
        date=hit.date or 0,
        source=hit.source,
        actor=hit.actor,
        project=hit.project,
        why="it was said about what the prompt names",
    )
