"""`jotsam add`: store files as documents and print a receipt for each."""

from __future__ import annotations

import os

from jotsam.core.clock import monotonic_ms, run_time
from jotsam.core.errors import InvalidInput
from jotsam.ingest import backlog, capture, files
from jotsam.surfaces.cli.output import (
    FAILED,
    OK,
    echo,
    fields_of,
    hint,
    plural,
    print_json,
    report,
    stdin,
    stdout,
    warn,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence
    from typing import Any, TypedDict, Unpack

    from jotsam.core.settings import Settings
    from jotsam.ingest.capture import Outcome, ReadFile
    from jotsam.ingest.files import Listing

    class Labels(TypedDict, total=False):
        """Options of `capture.add`."""

        project: str | None
        date: int | None
        actor: str | None
        key: str | None
        force: bool


PATTERNS = ("*.md", "*.rst", "*.txt")  # added from a folder
MAX_ENDINGS = 5  # that are named when files are skipped


def add(
    settings: Settings,
    names: Iterable[str],
    *,
    project: str | None = None,
    date: int | None = None,
    key: str | None = None,
    as_json: bool = False,
) -> int:
    """Add files by name; `-` is standard input. Returns the exit code: 1 if a file could not be added."""
    names, started = list(names), monotonic_ms()
    outcomes = add_files(settings, names, project=project, date=date, key=key, as_json=as_json)
    if _is_summarised(names, as_json=as_json):
        _print_summary(outcomes, settings, since=started)
    return finish(outcomes, as_json=as_json)


def add_files(
    settings: Settings, names: Sequence[str], *, as_json: bool, verbose: bool = False, **labels: Unpack[Labels]
) -> list[Outcome]:
    """Add files, and print the outcome of each as soon as it is known; several at a terminal only if `verbose`."""
    items = (stdin().read() if name == "-" else name for name in names)
    found = capture.add(settings, items, **labels)
    if as_json or not _is_summarised(names, as_json=as_json):
        return _print_outcomes(found, as_json=as_json)
    from jotsam.surfaces.cli.progress import print_progress

    return print_progress(found, total=len(names), verbose=verbose, print_outcome=_print_outcome)


def _is_summarised(names: Sequence[str], *, as_json: bool) -> bool:
    """Whether one line sums up the files: if there are several, and a person reads the output."""
    if as_json or len(names) < 2 or not stdout().isatty():
        return False
    from jotsam.surfaces.cli.terminal import is_person

    return is_person()


def _print_outcomes(found: Iterable[Outcome], *, as_json: bool) -> list[Outcome]:
    outcomes = []
    crowded = None
    for outcome in found:
        outcomes.append(outcome)
        crowded = _print_outcome(outcome, as_json=as_json) or crowded
    if crowded and not as_json:
        warn(f"{crowded}: new documents are accepted, but processed later")
    return outcomes


def finish(outcomes: list[Outcome], *, as_json: bool, skipped: Iterable[str] = (), below: Listing | None = None) -> int:
    """Print the JSON object if requested. `below` is what was found in folders. Returns the exit code."""
    if as_json:
        receipts = [{"name": o.name, **fields_of(o.receipt)} for o in outcomes if o.receipt]
        errors = [{"name": o.name, "error": str(o.error)} for o in outcomes if o.error]
        others, hidden = (below.others, below.hidden) if below else ({}, 0)
        print_json(receipts=receipts, errors=errors, skipped=list(skipped), not_matching=others, hidden=hidden)
    return FAILED if any(outcome.error for outcome in outcomes) else OK


def add_with_options(arguments: argparse.Namespace) -> int:
    """`jotsam add` with all options of the full parser."""
    if arguments.queued is not None:
        return _add_queued(arguments)
    names, skipped, below = _names(arguments)
    labels: Labels = {"project": arguments.project, "date": arguments.date, "actor": arguments.actor}
    labels |= {"key": arguments.key, "force": arguments.force}
    started = monotonic_ms()
    outcomes = add_files(arguments.settings, names, as_json=arguments.json, verbose=arguments.verbose, **labels)
    if below and not arguments.json:
        _print_skipped(below, skipped, arguments.glob or PATTERNS)
    if _is_summarised(names, as_json=arguments.json):
        _print_summary(outcomes, None if arguments.wait else arguments.settings, since=started)
    elif below and not arguments.json:
        echo(_summary(outcomes))
    code = finish(outcomes, as_json=arguments.json, skipped=skipped, below=below)
    ids = [o.receipt.id for o in outcomes if o.receipt and not o.receipt.forgotten]
    if not arguments.wait or not ids:
        return code
    from jotsam.surfaces.cli.operate.work import wait_for

    return wait_for(arguments, ids, quiet=arguments.json) or code


def read_for_queue(arguments: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """The files as a queued command carries them, and whether one could not be read, which is printed.

    Raises `InvalidInput` if they are too large together.
    """
    from jotsam.core.job_records import MAX_COMMAND_BYTES as LIMIT
    from jotsam.ingest import carried

    names, skipped, below = _names(arguments)
    if below and not arguments.json:
        _print_skipped(below, skipped, arguments.glob or PATTERNS)
    documents: list[dict[str, Any]] = []
    characters, problems = 0, False
    for name in names:
        item = stdin().read(LIMIT + 1) if name == "-" else name
        file = carried.redacted_file(_read(item, arguments))
        for warning in file.warnings:
            warn(f"{file.name}: {warning}")
        if file.error:
            report(file.error)
            problems = True
            continue
        documents.append(carried.document_fields(file))
        characters += len(documents[-1]["text"])
        if characters > LIMIT:
            raise InvalidInput(
                f"the files have more than {LIMIT:,} bytes, the limit of a queued command: run it without --async"
            )
    return {"documents": documents}, problems


def _read(item: str | bytes, arguments: argparse.Namespace) -> ReadFile:
    return capture.read_file(
        item,
        arguments.settings,
        project=arguments.project,
        date=arguments.date,
        actor=arguments.actor,
        force=arguments.force,
    )


def _add_queued(arguments: argparse.Namespace) -> int:
    """Add the documents that a queued command carries. The names in its arguments are only shown."""
    from jotsam.ingest import carried

    command, settings = arguments.queued, arguments.settings
    if not command.documents:
        arguments.usage_error("the queued command carries no text: a worker opens no files for it")
    read = [
        carried.file_of(
            one, tenant=settings.tenant, key=arguments.key, default_key=carried.default_key(command.job_id, number)
        )
        for number, one in enumerate(command.documents)
    ]
    outcomes = _print_outcomes(capture.accept_files(settings, read), as_json=arguments.json)
    return finish(outcomes, as_json=arguments.json)


def _names(arguments: argparse.Namespace) -> tuple[list[str], list[str], Listing | None]:
    """The files to add, those skipped because of their names, and what is in the folders."""
    folders = [name for name in arguments.files if name != "-" and os.path.isdir(name)]
    names, skipped, below = [name for name in arguments.files if name not in folders], list[str](), None
    if folders:
        below, skipped = _files_below(arguments, folders)
        names = [*dict.fromkeys((*names, *(path for path in below.matching if path not in set(skipped))))]
    if not names:
        arguments.usage_error("name a file, a folder, or - for standard input")
    if arguments.key is not None and len(names) > 1:
        arguments.usage_error("--key identifies one document: give one file")
    return names, skipped, below


def _files_below(arguments: argparse.Namespace, folders: Sequence[str]) -> tuple[Listing, list[str]]:
    """The files below some folders, and those of the matching ones that are skipped because of their names."""
    patterns = arguments.glob or PATTERNS
    below = files.below_all(folders, patterns)
    skipped = [] if arguments.force else [path for path in below.matching if files.is_secret_file(path)]
    if len(below.matching) > len(skipped):
        return below, skipped
    if not arguments.json:
        _print_skipped(below, skipped, patterns)
    raise InvalidInput(f"no {'other ' if skipped else ''}file below {' or '.join(folders)} matches {_either(patterns)}")


def _print_skipped(below: Listing, secret: list[str], patterns: Sequence[str]) -> None:
    """What is in the folders and was not added, and why."""
    if below.others:
        endings = [f"{count:,} {ending or 'without an ending'}" for ending, count in below.others.items()]
        more = sum(list(below.others.values())[MAX_ENDINGS:])
        shown = ", ".join([*endings[:MAX_ENDINGS], *([f"{more:,} other"] if more else [])])
        count = plural(sum(below.others.values()), "file")
        echo(f"skipped   {count} not matching {_either(patterns)}: {shown}")
    if below.hidden:
        echo(f"skipped   {below.hidden:,} hidden {'file or folder' if below.hidden == 1 else 'files and folders'}")
    if secret:
        _warn_of_skipped(secret)


def _print_summary(outcomes: Sequence[Outcome], settings: Settings | None, *, since: int) -> None:
    """What became of the files, how long it took, and, with `settings`, what goes on in the background."""
    from jotsam.surfaces.cli.progress import background

    is_new = any(one.receipt and not one.receipt.duplicate and not one.receipt.forgotten for one in outcomes)
    rest = f"; {background(settings)}" if settings and is_new else ""
    echo(f"{_summary(outcomes)} in {run_time(monotonic_ms() - since)}{rest}")


def _summary(outcomes: Sequence[Outcome]) -> str:
    """What became of the files, in one line."""
    receipts = [outcome.receipt for outcome in outcomes if outcome.receipt]
    known = sum(receipt.duplicate for receipt in receipts)
    refused = sum(receipt.forgotten for receipt in receipts)
    parts = [f"{plural(len(receipts) - known - refused, 'document')} accepted"]
    parts += [f"{known:,} known already"] if known else []
    parts += [f"{refused:,} forgotten for good"] if refused else []
    parts += [f"{len(outcomes) - len(receipts):,} failed"] if len(outcomes) > len(receipts) else []
    return ", ".join(parts)


def _either(patterns: Sequence[str]) -> str:
    *first, last = patterns
    return f"{', '.join(first)} or {last}" if first else last


def _warn_of_skipped(names: list[str]) -> None:
    several = "1 file was skipped because its name suggests that it contains secrets"
    if len(names) > 1:
        several = f"{len(names)} files were skipped because their names suggest that they contain secrets"
    warn(f"{several}: {', '.join(names)}")
    hint("--force adds such files, with detected secrets redacted")


def _print_outcome(outcome: Outcome, *, as_json: bool, quiet: bool = False) -> str | None:
    """Print one outcome; if `quiet`, only its error and warnings.

    Returns the warning about a full queue, which is printed once for all files.
    """
    receipt = outcome.receipt
    if outcome.error:
        report(outcome.error)
    if receipt is None:
        return None
    own = [warning for warning in receipt.warnings if not warning.endswith(backlog.SUFFIX)]
    if not as_json:
        if not receipt.forgotten and not quiet:
            state = "duplicate" if receipt.duplicate else "accepted "
            echo(f"{state} {receipt.id}  job {receipt.job_id}  {outcome.name}")
        for warning in own:
            warn(f"{outcome.name}: {warning}")
    return next((warning for warning in receipt.warnings if warning not in own), None)
