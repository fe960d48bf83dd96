"""The progress of adding many files at a terminal, and what goes on in the background afterwards."""

from __future__ import annotations

from jotsam.surfaces.cli.output import plural, print_interrupted, warn
from jotsam.surfaces.cli.progress import ProgressBar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.core.settings import Settings
    from jotsam.ingest.capture import Outcome


def print_progress(
    found: Iterable[Outcome], *, total: int, verbose: bool, print_outcome: Callable[..., str | None]
) -> list[Outcome]:
    """Show a bar while files are accepted. Errors and warnings are printed, and if `verbose` a line per file."""
    outcomes: list[Outcome] = []
    crowded = None
    try:
        with ProgressBar() as bar:
            for outcome in found:
                outcomes.append(outcome)
                if verbose or outcome.error or (outcome.receipt and outcome.receipt.warnings):
                    bar.clear()
                crowded = print_outcome(outcome, as_json=False, quiet=not verbose) or crowded
                bar(outcome.name, len(outcomes), total)
    except KeyboardInterrupt:
        stored = sum(outcome.receipt is not None for outcome in outcomes)
        kept = f"{stored:,} of {plural(total, 'file')} {'is' if stored == 1 else 'are'} stored"
        print_interrupted(kept, "the same command adds the rest; files that are stored already are not added twice")
        raise
    if crowded:
        warn(f"{crowded}: new documents are accepted, but processed later")
    return outcomes


def background(settings: Settings) -> str:
    """What happens to what was stored, and how to follow it."""
    if settings.worker == "off":
        return "`jotsam work` processes them"
    return "they are processed in the background, `jotsam wait` shows the progress"
