"""The position of a receiver's last claim, so that its next claim does not read index entries of deleted jobs.

PostgreSQL keeps the index entries of deleted rows until no transaction can see them. One idle transaction keeps them
all, and a claim that starts at the beginning of the index reads every job completed since. A receiver that claims
repeatedly therefore starts at the position of its last claim.

No job is missed. Requeued jobs are claimed through an index of their own. Other jobs can appear below the position if
their sender committed late or their claim was rolled back; they are found when nothing is above the position, and once
a second, when a claim starts at the beginning.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.storage.database import Row

# Before the first job: the priority is above every possible one.
BEGINNING = (1 << 40, 0, 0)

RESET_MS = 1_000
DUE_RESET_MS = 30_000
# A delay is counted from the start of its transaction and visible after the commit: no transaction takes longer.
COMMIT_DELAY_MS = 60_000


class Watermark:
    """Of one queue and one receiver. SQLite does not need it, because it keeps no entries of deleted rows."""

    def __init__(self) -> None:
        self.position = BEGINNING  # priority, place and id; one tuple, because threads share a watermark
        self.since = -1  # all jobs due up to this time have been woken
        self._reset_at = self._woken_at = self._now = 0

    def begin(self, now: int) -> None:
        """Start a claim. Resets the watermark when that is due, or when the clock was set back."""
        is_back = now < self._now
        self._now = now
        if is_back or now >= self._reset_at + RESET_MS:
            self.reset()
        if is_back or now >= self._woken_at + DUE_RESET_MS:
            self._woken_at, self.since = now, -1

    def reset(self) -> None:
        """Let the next claim start at the beginning."""
        self._reset_at = self._now
        self.position = BEGINNING

    def advance(self, rows: Sequence[Row]) -> None:
        """Move to the last of the claimed jobs, which are in order."""
        last, position = rows[-1], self.position
        reached = last["priority"], last["place"], last["id"]
        if reached[0] < position[0] or (reached[0] == position[0] and reached > position):
            self.position = reached

    def woken(self) -> None:
        """Record that no job is due now."""
        self.since = max(self.since, self._now - COMMIT_DELAY_MS)
