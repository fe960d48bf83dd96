"""`jotsam import` of exports and of memories of other programs: recognise them, and print what was imported."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.core.durations import run_time
from jotsam.core.names import MEMORY_FORMATS
from jotsam.surfaces.cli.add_many import background
from jotsam.surfaces.cli.output import FAILED, OK, counted, echo, fields_of, hint, plural, print_error, print_json, warn
from jotsam.surfaces.cli.reader import is_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.import_tally import MemoryImport

NAMES = (("memory", "memories"), ("document", "documents"), ("link", "links"))
INTERRUPTED = ("what was read is stored", "the same command imports the rest; nothing is stored twice")
SESSION_OPTIONS = ("session",)


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


def run(arguments: argparse.Namespace, formats: dict[str, str]) -> int:
    """Import the files. Returns 1 if something could not be imported."""
    from jotsam.memory.client import Jotsam
    from jotsam.surfaces.cli.interruption import Interruptible
    from jotsam.surfaces.cli.progress import ProgressBar

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
