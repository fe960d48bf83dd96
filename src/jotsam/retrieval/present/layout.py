"""What is shown so far, and what it takes: blocks of hits, each of what was said, or stands, one after the other.

Pure. The first line of a block says where it is from, and each line below it only what is different there; so what a
hit takes depends on what stands above it, and a hit that comes between two others changes what the lower one says. It
must not choose what is shown, that is what `pack` does.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.retrieval.present.render import heading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.answers import Hit

    Place = tuple[bool, str | None, int]


class Shown(Record):
    """A hit as it is shown: its number, and what stands below the line that says where it is from."""

    hit: Hit
    number: int
    text: str
    squeezed: bool = False  # cut shorter than it would be with a larger budget
    brief: bool = False  # its line has no room for where it is from

    def block(self, above: Shown | None) -> str:
        """It with its line, below what stands above it; and the line break between the two."""
        over = None if above is None or above.brief else above.hit
        line = heading(self.hit, self.number, above=over, brief=self.brief)
        return f"{'' if above is None else chr(10)}{line}\n{self.text}"


class Sheet:
    """Takes hits one by one, the best first. `tokens` is what all of them take together."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.tokens = 0
        self._blocks: list[list[Shown]] = []
        self._where: dict[Place, list[Shown]] = {}
        self._lines: dict[int, tuple[Shown | None, int]] = {}  # by number: what stands above, and the tokens it takes

    def __len__(self) -> int:
        return len(self.shown)

    def takes(self, one: Shown) -> int:
        """By how many tokens the sheet would grow."""
        return sum(tokens - self._lines.get(number, (None, 0))[1] for number, (_, tokens) in self._changes(one).items())

    def put(self, one: Shown) -> None:
        """Show it, where the best of those stands that it belongs to."""
        changes, joined, beside = self._changes(one), self._joined(one), self._beside(one)
        places = [place for place, block in enumerate(self._blocks) if any(block is other for other in beside)]
        rest = [(place, block) for place, block in enumerate(self._blocks) if place not in places]
        first = min(places, default=len(self._blocks))
        self._blocks = [block for _, block in sorted([*rest, (first, joined)], key=lambda item: item[0])]
        self._where |= {place: joined for other in joined if (place := _place(other.hit))}
        self._lines |= changes
        self.tokens = sum(tokens for _, tokens in self._lines.values())
        self.shown.append(one)

    def blocks(self) -> tuple[str, ...]:
        """What is shown, in the order in which it is read."""
        return tuple("".join(one.block(self._lines[one.number][0]) for one in block) for block in self._blocks)

    def hits(self) -> tuple[Hit, ...]:
        """The hits in the order in which they came, each with the tokens that it takes where it stands."""
        return tuple(one.hit.replace(tokens=self._lines[one.number][1]) for one in self.shown)

    def _changes(self, one: Shown) -> dict[int, tuple[Shown | None, int]]:
        """It, and those above which something else would stand than before."""
        changes: dict[int, tuple[Shown | None, int]] = {}
        above: Shown | None = None
        for other in self._joined(one):
            if other is one or self._lines[other.number][0] is not above:
                changes[other.number] = above, estimate_tokens(other.block(above))
            above = other
        return changes

    def _joined(self, one: Shown) -> list[Shown]:
        """The block that it would stand in."""
        every = [one, *(other for block in self._beside(one) for other in block)]
        return sorted(every, key=lambda other: (other.hit.position or 0, other.number))

    def _beside(self, one: Shown) -> list[list[Shown]]:
        place = _place(one.hit)
        if place is None:
            return []
        is_document, whole, position = place
        before, after = (self._where.get((is_document, whole, position + step)) for step in (-1, 1))
        return [block for block in (before, None if after is before else after) if block is not None]


def _place(hit: Hit) -> Place | None:
    """Where it was said, or stands in its document."""
    if hit.position is None or (hit.document is None and hit.session is None):
        return None
    return (True, hit.document, hit.position) if hit.document is not None else (False, hit.session, hit.position)
