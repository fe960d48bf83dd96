"""A guard of docs/security.md, as a fault that takes it out."""

from __future__ import annotations

from typing import NamedTuple

CONFORMANCE, SQLITE, POSTGRES, SURFACES, UNIT, WEB = (
    f"tests/{name}" for name in ("conformance", "sqlite", "postgres", "surfaces", "unit", "web")
)


class Guard(NamedTuple):
    """What happens without it; the file, relative to the package; the text and what it becomes; what must find it."""

    what: str
    file: str
    text: str
    broken: str
    test: str
