"""`jotsam import`: sessions of agents, exports, and memories of other programs."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms, run_time
from jotsam.core.names import MEMORY_FORMATS
from jotsam.ingest import carried, sessions
from jotsam.ingest.capture import MAX_TURN
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import FAILED, OK, counted, echo, fields_of, hint, plural, print_error, print_json, warn
from jotsam.surfaces.cli.progress import Interruptible, ProgressBar, background
from jotsam.surfaces.cli.terminal import is_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from typing import Any

    from jotsam.ingest.sessions import ImportResult
    from jotsam.memory.transfer.import_tally import MemoryImport

NAMES = (("memory", "memories"), ("document", "documents"), ("link", "links"))
INTERRUPTED = ("what was read is stored", "the same command imports the rest; nothing is stored twice")
SESSIONS_INTERRUPTED = ("turns that were read are stored", INTERRUPTED[1])
SESSION_OPTIONS = ("format", "project", "session", "dry_run")


def import_files(arguments: argparse.Namespace) -> int:
    """Import files and directories. Returns 1 if a line or a file could not be imported."""
    if arguments.queued is not None:
        return _import_queued(arguments)
    if found := formats(arguments):
        return import_memories(arguments, found)
    return import_sessions(arguments, arguments.paths, {name: getattr(arguments, name) for name in SESSION_OPTIONS})


def import_sessions(arguments: argparse.Namespace, paths: Iterable[str], options: dict[str, Any]) -> int:
    """Import sessions, and print what came of it. Returns 1 if a line or a file could not be imported."""
    started = monotonic_ms()
    with Jotsam(settings=arguments.settings) as jot, Interruptible(*SESSIONS_INTERRUPTED), ProgressBar() as bar:
        result = jot.import_sessions(paths, tell=bar, **options)
    if arguments.json:
        print_json(**fields_of(result))
    else:
        _print_sessions(result, closing(arguments, since=started, is_new=result.added > 0))
    return FAILED if result.problems else OK


def read_for_queue(arguments: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """The turns as a queued command carries them, and whether a line or a file was refused, which is printed."""
    if formats(arguments):
        arguments.usage_error("only sessions can be imported in the background: omit --async")
    options = {name: getattr(arguments, name) for name in SESSION_OPTIONS}
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
        _print_sessions(result)
    return FAILED if result.problems else OK


def _print_sessions(result: ImportResult, closing: str = "") -> None:
    if not _is_nothing(result):
        _print_sessions_added(result, closing)
    if result.skipped:
        kinds = ", ".join(f"{lines:,} {what}" for what, lines in result.skipped.items())
        echo(f"skipped   {plural(sum(result.skipped.values()), 'line')}: {kinds}")
    print_problems(result)


def _is_nothing(result: ImportResult) -> bool:
    """Whether a problem is all that came of an import."""
    return bool(result.problems) and not (result.added or result.duplicates)


def _print_sessions_added(result: ImportResult, closing: str) -> None:
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


def formats(arguments: argparse.Namespace) -> dict[str, str]:
    """By path, the format of each file without sessions; empty if all are. A mixture is a usage error."""
    from jotsam.ingest.memory_files import detect

    if arguments.format in MEMORY_FORMATS:
        return dict.fromkeys(arguments.paths, arguments.format)
    if arguments.format is not None:
        return {}
    found = {path: detect(path) for path in arguments.paths}
    known = {path: format for path, format in found.items() if format is not None}
    if known and len(known) < len(found):
        path, format = next(iter(known.items()))
        arguments.usage_error(f"{path} is a file of {format}, and others are not: import sessions on their own")
    return known


def import_memories(arguments: argparse.Namespace, formats: dict[str, str]) -> int:
    """Import the files. Returns 1 if something could not be imported."""
    if arguments.session is not None:
        arguments.usage_error("--session is for session files")
    results = []
    with Jotsam(settings=arguments.settings) as jot:
        for path, format in formats.items():
            started = monotonic_ms()
            with Interruptible(*INTERRUPTED), ProgressBar() as bar:
                result = jot.import_memories(
                    path,
                    format=format,  # type: ignore[arg-type]  # It is one of the formats.
                    project=arguments.project,
                    reprocess=arguments.reprocess,
                    dry_run=arguments.dry_run,
                    tell=bar,
                )
            results.append(result)
            if not arguments.json:
                _print(path, result, closing(arguments, since=started, is_new=any(result.added.values())))
    if arguments.json:
        print_json(files=[{"path": path, **fields_of(one)} for path, one in zip(formats, results, strict=True)])
    return FAILED if any(result.invalid for result in results) else OK


def closing(arguments: argparse.Namespace, *, since: int, is_new: bool) -> str:
    """For a person, how long an import took, and what goes on in the background."""
    if not is_person() or arguments.dry_run:
        return ""
    rest = f"; {background(arguments.settings)}" if is_new else ""
    return f" in {run_time(monotonic_ms() - since)}{rest}"


def _print(path: str, result: MemoryImport, closing: str) -> None:
    is_nothing = bool(result.invalid) and not any((*result.added.values(), *result.duplicates.values()))
    if not is_nothing:
        _print_added(path, result, closing)
    if result.skipped:
        echo(f"skipped   {', '.join(f'{number:,} {kind}' for kind, number in result.skipped.items())}")
    if result.forgotten:
        echo(f"forgotten {counted(result.forgotten, NAMES)}, for good: `jotsam forget --allow-again` takes that back")
    if result.redacted:
        warn(f"{plural(result.redacted, 'secret')} replaced by [redacted:...]")
    for one in result.problems:
        print_error(f"{one.path}{'' if one.line is None else f', line {one.line:,}'}: {one.reason}")
    if more := result.invalid - len(result.problems):
        warn(f"{plural(more, 'more line')} could not be imported")
    if result.invalid and not result.dry_run:
        hint(rest_of_import(is_nothing=is_nothing))


def rest_of_import(*, is_nothing: bool) -> str:
    """What became of the rest of a file of which something could not be imported."""
    if is_nothing:
        return "nothing was imported"
    return "everything else was imported; importing again adds only what is new"


def _print_added(path: str, result: MemoryImport, closing: str) -> None:
    verb = "would add" if result.dry_run else "added    "
    known = f"; {counted(result.duplicates, NAMES)} already stored" if result.duplicates else ""
    echo(f"{verb} {counted(result.added, NAMES)} of {path}{known}{closing}")
