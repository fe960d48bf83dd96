"""`jotsam import`: import session files of agents, and print what was imported, skipped and refused."""

from __future__ import annotations

from jotsam.ingest.capture import MAX_TURN
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import FAILED, OK, echo, hint, plural, print_error, print_json, warn
from jotsam.surfaces.cli.progress import ProgressBar

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.ingest.sessions import ImportResult


def run(arguments: argparse.Namespace) -> int:
    """Import files and directories. Returns 1 if a line or a file could not be imported."""
    options = {name: getattr(arguments, name) for name in ("format", "project", "session", "dry_run")}
    with Jotsam(settings=arguments.settings) as jot, ProgressBar() as bar:
        result = jot.import_sessions(arguments.paths, tell=bar, **options)
    if arguments.json:
        print_json(**result.as_dict())
    else:
        _print(result)
    return FAILED if result.problems else OK


def _print(result: ImportResult) -> None:
    verb = "would add" if result.dry_run else "added    "
    where = f"{plural(result.sessions, 'session')} in {plural(result.files, 'file')}"
    duplicates = f"; {result.duplicates:,} already stored" if result.duplicates else ""
    echo(f"{verb} {plural(result.added, 'turn')} of {where}{duplicates}")
    if result.skipped:
        kinds = ", ".join(f"{lines:,} {what}" for what, lines in result.skipped.items())
        echo(f"skipped   {plural(sum(result.skipped.values()), 'line')}: {kinds}")
    for path in result.incomplete:
        warn(f"{path}: the last line is incomplete; import the file again when it is written")
    if result.shortened:
        turns = "1 turn is" if result.shortened == 1 else f"{result.shortened:,} turns are"
        warn(f"{turns} longer than {MAX_TURN:,} characters: only the beginning is stored")
    if result.without_prompts:
        warn(_without_prompts(result.without_prompts))
    for one in result.problems:
        print_error(f"{one.path}{'' if one.line is None else f', line {one.line}'}: {one.reason}")
    more = result.invalid - sum(one.line is not None for one in result.problems)
    if more:
        warn(f"{plural(more, 'more line')} could not be imported")
    if result.invalid and not result.dry_run:
        hint("everything else was imported; importing again adds only what is new")


def _without_prompts(paths: tuple[str, ...]) -> str:
    names = f"{', '.join(paths[:3])}{f' and {len(paths) - 3:,} more' if len(paths) > 3 else ''}"
    return f"{names}: answers without a prompt; a newer version of the agent may write prompts in another way"
