"""How far a receiver has come, so that it need not step over what it has left behind.

On a server an entry of an index stays until nobody could see its row any more. One transaction that somebody forgot
keeps them all, and a claim that begins at the first place steps over every job that was done since. So a receiver that
claims again and again begins where its last claim ended.

Nothing gets lost by that. What is ready for a second time is looked for by itself, whatever its place. What else may be
below, because it was sent in a transaction that took long or its claim was rolled back, is found when nothing is above,
and by a claim once a second that begins at the first place.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.storage.database import Row

NONE = (1 << 40, 0, 0)
"""Above every priority: below it is everything."""

SWEEP_MS = 1_000
DUE_SWEEP_MS = 30_000
LATE_MS = 60_000
"""What becomes due is written at most so long after the moment that it counts from: no transaction takes longer."""


class Floor:
    """Of one queue and one receiver. A file has no need of it: there nobody's past is kept in an index."""

    def __init__(self) -> None:
        self.above = NONE  # priority, place and id; in one piece, for threads share a floor
        self.since = -1  # what was due up to then has been woken
        self._swept_at = self._woken_at = self._now = 0

    def begin(self, now: int) -> None:
        """A claim begins: forget everything if it is time to, or if the clock went back."""
        is_back = now < self._now
        self._now = now
        if is_back or now >= self._swept_at + SWEEP_MS:
            self.lower()
        if is_back or now >= self._woken_at + DUE_SWEEP_MS:
            self._woken_at, self.since = now, -1

    def lower(self) -> None:
        """The next claim begins at the first place."""
        self._swept_at = self._now
        self.above = NONE

    def rise(self, rows: Sequence[Row]) -> None:
        """These were claimed, in this order: of their priority, nothing is before the last of them."""
        last, above = rows[-1], self.above
        reached = last["priority"], last["place"], last["id"]
        if reached[0] < above[0] or (reached[0] == above[0] and reached > above):
            self.above = reached

    def woken(self) -> None:
        """Nothing is due now."""
        self.since = max(self.since, self._now - LATE_MS)
