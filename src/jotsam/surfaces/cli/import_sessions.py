"""`jotsam import`: import session files of agents, and print what was imported, skipped and refused.

Exports and the files of other memory programs are recognised and handed to `import_memories`.
"""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.ingest import carried, sessions
from jotsam.ingest.capture import MAX_TURN
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli import import_memories
from jotsam.surfaces.cli.import_memories import closing, rest_of_import
from jotsam.surfaces.cli.interruption import Interruptible
from jotsam.surfaces.cli.output import FAILED, OK, echo, fields_of, hint, plural, print_error, print_json, warn
from jotsam.surfaces.cli.progress import ProgressBar

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from jotsam.ingest.sessions import ImportResult

INTERRUPTED = ("turns that were read are stored", "the same command imports the rest; nothing is stored twice")
OPTIONS = ("format", "project", "session", "dry_run")


def run(arguments: argparse.Namespace) -> int:
    """Import files and directories. Returns 1 if a line or a file could not be imported."""
    if arguments.queued is not None:
        return _import_queued(arguments)
    if formats := import_memories.formats(arguments):
        return import_memories.run(arguments, formats)
    options = {name: getattr(arguments, name) for name in OPTIONS}
    started = monotonic_ms()
    with Jotsam(settings=arguments.settings) as jot, Interruptible(*INTERRUPTED), ProgressBar() as bar:
        result = jot.import_sessions(arguments.paths, tell=bar, **options)
    if arguments.json:
        print_json(**fields_of(result))
    else:
        _print(result, closing(arguments, since=started, is_new=result.added > 0))
    return FAILED if result.problems else OK


def read_for_queue(arguments: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """The turns as a queued command carries them, and whether a line or a file was refused, which is printed."""
    if import_memories.formats(arguments):
        arguments.usage_error("only sessions can be imported in the background: omit --async")
    options = {name: getattr(arguments, name) for name in OPTIONS}
    turns, result = sessions.read_turns(arguments.settings, arguments.paths, options)
    print_problems(result)
    return {"turns": [carried.turn_fields(turn) for turn in turns]}, bool(result.problems)


def _import_queued(arguments: argparse.Namespace) -> int:
    """Store the turns that a queued command carries. The paths in its arguments are only shown."""
    turns = [carried.turn_of(one) for one in arguments.queued.turns]
    if not turns:
        arguments.usage_error("the queued command carries no turns: a worker opens no files for it")
    with Jotsam(settings=arguments.settings) as jot:
        result = sessions.store_turns(jot.database, jot.settings, turns)
    if arguments.json:
        print_json(**fields_of(result))
    else:
        _print(result)
    return FAILED if result.problems else OK


def _print(result: ImportResult, closing: str = "") -> None:
    if not _is_nothing(result):
        _print_added(result, closing)
    if result.skipped:
        kinds = ", ".join(f"{lines:,} {what}" for what, lines in result.skipped.items())
        echo(f"skipped   {plural(sum(result.skipped.values()), 'line')}: {kinds}")
    print_problems(result)


def _is_nothing(result: ImportResult) -> bool:
    """Whether a problem is all that came of an import."""
    return bool(result.problems) and not (result.added or result.duplicates)


def _print_added(result: ImportResult, closing: str) -> None:
    verb = "would add" if result.dry_run else "added    "
    where = plural(result.sessions, "session") + (f" in {plural(result.files, 'file')}" if result.files else "")
    duplicates = f"; {result.duplicates:,} already stored" if result.duplicates else ""
    forgotten = f"; {result.forgotten:,} forgotten for good" if result.forgotten else ""
    echo(f"{verb} {plural(result.added, 'turn')} of {where}{duplicates}{forgotten}{closing}")


def print_problems(result: ImportResult) -> None:
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
    if result.problems and not result.dry_run:
        hint(rest_of_import(is_nothing=_is_nothing(result)))


def _without_prompts(paths: tuple[str, ...]) -> str:
    names = f"{', '.join(paths[:3])}{f' and {len(paths) - 3:,} more' if len(paths) > 3 else ''}"
    return f"{names}: answers without a prompt; a newer version of the agent may write prompts in another way"
