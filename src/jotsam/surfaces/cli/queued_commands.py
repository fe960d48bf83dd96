"""Runs queued commands in the worker: commands that were sent with `jotsam --async COMMAND`.

Only commands of this program run here, parsed as on the command line: never a shell, never another program. The
output of a command is captured for its own thread, so the worker can do other work at the same time.
"""

from __future__ import annotations

import os

from jotsam.core.job_records import CommandResult
from jotsam.core.settings import load_settings
from jotsam.surfaces.cli.dispatch import call
from jotsam.surfaces.cli.output import FAILED, USAGE, Captured, report
from jotsam.surfaces.cli.parser import PATH_ARGUMENTS, parse
from jotsam.surfaces.cli.send_command import check_queueable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from jotsam.core.job_records import QueuedCommand
    from jotsam.core.settings import Settings


def runner(settings: Settings) -> Callable[[QueuedCommand], CommandResult]:
    """The function with which a worker runs queued commands, always on the worker's own database."""

    def run(command: QueuedCommand) -> CommandResult:
        with Captured((command.input or "").encode("utf-8", "replace")) as printed:
            code = _exit_code(command, settings.db)
        return CommandResult(code=code, stdout=printed.stdout.getvalue(), stderr=printed.stderr.getvalue())

    return run


def _exit_code(command: QueuedCommand, db: str) -> int:
    try:
        return _run(command, db)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE
    except Exception as error:  # As in `start`: every error of a command becomes an exit code.
        report(error)
        return FAILED


def _run(command: QueuedCommand, db: str) -> int:
    parsed = parse(command.arguments)
    if "function" not in parsed:
        raise SystemExit(USAGE)
    # Checked again: anyone with access to the database can write to the queue.
    check_queueable(parsed, is_repeated=parsed.is_async)
    # This process is the worker, so the command must not start another one.
    options = {"db": db, "tenant": command.tenant, "project": command.project or None, "worker": "off"}
    parsed.settings, parsed.origins = load_settings(options, folder=command.folder)
    for name in PATH_ARGUMENTS:
        setattr(parsed, name, _absolute(command.folder, getattr(parsed, name, None)))
    _set_key(parsed, command)
    return call(parsed)


def _absolute(folder: str, names: str | list[str] | None) -> str | list[str] | None:
    """Paths relative to the folder of the sender. `os.chdir` would change it for every thread of the worker."""
    if isinstance(names, list):
        return [name if name == "-" else os.path.join(folder, name) for name in names]
    return None if names is None else os.path.join(folder, names)


def _set_key(parsed: argparse.Namespace, command: QueuedCommand) -> None:
    """Use the job id as idempotency key of text without a source: the command runs again if its worker dies."""
    is_single_text = "text" in parsed or getattr(parsed, "files", None) == ["-"]
    if is_single_text and getattr(parsed, "dir", None) is None and parsed.key is None:
        parsed.key = f"command:{command.job_id}"
