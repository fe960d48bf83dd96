"""Exports current memories as Markdown for people: by project and type, newest first. It cannot be imported."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.new_file import opened
from jotsam.memory.reading.selection import resolve
from jotsam.memory.transfer.export import MEMORIES, ExportResult
from jotsam.storage.memories import projects, selection
from jotsam.storage.transfer import exports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Any, BinaryIO

    from jotsam.core.selection import Selection
    from jotsam.storage.database import Database, Row

# Headings of crystals, by their kind. They come first in their project.
CRYSTALS = {
    "learning": "Gotchas",
    "decision": "Architecture",
    "preference": "Rules",
    "procedure": "Rules",
    "fact": "Knowledge",
}

TITLE, NO_PROJECT, NO_TYPE = "# Memory\n", "Without a project", "Other"


def export_markdown(
    database: Database, file: str | PathLike[str] | BinaryIO, wanted: Selection, *, tenant: str
) -> ExportResult:
    """Write what is selected and current to a path or an open binary file. Raises as `export.export`."""
    with opened(file) as out, database.snapshot(tenant=tenant) as tx:
        chosen, order, after = resolve(tx, wanted, history=False, archived=False), [], 0
        while page := selection.memories(tx, chosen, after=after, limit=MEMORIES):
            after = page[-1]
            order += [_place(row, _tags(parts)) for row, parts in exports.memories(tx, page)]
        order.sort()
        labels = projects.labels(projects.every(tx))
        written = out.write(TITLE.encode())
        project = type = None
        for start in range(0, len(order), MEMORIES):
            some = order[start : start + MEMORIES]
            found = {row["id"]: (row, parts) for row, parts in exports.memories(tx, [place[-1] for place in some])}
            for place in some:
                row, parts = found[place[-1]]
                tags = _tags(parts)
                if project != (project := row["project"] or NO_PROJECT):
                    type = None
                    written += out.write(f"\n## {_line(labels.get(project, project))}\n".encode())
                if type != (type := _crystal_heading(tags) or row["type"] or NO_TYPE):
                    written += out.write(f"\n### {_line(type)}\n\n".encode())
                written += out.write(_item(row, tags).encode())
        return ExportResult(counts={"memory": len(order)} if order else {}, bytes=written)


def _place(row: Row, tags: list[str]) -> tuple[bool, str, bool, bool, str, int, int]:
    """The order: by project, crystals, and type, those without one last, then the newest first."""
    heading = _crystal_heading(tags)
    project, type = row["project"] or "", heading or row["type"] or ""
    return (not project, project, heading is None, not type, type, -_said(row), row["id"])


def _tags(parts: Mapping[str, Any]) -> list[str]:
    return [tag["tag"] for tag in parts["tags"]]


def _crystal_heading(tags: list[str]) -> str | None:
    """The heading of a crystal; None for any other memory."""
    kinds = (tag.removeprefix("crystal:") for tag in tags if tag.startswith("crystal:"))
    return next((CRYSTALS[kind] for kind in kinds if kind in CRYSTALS), None)


def _item(row: Row, tags: list[str]) -> str:
    text = row["body"].strip().replace("\n", "\n  ")
    own = " ".join(f"`{_line(tag)}`" for tag in tags if not tag.startswith("entity:"))
    about = " · ".join(part for part in (own, _line(row["source"] or "")) if part)
    return f"- **{format_time(_said(row))[:10]}** {text}" + (f"  \n  {about}" if about else "") + "\n"


def _said(row: Row) -> int:
    at: int = row["created_at"] if row["said_at"] is None else row["said_at"]
    return at


def _line(text: str) -> str:
    return " ".join(text.split())
