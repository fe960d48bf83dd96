"""Did you mean: the known word that is most like an unknown one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST_ALIKE = 0.6
MOST_CHARACTERS = 60  # Comparing takes quadratic time.


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, or None if none is."""
    from difflib import get_close_matches  # only for an error

    found = get_close_matches(word[:MOST_CHARACTERS].lower(), list(known), n=1, cutoff=LEAST_ALIKE)
    return found[0] if found else None
