"""The style sheet and scripts, from the package: nothing is loaded from another site."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from jotsam.core.records import Record

FOLDER = Path(__file__).with_name("static")
PREFIX = "/ui/static/"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class Asset(Record):
    """A file with the address under which pages ask for it. It changes with the content, so browsers keep it."""

    content: bytes
    media_type: str
    url: str


def load() -> dict[str, Asset]:
    """All files by their names."""
    return {file.name: _asset(file) for file in sorted(FOLDER.iterdir()) if file.suffix in TYPES}


def _asset(file: Path) -> Asset:
    content = file.read_bytes()
    version = sha256(content).hexdigest()[:12]
    return Asset(content=content, media_type=TYPES[file.suffix], url=f"{PREFIX}{file.name}?v={version}")
