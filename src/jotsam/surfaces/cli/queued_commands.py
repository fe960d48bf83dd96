"""Runs queued commands in the worker: commands that were sent with `jotsam --async COMMAND`.

Only commands of this program run here, parsed as on the command line: never a shell, never another program. Each
command declares whether it may run (`queueable`), which is checked here too, because not only `jotsam` can write to the
queue; and a command opens no file, because the sender has read it. The output of a command is captured for its own
thread, so the worker can do other work at the same time.
"""

from __future__ import annotations

from jotsam.core.errors import JotsamError
from jotsam.core.job_records import CommandResult
from jotsam.ingest.carried import default_key
from jotsam.surfaces.cli.dispatch import call
from jotsam.surfaces.cli.output import FAILED, USAGE, Captured, report
from jotsam.surfaces.cli.parser import parse
from jotsam.surfaces.cli.send_command import check_queueable
from jotsam.surfaces.cli.terminal import STDIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.job_records import QueuedCommand
    from jotsam.core.settings import Settings


def runner(settings: Settings) -> Callable[[QueuedCommand], CommandResult]:
    """The function with which a worker runs queued commands, always on the worker's own database."""

    def run_queued(command: QueuedCommand) -> CommandResult:
        with Captured((command.input or "").encode("utf-8", "replace")) as printed:
            code, retry = _exit_code(command, settings)
        return CommandResult(code=code, stdout=printed.stdout.getvalue(), stderr=printed.stderr.getvalue(), retry=retry)

    return run_queued


def _exit_code(command: QueuedCommand, settings: Settings) -> tuple[int, bool]:
    """The exit code, and whether the command failed in a way that running it again can help."""
    try:
        return _run(command, settings), False
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE, False
    except Exception as error:  # As in `start`: every error of a command becomes an exit code.
        report(error)
        return FAILED, not isinstance(error, JotsamError) or error.retry


def _run(command: QueuedCommand, settings: Settings) -> int:
    parsed = parse(command.arguments)
    if "function" not in parsed:
        raise SystemExit(USAGE)
    check_queueable(parsed)
    parsed.queued = command
    # This process is the worker, so the command must not start another one.
    parsed.settings = settings.replace(tenant=command.tenant, project=command.project, project_label="", worker="off")
    if parsed.command == "agents extract-apply":
        parsed.file = STDIN
    elif parsed.command == "remember" and parsed.key is None:
        parsed.key = default_key(command.job_id)
    return call(parsed)
