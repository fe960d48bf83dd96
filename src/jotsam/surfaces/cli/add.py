"""`jotsam add`: store files as documents and print a receipt for each."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.ingest import capture, files
from jotsam.ingest.accept import BACKLOG
from jotsam.surfaces.cli.output import FAILED, OK, echo, hint, print_json, report, stdin, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from jotsam.core.settings import Settings
    from jotsam.ingest.capture import Outcome


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
    outcomes = add_files(settings, names, project=project, date=date, key=key, as_json=as_json)
    return finish(outcomes, as_json=as_json)


def add_files(
    settings: Settings,
    names: Iterable[str],
    *,
    project: str | None = None,
    date: int | None = None,
    key: str | None = None,
    as_json: bool = False,
    force: bool = False,
) -> list[Outcome]:
    """Add files, and print the outcome of each as soon as it is known."""
    items = (stdin().read() if name == "-" else name for name in names)
    outcomes = []
    crowded = None
    for outcome in capture.add(settings, items, project=project, date=date, key=key, force=force):
        outcomes.append(outcome)
        crowded = _print_outcome(outcome, as_json=as_json) or crowded
    if crowded and not as_json:
        warn(f"{crowded}: new documents are accepted, but processed later")
    return outcomes


def finish(outcomes: list[Outcome], *, as_json: bool, skipped: Iterable[str] = ()) -> int:
    """Print the JSON object if requested. Returns the exit code."""
    if as_json:
        receipts = [{"name": o.name, **o.receipt.as_dict()} for o in outcomes if o.receipt]
        errors = [{"name": o.name, "error": str(o.error)} for o in outcomes if o.error]
        print_json(receipts=receipts, errors=errors, skipped=list(skipped))
    return FAILED if any(outcome.error for outcome in outcomes) else OK


def run(arguments: argparse.Namespace) -> int:
    """`jotsam add` with all options of the full parser."""
    names, skipped = list(arguments.files), list[str]()
    if arguments.dir is not None:
        below, skipped = _files_below(arguments)
        names += below
    if not names:
        arguments.usage_error("name a file, - for standard input, or a directory with --dir")
    if arguments.key is not None and len(names) > 1:
        arguments.usage_error("--key identifies one document: give one file")
    labels = {"project": arguments.project, "date": arguments.date, "key": arguments.key}
    outcomes = add_files(arguments.settings, names, **labels, as_json=arguments.json, force=arguments.force)
    if skipped and not arguments.json:
        _warn_of_skipped(skipped)
    code = finish(outcomes, as_json=arguments.json, skipped=skipped)
    ids = [outcome.receipt.id for outcome in outcomes if outcome.receipt]
    if not arguments.wait or not ids:
        return code
    from jotsam.surfaces.cli.work import wait_for

    return wait_for(arguments, ids, quiet=arguments.json) or code


def _files_below(arguments: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The matching files below `--dir`, and those of them that are skipped because of their names."""
    patterns = arguments.glob or ["*.md"]
    found = files.under(arguments.dir, patterns)
    skipped = [] if arguments.force else [path for path in found if files.is_secret_file(path)]
    if found and len(found) == len(skipped):
        _warn_of_skipped(skipped)
    if len(found) == len(skipped):
        other = "other " if skipped else ""
        raise InvalidInput(f"no {other}file below {arguments.dir} matches {' or '.join(patterns)}")
    return [path for path in found if path not in set(skipped)], skipped


def _warn_of_skipped(names: list[str]) -> None:
    several = "1 file was skipped because its name suggests that it contains secrets"
    if len(names) > 1:
        several = f"{len(names)} files were skipped because their names suggest that they contain secrets"
    warn(f"{several}: {', '.join(names)}")
    hint("--force adds such files, with detected secrets redacted")


def _print_outcome(outcome: Outcome, *, as_json: bool) -> str | None:
    """Print one outcome. Returns the warning about a full queue, which is printed once for all files."""
    receipt = outcome.receipt
    if outcome.error:
        report(outcome.error)
    if receipt is None:
        return None
    own = [warning for warning in receipt.warnings if not warning.endswith(BACKLOG)]
    if not as_json:
        echo(f"{'duplicate' if receipt.duplicate else 'accepted '} {receipt.id}  job {receipt.job_id}  {outcome.name}")
        for warning in own:
            warn(f"{outcome.name}: {warning}")
    return next((warning for warning in receipt.warnings if warning not in own), None)
