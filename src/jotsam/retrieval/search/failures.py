"""Failures of single retrievers: the footer names the retriever and the reason, and the others still answer.

Errors of a retriever are caught in `Failures.of` only. Errors of the whole database are raised: a server that is out of
reach, a lock timeout, a cancelled call.
"""

from __future__ import annotations

from contextlib import contextmanager

from jotsam.core.errors import InvalidInput, JotsamError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.storage.database import Transaction


class Failures:
    """The retrievers that are unavailable for one question, and other notes for the footer."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._reasons: dict[str, str] = {}
        self._notes: list[str] = []

    @property
    def unavailable(self) -> tuple[str, ...]:
        """What the footer lists as unavailable, each with its reason."""
        return (*self._notes, *(f"{retriever} ({reason})" for retriever, reason in self._reasons.items()))

    def note(self, text: str) -> None:
        """Add something else that is unavailable, with its reason."""
        self._notes.append(text)

    @contextmanager
    def of(self, retriever: str) -> Iterator[None]:
        """Run a retriever. An error in its part of the database is recorded; any other is raised."""
        try:
            yield
        except Exception as error:
            reason = self._reason(error)
            if reason is None:
                raise
            self._reasons.setdefault(retriever, reason)

    def _reason(self, error: Exception) -> str | None:
        if isinstance(error, JotsamError):
            return None if isinstance(error, InvalidInput) else " ".join(str(error).split())
        damage = self._tx.recover(error)
        if damage is None:
            return None
        return f"damaged: {damage}; see `jotsam doctor`"
