"""Values of query strings as AutoMem reads them: what cannot be read is the default, and not an error."""

from __future__ import annotations

TRUE, FALSE = ("1", "true", "yes", "y", "on"), ("0", "false", "no", "n", "off")


def number(text: str | None, default: int, low: int, high: int) -> int:
    """An integer within bounds."""
    try:
        return max(low, min(int((text or "")[:12]), high))
    except ValueError:
        return default


def flag(text: str | None) -> bool | None:
    """True, False, or None for any other text."""
    word = (text or "").strip().lower()
    return True if word in TRUE else False if word in FALSE else None
