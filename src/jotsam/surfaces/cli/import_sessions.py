"""`jotsam import`: takes in what agents have written down of their sessions, and says what became of each line."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import FAILED, OK, complain_of, emit, hint, plural, say, warn
from jotsam.surfaces.cli.progress import Bar

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.ingest.sessions import ImportResult


def command(arguments: argparse.Namespace) -> int:
    """Import files and folders. Returns the exit code: 1 when a line or a file could not be imported."""
    asked = {name: getattr(arguments, name) for name in ("format", "project", "session", "dry_run")}
    with Jotsam(settings=arguments.settings) as jot, Bar() as bar:
        done = jot.import_sessions(arguments.paths, tell=bar, **asked)
    if arguments.json:
        emit(**done.as_dict())
    else:
        _tell(done)
    return FAILED if done.problems else OK


def _tell(done: ImportResult) -> None:
    verb = "would add" if done.dry_run else "added    "
    where = f"{plural(done.sessions, 'session')} in {plural(done.files, 'file')}"
    known = f"; {done.known:,} known already" if done.known else ""
    say(f"{verb} {plural(done.added, 'turn')} of {where}{known}")
    if done.left_out:
        kinds = ", ".join(f"{lines:,} {what}" for what, lines in done.left_out.items())
        say(f"left out  {plural(sum(done.left_out.values()), 'line')}: {kinds}")
    for path in done.unfinished:
        warn(f"{path}: its last line is still being written; import it again for that")
    for one in done.problems:
        complain_of(f"{one.path}{'' if one.line is None else f', line {one.line}'}: {one.reason}")
    more = done.wrong - sum(one.line is not None for one in done.problems)
    if more:
        warn(f"{plural(more, 'more line')} could not be imported")
    if done.wrong and not done.dry_run:
        hint("everything else was imported; importing again adds only what is new")
