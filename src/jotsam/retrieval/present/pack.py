"""Packs hits into a budget of tokens: the most useful first, whole where they are short, else as an excerpt.

Pure. What does not fit is skipped, and a smaller one after it still goes in; of a memory that says what was asked for
as a fact, the fact goes in alone. Nothing is shown twice: neither a text that was remembered twice, nor a chunk beside
the pending document that it is being cut from. What was said one after the other stands together (`sheet`).
It takes the hits from an iterator and stops when the budget is used up, so that nobody loads what nobody sees.
"""

from __future__ import annotations

from jotsam.core.answers import Hit
from jotsam.core.records import Record
from jotsam.pipeline.text.words import CHARACTERS_PER_TOKEN, estimate_tokens
from jotsam.retrieval.present.excerpt import GAP, excerpt, fold, roots
from jotsam.retrieval.present.layout import Sheet, Shown
from jotsam.retrieval.present.render import defused, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.records import Fact

LONGEST = 300
SHARE = 6
SHORTEST = 40
SHORTEST_OF_FIRST = 4
SMALLEST = 10
MOST_OF_LEFT = 3  # a line above a hit may take this part of what is left
SHORTEST_SHARED = 20  # a shorter text stands inside another by accident
BETWEEN = "\x00"  # stands in no text
MOST_FACTS = 4


class Packed(Record):
    """What is shown. `more`: with a larger budget it would be more."""

    hits: tuple[Hit, ...]
    blocks: tuple[str, ...]
    tokens: int
    more: bool


def pack(hits: Iterable[Hit], *, words: Sequence[str], budget: int, limit: int) -> Packed:
    """At most `limit` of the hits, best first, in at most `budget` tokens with the line above each.

    The hits come with their whole text. A single one takes at most 300 tokens or a sixth of the budget, whichever is
    more, so that one long chunk does not push out what a second source says.
    """
    wanted = roots(words)
    sheet = Sheet()
    seen: set[str] = set()
    more, texts = False, ""
    for hit in hits:
        if len(sheet) == limit:
            break
        text = hit.text.strip()
        if not text or text in seen or (len(text) >= SHORTEST_SHARED and text in texts):
            continue
        left = budget - sheet.tokens
        shown = _fit(hit, sheet, wanted, left, max(LONGEST, budget // SHARE))
        if shown is None:
            more = True
            alone = _fact(hit, sheet, left)
            if alone is not None:
                sheet.put(alone)
            elif left < SMALLEST:
                break
        elif not _overlaps(shown.hit, sheet.shown):
            more = more or shown.squeezed
            seen.add(text)
            texts += shown.hit.text + BETWEEN
            sheet.put(shown)
    return Packed(hits=sheet.hits(), blocks=sheet.blocks(), tokens=sheet.tokens, more=more)


def _fit(hit: Hit, sheet: Sheet, wanted: Sequence[str], left: int, longest: int) -> Shown | None:
    """The hit in what is left of the budget. The first one is shown however little of it fits."""
    number = len(sheet) + 1
    if number > 1 and left < SHORTEST and len(hit.text) > left * CHARACTERS_PER_TOKEN:
        return None
    bare = Shown(hit=hit, number=number, text="")
    if sheet.takes(bare) * MOST_OF_LEFT > left:
        bare = bare.replace(brief=True)
    room = left - sheet.takes(bare)
    whole = defused(hit.text).strip()
    if room < (SHORTEST_OF_FIRST if number == 1 else SHORTEST) and not _is_short(whole, room):
        return None
    text = excerpt(whole, roots=wanted, tokens=min(room, longest))
    if not text:
        return None
    squeezed = text != whole and room < longest
    shown = bare.replace(hit=hit.replace(text=text, whole=text == whole), text=text, squeezed=squeezed)
    return _with_facts(shown, sheet, left)


def _with_facts(shown: Shown, sheet: Sheet, left: int) -> Shown:
    """The hit with the facts below it that were asked for and that it does not show anyway, and with those that have
    ended, each in a line, as far as they fit.
    """
    said, below = fold(shown.block(None)) if shown.hit.facts else "", 0
    for fact in shown.hit.facts:
        longer = shown.replace(text=f"{shown.text}\n= {told(fact)}")
        is_told = fact.superseded_at is None and fold(fact.subject) in said and fold(fact.object) in said
        if not is_told and below < MOST_FACTS and sheet.takes(longer) <= left:
            shown, below = longer, below + 1
    return shown


def _fact(hit: Hit, sheet: Sheet, left: int) -> Shown | None:
    """The surest fact that a hit says and that was asked for, as a hit of its own; unless another hit says it too."""
    fact = next((fact for fact in hit.facts if fact.superseded_at is None), None)
    if fact is None or any(_said(fact) in map(_said, one.hit.facts) for one in sheet.shown):
        return None
    text = told(fact)
    same = {name: getattr(hit, name) for name in ("score", "scores", "source", "section", "project", "date", "lines")}
    alone = Hit(kind="fact", id=fact.id, text=text, whole=True, facts=(fact,), path=hit.path, job_id=hit.job_id, **same)
    shown = Shown(hit=alone, number=len(sheet) + 1, text=f"= {text}")
    return shown if sheet.takes(shown) <= left else None


def _said(fact: Fact) -> tuple[str, str, str]:
    return fold(fact.subject), fact.predicate, fold(fact.object)


def _is_short(text: str, tokens: int) -> bool:
    return len(text) <= tokens * CHARACTERS_PER_TOKEN and estimate_tokens(text) <= tokens


def _overlaps(hit: Hit, shown: Sequence[Shown]) -> bool:
    """Whether a pending document and a chunk of it would show the same place, seen by the longest line of the two."""
    line = max((line.strip(GAP + " ") for line in hit.text.split("\n")), key=len)
    others = [one.hit.text for one in shown if one.hit.kind != hit.kind and one.hit.source == hit.source]
    return len(line) >= SHORTEST_SHARED and any(line in text for text in others)
