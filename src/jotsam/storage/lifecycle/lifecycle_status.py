"""What the status and the metrics tell about runs of the lifecycle. It imports little: `jotsam status` is often run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def attention(tx: Transaction) -> list[Row]:
    """Runs that wait, work or are being undone, and of each step the last one if it has failed."""
    return tx.all("lifecycle.attention")


def step_statistics(tx: Transaction) -> list[Row]:
    """Of the runs that are kept, by `step` and `state`: `runs`, what they `changed`, and when the last ended."""
    return tx.all("lifecycle.step_statistics")
