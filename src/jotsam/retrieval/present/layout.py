"""The layout of an answer: groups hits into blocks, with a heading above each hit, and counts their tokens.

Pure. A block holds hits that follow one another in a session or document. Its first heading states the source, and each
further one only what differs. So the tokens of a hit depend on the hit above it, and inserting a hit between two others
changes the heading of the lower one. It must not choose what is shown; `pack` does.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.retrieval.present.render import heading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from jotsam.core.answers import Hit

    Place = tuple[bool, str | None, int]


class Entry(Record):
    """A hit with its number and the text below its heading."""

    hit: Hit
    number: int
    text: str
    squeezed: bool = False  # shortened because of the budget
    brief: bool = False  # its heading is shortened because of the budget


class Placed(Record):
    """The position of an entry: the entry above it in its block, and the tokens it takes there."""

    above: Entry | None
    tokens: int


class Layout:
    """Places entries one by one, best first. `tokens` is the sum over all entries.

    `home` is the project of the reader: only the hits of other projects name theirs. `before` are the ids of hits on
    the pages before, which this one does not repeat.
    """

    def __init__(self, *, home: str | None = None, before: Collection[str] = ()) -> None:
        self.before = before
        self.longest: int | None = None  # characters that a text may still have, once one did not fit
        self._home = home
        self.entries: list[Entry] = []
        self.tokens = 0
        self._blocks: list[list[Entry]] = []
        self._by_place: dict[Place, list[Entry]] = {}
        self._placed: dict[int, Placed] = {}  # by number
        self._headings: dict[tuple[object, ...], str] = {}

    def __len__(self) -> int:
        return len(self.entries)

    def holds(self, text: str) -> bool:
        """Whether a text may still fit. What loads the hits need not make those that are longer."""
        return self.longest is None or len(text) <= self.longest

    def cost(self, entry: Entry) -> int:
        """The tokens that adding an entry would add to the layout."""
        return self._growth(self._changes(entry, self._merged(entry, self._adjacent(entry))))

    def add(self, entry: Entry) -> None:
        """Add an entry. Blocks that it joins are merged at the position of the first."""
        adjacent = self._adjacent(entry)
        merged = self._merged(entry, adjacent)
        changes = self._changes(entry, merged)
        if adjacent:
            first, *rest = [
                number for number, block in enumerate(self._blocks) if any(block is other for other in adjacent)
            ]
            self._blocks[first] = merged
            for number in rest:  # At most one: the other side.
                del self._blocks[number]
        else:
            self._blocks.append(merged)
        self._by_place |= {place: merged for other in merged if (place := _place(other.hit))}
        self.tokens += self._growth(changes)
        self._placed |= changes
        self.entries.append(entry)

    def blocks(self) -> tuple[str, ...]:
        """The text of each block, in reading order."""
        return tuple(
            "".join(self.text(entry, above=self._placed[entry.number].above) for entry in block)
            for block in self._blocks
        )

    def hits(self) -> tuple[Hit, ...]:
        """The hits, best first, each with the tokens it takes."""
        return tuple(entry.hit.replace(tokens=self._placed[entry.number].tokens) for entry in self.entries)

    def text(self, entry: Entry, *, above: Entry | None = None) -> str:
        """The heading and the text of an entry, with a line break between it and the entry above."""
        return f"{'' if above is None else chr(10)}{self._heading(entry, above)}\n{entry.text}"

    def _heading(self, entry: Entry, above: Entry | None) -> str:
        # The same heading is needed to estimate the cost of an entry, to add it and to print it.
        over = None if above is None or above.brief else above.hit
        key = entry.hit.id, entry.number, entry.brief, None if over is None else over.id
        if key not in self._headings:
            self._headings[key] = heading(entry.hit, entry.number, home=self._home, above=over, brief=entry.brief)
        return self._headings[key]

    def _changes(self, entry: Entry, merged: Sequence[Entry]) -> Mapping[int, Placed]:
        """The entry, and those of its block that would follow another entry than before."""
        changes: dict[int, Placed] = {}
        above: Entry | None = None
        for other in merged:
            if other is entry or self._placed[other.number].above is not above:
                tokens = estimate_tokens(self.text(other, above=above))
                changes[other.number] = Placed(above=above, tokens=tokens)
            above = other
        return changes

    def _growth(self, changes: Mapping[int, Placed]) -> int:
        before = sum(self._placed[number].tokens for number in changes if number in self._placed)
        return sum(placed.tokens for placed in changes.values()) - before

    def _merged(self, entry: Entry, adjacent: Sequence[list[Entry]]) -> list[Entry]:
        """The block that the entry would be in."""
        if not adjacent:
            return [entry]
        entries = [entry, *(other for block in adjacent for other in block)]
        return sorted(entries, key=lambda other: (other.hit.position or 0, other.number))

    def _adjacent(self, entry: Entry) -> list[list[Entry]]:
        """The blocks that contain the hit before or after the entry in its session or document."""
        place = _place(entry.hit)
        if place is None:
            return []
        is_document, id, position = place
        before = self._by_place.get((is_document, id, position - 1))
        after = self._by_place.get((is_document, id, position + 1))
        return [block for block in (before, None if after is before else after) if block is not None]


def _place(hit: Hit) -> Place | None:
    """The session or document of a hit and its position there."""
    if hit.position is None or (hit.document is None and hit.session is None):
        return None
    return (True, hit.document, hit.position) if hit.document is not None else (False, hit.session, hit.position)
