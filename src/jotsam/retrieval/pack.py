"""Packs hits into a budget of tokens: the most useful first, whole where they are short, else as an excerpt.

Pure. What does not fit is skipped, and a smaller one after it still goes in. Nothing is shown twice: neither a text
that was remembered twice, nor a chunk beside the pending document that it is being cut from. What was said one after
the other stands together in that order, where the better of them would stand.
It takes the hits from an iterator and stops when the budget is used up, so that nobody loads what nobody sees.
"""

from __future__ import annotations

from jotsam.clock import iso
from jotsam.pipeline.words import CHARACTERS_PER_TOKEN, estimate_tokens
from jotsam.records import Record
from jotsam.retrieval.excerpt import GAP, excerpt, fold, roots
from jotsam.retrieval.render import SHORT_ID, defused, heading, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.answers import Hit

    Place = tuple[bool, str | None, int]

LONGEST = 300
SHARE = 6
SHORTEST = 40
SHORTEST_OF_FIRST = 4
SMALLEST = 10
MOST_OF_LEFT = 3  # a line above a hit may take this part of what is left
SHORTEST_SHARED = 20  # a shorter text stands inside another by accident
BETWEEN = "\x00"  # stands in no text
MOST_FACTS = 4


class Fitted(Record):
    """A hit as it is shown, and as it reads: a line that says where it is from, and its text."""

    hit: Hit
    block: str
    squeezed: bool  # cut shorter than it would be with a larger budget


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
    packed: list[Fitted] = []
    seen: set[str] = set()
    places: set[Place] = set()
    left, more, shown = budget, False, ""
    for hit in hits:
        if len(packed) == limit:
            break
        text = hit.text.strip()
        if not text or text in seen or (len(text) >= SHORTEST_SHARED and text in shown):
            continue
        place = _place(hit)
        is_next = place is not None and not places.isdisjoint(_next_to(place))
        number = len(packed) + 1
        fitted = _fit(hit, heading(hit, number, brief=is_next), number, wanted, left, max(LONGEST, budget // SHARE))
        if fitted is None:
            more = True
            if left < SMALLEST:
                break
        elif not _overlaps(fitted.hit, packed):
            more = more or fitted.squeezed
            left -= fitted.hit.tokens
            seen.add(text)
            shown += fitted.hit.text + BETWEEN
            places |= {place} if place else set()
            packed.append(fitted)
    return Packed(
        hits=tuple(fitted.hit for fitted in packed),
        blocks=_stitched(packed),
        tokens=budget - left,
        more=more,
    )


def _stitched(packed: Sequence[Fitted]) -> tuple[str, ...]:
    """The blocks, each of what was said one after the other."""
    groups: list[list[Fitted]] = []
    where: dict[Place, list[Fitted]] = {}
    for fitted in packed:
        place = _place(fitted.hit)
        mine = [where[other] for other in _next_to(place) if other in where] if place else []
        first = min(mine, key=groups.index, default=None)
        joined: list[Fitted] = [fitted] if first is None else first
        if first is None:
            groups.append(joined)
        else:
            joined.append(fitted)
        for group in mine:
            if group is not joined:
                joined += group
                groups = [other for other in groups if other is not group]
        joined.sort(key=lambda other: other.hit.position or 0)
        where |= {at: joined for other in joined if (at := _place(other.hit))}
    return tuple("\n".join(fitted.block for fitted in group) for group in groups)


def _place(hit: Hit) -> Place | None:
    """Where it was said, or stands in its document."""
    if hit.position is None or (hit.document is None and hit.session is None):
        return None
    return (True, hit.document, hit.position) if hit.document is not None else (False, hit.session, hit.position)


def _next_to(place: Place) -> tuple[Place, Place]:
    is_document, whole, position = place
    return (is_document, whole, position - 1), (is_document, whole, position + 1)


def _fit(hit: Hit, line: str, number: int, wanted: Sequence[str], left: int, longest: int) -> Fitted | None:
    """The hit in what is left of the budget. The first one is shown however little of it fits."""
    if number > 1 and left < SHORTEST and len(hit.text) > left * CHARACTERS_PER_TOKEN:
        return None
    head = line + "\n"
    if estimate_tokens(head) * MOST_OF_LEFT > left:
        head = heading(hit, number, brief=True) + "\n"
    room = left - estimate_tokens(head)
    whole = defused(hit.text).strip()
    if room < (SHORTEST_OF_FIRST if number == 1 else SHORTEST) and not _is_short(whole, room):
        return None
    text = excerpt(whole, roots=wanted, tokens=min(room, longest))
    if not text:
        return None
    block = _with_facts(head + text, hit, left)
    shown = hit.replace(text=text, whole=text == whole, tokens=estimate_tokens(block))
    return Fitted(hit=shown, block=block, squeezed=text != whole and room < longest)


def _with_facts(block: str, hit: Hit, left: int) -> str:
    """The block with the facts below it that were asked for and that it does not show anyway, and with those that have
    ended, each in a line, as far as they fit.
    """
    shown, told = fold(block) if hit.facts else "", 0
    for fact in hit.facts:
        end = f", superseded {iso(fact.superseded_at)[:10]}" if fact.superseded_at is not None else ""
        end += f" by {fact.superseded_by[:SHORT_ID]}" if end and fact.superseded_by else ""
        line = "\n= " + one_line(f"{fact.subject} {fact.predicate} {fact.object} ({fact.confidence:.1f}{end})")
        is_told = not end and fold(fact.subject) in shown and fold(fact.object) in shown
        if not is_told and told < MOST_FACTS and estimate_tokens(block + line) <= left:
            block, told = block + line, told + 1
    return block


def _is_short(text: str, tokens: int) -> bool:
    return len(text) <= tokens * CHARACTERS_PER_TOKEN and estimate_tokens(text) <= tokens


def _overlaps(hit: Hit, packed: Sequence[Fitted]) -> bool:
    """Whether a pending document and a chunk of it would show the same place, seen by the longest line of the two."""
    line = max((line.strip(GAP + " ") for line in hit.text.split("\n")), key=len)
    others = [one.hit.text for one in packed if one.hit.kind != hit.kind and one.hit.source == hit.source]
    return len(line) >= SHORTEST_SHARED and any(line in text for text in others)
