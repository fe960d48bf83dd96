"""`jotsam db projects`: list projects, join two, split them again, and give one another label."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.api.change_log import note_change
from jotsam.memory.api.client import Jotsam
from jotsam.memory.sessions import project_session
from jotsam.surfaces.cli.output import echo, hint, plural, print_json, print_result, print_table
from jotsam.surfaces.cli.terminal import ask, can_ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from jotsam.memory.reading.projects import Project, ProjectChange


def list_projects(arguments: argparse.Namespace) -> None:
    """List projects, the one with the latest memory first. As the first session in a folder, it looks for its names."""
    with Jotsam(settings=arguments.settings) as jot:
        note = project_session.begin(jot.database, jot.settings)
        found = jot.projects()
    if note:
        hint(note)
    if arguments.json:
        print_json(projects=found)
    elif found:
        print_table(("project", "memories", "documents", "first", "last", "key"), map(_row, found))
    else:
        echo("no memory or document names a project yet")


def merge(arguments: argparse.Namespace) -> None:
    """Join a project to another."""
    with Jotsam(settings=arguments.settings) as jot:
        done = _change(arguments, lambda dry: jot.merge_projects(arguments.name, into=arguments.into, dry_run=dry))
        if not done.dry_run:
            note_change(jot, "merge project", done.key)


def split(arguments: argparse.Namespace) -> None:
    """Take back a merge."""
    with Jotsam(settings=arguments.settings) as jot:
        done = _change(arguments, lambda dry: jot.split_project(arguments.name, dry_run=dry))
        if not done.dry_run:
            note_change(jot, "split project", done.key)


def rename(arguments: argparse.Namespace) -> None:
    """Give a project another label. Nothing moves, so nothing is asked."""
    with Jotsam(settings=arguments.settings) as jot:
        done = jot.rename_project(arguments.name, arguments.label)
        note_change(jot, "rename project", done.key)
    print_result(arguments, f"renamed   {done.key} to {done.label}", change=done)


def _change(arguments: argparse.Namespace, change: Callable[[bool], ProjectChange]) -> ProjectChange:
    """Say what a change does, and make it if that is confirmed."""
    planned = change(True)
    is_asked = can_ask(arguments)
    if is_asked:
        echo(f"would {_sentence(arguments, planned)}")
    done = change(False) if arguments.yes or (is_asked and ask("do it? [y/N] ", default=False)) else planned
    if arguments.json:
        print_json(change=done)
    elif done.dry_run:
        if not is_asked:
            echo(f"would {_sentence(arguments, planned)}")
        hint("nothing was changed; add --yes to do it")
    else:
        echo(_sentence(arguments, done))
        for name in done.renamed_blocks:
            echo(f"  a block of that name exists, so this one is called {name!r} there")
        if arguments.command.endswith("merge"):
            hint(f"`jotsam db projects split {done.key}` takes that back")
    return done


def _sentence(arguments: argparse.Namespace, change: ProjectChange) -> str:
    parts = (
        plural(change.memories, "memory", "memories"),
        plural(change.documents, "document"),
        plural(change.blocks, "block"),
    )
    if arguments.command.endswith("merge"):
        return f"join {change.key} to {change.into}: {', '.join(parts)}"
    return f"split {change.key} from {change.into}: {', '.join(parts)}"


def _row(one: Project) -> tuple[object, ...]:
    first, last = ("" if ms is None else format_time(ms)[:10] for ms in (one.first, one.last))
    joined = "".join(f", {key}" for key in one.joined)
    return one.label, one.memories, one.documents, first, last, f"{one.key}{joined}"
