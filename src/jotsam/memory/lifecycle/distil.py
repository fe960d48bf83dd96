"""Proposals out of repeated workflows: what sessions did or were told again and again, and the files that would say it.

Nothing is written unless `write_proposals` is called, and no file is ever replaced.
"""

from __future__ import annotations

import os

from jotsam.agents.agent import every_agent
from jotsam.core import validate
from jotsam.core.clock import format_time
from jotsam.core.crystal_records import COMMAND, CONVENTION, SCRIPT, Distilled, Workflow
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.pipeline.lifecycle.workflows import SessionText, covered, find_workflows
from jotsam.pipeline.text.slugs import slug
from jotsam.storage.memories import projects, session_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.storage.database import Database

EXAMINED = 20_000  # of the latest memories of sessions
MIN_SESSIONS = 3
MAX_FILE_BYTES, MAX_FILES = 200_000, 100  # of the files that may say something already

# Files of a project that tell people how to work, and folders of such files. Agents have their own.
FILES = ("CONTRIBUTING.md", "README.md", "Makefile", "justfile", "package.json", "noxfile.py", "tox.ini")
FOLDERS = ("scripts", "bin", "tools")
AGENTS = frozenset(("assistant", "agent", "model", "tool", "system"))  # actors that are no person


def distil(
    database: Database,
    *,
    tenant: str,
    project: str | None = None,
    since: int | None = None,
    min_sessions: int = MIN_SESSIONS,
    folder: str | None = None,
) -> Distilled:
    """What was repeated in at least `min_sessions` sessions, of the latest 20,000 memories of sessions.

    `folder` is the project's: files in it that say something already are named. Changes nothing.
    Raises `InvalidInput`.
    """
    validate.check_optional_text("project", project)
    validate.check_int("min_sessions", min_sessions, 2, 1_000)
    with database.snapshot(tenant=tenant) as tx:
        rows = [*session_texts.latest(tx, project=projects.asked(tx, project), since=since, most=EXAMINED)]
    rows.sort(key=lambda row: (row["session"], row["at"], row["position"], row["id"]))
    texts = [
        SessionText(
            session=row["session"],
            memory=row["uuid"],
            at=row["at"],
            text=row["body"].replace("\r\n", "\n"),
            by_user=(row["actor"] or "").lower() not in AGENTS,
        )
        for row in rows
    ]
    found = find_workflows(texts, min_sessions=min_sessions)
    files = dict(_files(folder)) if folder is not None else {}
    return Distilled(
        workflows=tuple(covered(one, files) for one in found),
        sessions=len({row["session"] for row in rows}),
        examined=len(rows),
        is_complete=len(rows) < EXAMINED,
    )


def write_proposals(found: Distilled, folder: str, *, ids: Sequence[str] = ()) -> list[str]:
    """Write proposals as files to a folder: those of some ids, else all that no file says already.

    Returns the paths. Raises `NotFound` for an unknown id, and `InvalidInput` before anything is written if a file of
    one of them exists or cannot be written.
    """
    known = {one.id: one for one in found.workflows}
    if unknown := [id for id in ids if id not in known]:
        raise NotFound(f"there is no proposal {unknown[0]!r}: `jotsam themes distill` lists them")
    chosen = [known[id] for id in dict.fromkeys(ids)] or [one for one in found.workflows if one.covered_by is None]
    paths = [(os.path.join(folder, file_name(one)), one) for one in chosen]
    if taken := [path for path, _ in paths if os.path.lexists(path)]:
        raise InvalidInput(f"{taken[0]} exists already: remove it, or choose another folder")
    for path, one in paths:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "x", encoding="utf-8") as file:  # "x": another program may have created it since.
                file.write(file_text(one))
        except OSError as error:
            raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    return [path for path, _ in paths]


def file_name(one: Workflow) -> str:
    """The path of a proposal's file in its folder."""
    name = f"{slug(one.title)[:40].strip('-') or one.kind}-{one.id}"
    return {
        COMMAND: f"commands/{name}.md",
        SCRIPT: f"scripts/{name}.sh",
        CONVENTION: f"conventions/{name}.md",
    }.get(one.kind, f"skills/{name}/SKILL.md")


def file_text(one: Workflow) -> str:
    """The file that a proposal would be, which says where it comes from."""
    days = " to ".join(dict.fromkeys(format_time(at)[:10] for at in (one.first_at, one.last_at)))
    origin = f"Seen in {len(one.sessions)} sessions, {days}: {', '.join(one.sessions[:5])}"
    if one.kind == SCRIPT:
        return "\n".join(("#!/bin/sh", f"# {origin}", "set -e", "", *one.lines, ""))
    if one.kind == CONVENTION:
        return "\n".join((f"- {one.lines[0]}", "", f"<!-- {origin} -->", ""))
    head = ("---", f"description: Run {one.title}", "---", "") if one.kind == COMMAND else _skill_head(one)
    return "\n".join(
        (*head, *(f"{n}. {_step(line)}" for n, line in enumerate(one.lines, 1)), "", f"<!-- {origin} -->", "")
    )


def _skill_head(one: Workflow) -> Iterable[str]:
    name = slug(one.title)[:40].strip("-") or one.kind
    return "---", f"name: {name}", f"description: {one.lines[-1]}", "---", ""


def _step(line: str) -> str:
    return f"`{line}`" if " " in line and not line[:1].isupper() and not line.endswith(".") else line


def _files(folder: str) -> Iterator[tuple[str, str]]:
    """The names and texts of files that may say something already."""
    agents = every_agent()
    told = (name for one in agents for name in (one.instructions, *one.rule_files) if name)
    names = [*dict.fromkeys(told), *FILES]
    for inner in (*(name for one in agents for name in one.rule_folders), *FOLDERS):
        for path, folders, files in os.walk(os.path.join(folder, inner)):
            folders.sort()
            names += [os.path.relpath(os.path.join(path, name), folder) for name in sorted(files)]
    for name in names[:MAX_FILES]:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                yield name, file.read(MAX_FILE_BYTES).decode(errors="replace")
        except OSError:
            continue  # It is not there, or not readable: then it says nothing.
