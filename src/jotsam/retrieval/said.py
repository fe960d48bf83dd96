"""The sentences of earlier turns that a prompt needs, where no note says it. Of a long turn, the part that matters.

A turn of a session may state a fact in passing, in one sentence of many. So the sentences of turns that share a word
with the prompt are compared with it, each with what follows it. Left out are questions, and what a note says or ended.
"""

from __future__ import annotations

from jotsam.core.answers import BriefLine
from jotsam.core.note_records import FoundNote
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


def said_about(prompt: str, hits: Iterable[Hit], *, is_known: Callable[[str], bool]) -> list[BriefLine]:
    """At most `MAX_SAID` lines, each a part of a turn; the best part of each turn."""
    parts = [(hit, *pair) for hit in hits for pair in _parts(hit.text) if not is_known(pair[1])]
    found_in = {text: terms(text) for _, *texts in parts for text in texts}
    sentences = [_compared(hit, found_in[sentence]) for hit, sentence, _ in parts]
    wholes = [_compared(hit, found_in[part]) for hit, _, part in parts]
    found: list[BriefLine] = []
    for at in best_of(read_prompt(prompt), sentences, wholes):
        hit, _, part = parts[at]
        if len(found) < MAX_SAID and all(line.id != hit.id for line in found):
            found.append(_line(hit, part))
    return found


def _compared(hit: Hit, names: frozenset[str]) -> FoundNote:
    return FoundNote(kind=SAID, text="", ref=0, at=hit.date or 0, names=names)


def _parts(text: str) -> list[tuple[str, str]]:
    """Each sentence, and with those after it, as far as they fit. Without code, and without questions."""
    prose = "\n".join(text[:MAX_TURN].split(_FENCE)[::2])
    for end in ENDS[:-1]:
        prose = prose.replace(end, f"{end.rstrip()}\n")
    sentences = [" ".join(one.split()).lstrip("-*#> ") for one in prose.split("\n")]
    sentences = [one for one in sentences if len(one) > 2]
    parts: list[tuple[str, str]] = []
    for at, first in enumerate(sentences):
        part = first
        for following in sentences[at + 1 :]:
            if len(part) + len(following) >= MAX_PART:
                break
            part += f" {following}"
        if not first.endswith("?") and len(part) >= MIN_PART:
            parts.append((first, part))
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
