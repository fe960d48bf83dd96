"""`jotsam add`: hands files to the door and prints a receipt for each."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.ingest import capture, files
from jotsam.ingest.accept import CROWDED
from jotsam.surfaces.cli.output import FAILED, OK, complain, emit, given, hint, say, warn

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
    """Add files by name; `-` is standard input. Returns the exit code: 1 when one of them could not be added."""
    outcomes = hand_over(settings, names, project=project, date=date, key=key, as_json=as_json)
    return conclude(outcomes, as_json=as_json)


def hand_over(
    settings: Settings,
    names: Iterable[str],
    *,
    project: str | None = None,
    date: int | None = None,
    key: str | None = None,
    as_json: bool = False,
    force: bool = False,
) -> list[Outcome]:
    """Add files and print what becomes of each as soon as it is known."""
    items = (given().read() if name == "-" else name for name in names)
    outcomes = []
    crowded = None
    for outcome in capture.add(settings, items, project=project, date=date, key=key, force=force):
        outcomes.append(outcome)
        crowded = _tell(outcome, as_json=as_json) or crowded
    if crowded and not as_json:
        warn(f"{crowded}: all is kept, and will take its time")
    return outcomes


def conclude(outcomes: list[Outcome], *, as_json: bool, skipped: Iterable[str] = ()) -> int:
    """Print the JSON object, if it is wanted. Returns the exit code."""
    if as_json:
        receipts = [{"name": o.name, **o.receipt.as_dict()} for o in outcomes if o.receipt]
        errors = [{"name": o.name, "error": str(o.error)} for o in outcomes if o.error]
        emit(receipts=receipts, errors=errors, skipped=list(skipped))
    return FAILED if any(outcome.error for outcome in outcomes) else OK


def command(arguments: argparse.Namespace) -> int:
    """`add` with the options that the full parser knows."""
    names, skipped = list(arguments.files), list[str]()
    if arguments.dir is not None:
        below, skipped = _below(arguments)
        names += below
    if not names:
        arguments.usage_error("name a file, - for standard input, or a folder with --dir")
    if arguments.key is not None and len(names) > 1:
        arguments.usage_error("--key names one document: give one file")
    labels = {"project": arguments.project, "date": arguments.date, "key": arguments.key}
    outcomes = hand_over(arguments.settings, names, **labels, as_json=arguments.json, force=arguments.force)
    if skipped and not arguments.json:
        _tell_skipped(skipped)
    code = conclude(outcomes, as_json=arguments.json, skipped=skipped)
    ids = [outcome.receipt.id for outcome in outcomes if outcome.receipt]
    if not arguments.wait or not ids:
        return code
    from jotsam.surfaces.cli.work import wait_for

    return wait_for(arguments, ids, tell=not arguments.json) or code


def _below(arguments: argparse.Namespace) -> tuple[list[str], list[str]]:
    """What matches in the folder, and what of it is skipped, for its name says that it holds secrets."""
    patterns = arguments.glob or ["*.md"]
    found = files.under(arguments.dir, patterns)
    skipped = [] if arguments.force else [path for path in found if files.holds_secrets(path)]
    if found and len(found) == len(skipped):
        _tell_skipped(skipped)
    if len(found) == len(skipped):
        raise InvalidInput(f"nothing {'else ' if skipped else ''}below {arguments.dir} matches {' or '.join(patterns)}")
    return [path for path in found if path not in set(skipped)], skipped


def _tell_skipped(names: list[str]) -> None:
    several = "1 file was skipped, for its name says that it holds secrets"
    if len(names) > 1:
        several = f"{len(names)} files were skipped, for their names say that they hold secrets"
    warn(f"{several}: {', '.join(names)}")
    hint("--force adds such files, without what looks like a secret in them")


def _tell(outcome: Outcome, *, as_json: bool) -> str | None:
    """Print what became of one. Returns the warning that is about the queue, which is printed once for all."""
    receipt = outcome.receipt
    if outcome.error:
        complain(outcome.error)
    if receipt is None:
        return None
    own = [warning for warning in receipt.warnings if not warning.endswith(CROWDED)]
    if not as_json:
        say(f"{'known   ' if receipt.duplicate else 'accepted'}  {receipt.id}  job {receipt.job_id}  {outcome.name}")
        for warning in own:
            warn(f"{outcome.name}: {warning}")
    return next((warning for warning in receipt.warnings if warning not in own), None)
