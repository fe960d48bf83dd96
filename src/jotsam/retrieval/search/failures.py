"""What of an answer could not be asked: a leg whose part of the database is damaged is named, and the others answer.

Every leg is asked inside `Missing.leg`, and nowhere else is an error of a leg caught. What it must not hide is a
database that cannot be used at all: a server out of reach, a lock that somebody holds, a call that was cancelled.
"""

from __future__ import annotations

from contextlib import contextmanager

from jotsam.core.errors import InvalidInput, JotsamError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.storage.database import Transaction


class Missing:
    """The legs that could not be asked, each with its reason."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._legs: dict[str, str] = {}
        self._others: list[str] = []

    @property
    def told(self) -> tuple[str, ...]:
        """As the footer says it."""
        return (*self._others, *(f"{leg} ({reason})" for leg, reason in self._legs.items()))

    def tell(self, what: str) -> None:
        """Something else that is missing, with its reason."""
        self._others.append(what)

    @contextmanager
    def leg(self, name: str) -> Iterator[None]:
        """Ask a leg: what it raises about its own part of the database is told, and the next leg can be asked."""
        try:
            yield
        except Exception as error:
            reason = self._reason(error)
            if reason is None:
                raise
            self._legs.setdefault(name, reason)

    def _reason(self, error: Exception) -> str | None:
        if isinstance(error, JotsamError):
            return None if isinstance(error, InvalidInput) else " ".join(str(error).split())
        damage = self._tx.outlive(error)
        if damage is None:
            return None
        return f"damaged: {damage}; see `jotsam doctor`"
