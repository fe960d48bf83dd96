"""Documents to measure on: every file of Markdown below a folder."""

from __future__ import annotations

from pathlib import Path

import jotsam


def documents(folder: Path) -> dict[str, str]:
    """Texts by their paths within the folder. Raises `SystemExit` if there are none."""
    found = {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*.md"))}
    if not found:
        raise SystemExit(f"{folder} holds no Markdown: name a folder that does with --documents")
    return found


def accepted(folder: Path, database: Path) -> int:
    """Hand all documents of a folder over to a new database, with no worker. Returns how many there are."""
    found = documents(folder)
    with jotsam.Jotsam(str(database), worker="off") as jot:
        for path, text in found.items():
            jot.add(text, source=path)
    return len(found)


def headings(folder: Path) -> list[str]:
    """The headings of all documents, each once."""
    lines = (line for text in documents(folder).values() for line in text.splitlines() if line.startswith("#"))
    return list(dict.fromkeys(heading for line in lines if (heading := line.lstrip("# ").strip())))


def shape(folder: Path) -> str:
    """How much there is, in words."""
    found = documents(folder)
    return f"{len(found)} documents of {sum(map(len, found.values())) / 1e6:.2f} million characters"
