"""Commands that are run later: `jotsam --async COMMAND` sends one, and the worker carries it out through this room.

It runs our own commands in this process, found by the same parser as on the command line: never a shell, never
another program. What a command prints is captured for its own thread, so the worker's other work goes on beside it.
"""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput
from jotsam.core.job_records import CommandResult
from jotsam.core.settings import load_settings
from jotsam.ingest import files
from jotsam.ingest.accept import beside
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli import parser
from jotsam.surfaces.cli.output import FAILED, OK, USAGE, Captured, complain, emit, given, say, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from jotsam.core.job_records import QueuedCommand
    from jotsam.core.settings import Settings

FLAG = "--async"
INPUT_LIMIT = 1 << 20

NAMING = ("id", "key", "project", "session")
"""Options by which something is known. A queued command is cleaned of secrets, and two names could become one by it."""


def send(chosen: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Queue a command that was understood, with what stands on standard input now. Returns the exit code."""
    words = list(arguments)
    words.remove(FLAG)  # The first one is ours, for it stands before the command.
    _refuse(chosen, twice=parser.parsed(words).later)
    said = _input() if _reads_input(chosen) else None
    with Jotsam(settings=chosen.settings) as jot:
        sent = jot.send_command(words, folder=os.getcwd(), input=said)
    if chosen.json:
        emit(job_id=sent.id)
    else:
        say(f"queued    job {sent.id}  what becomes of it: `jotsam show {sent.id}`")
    return OK


def commands(settings: Settings) -> Callable[[QueuedCommand], CommandResult]:
    """What a worker runs queued commands with. They work on its own database, wherever that has been moved."""

    def run(command: QueuedCommand) -> CommandResult:
        with Captured((command.input or "").encode("utf-8", "replace")) as printed:
            code = _code(command, settings.db)
        return CommandResult(code=code, stdout=printed.stdout.getvalue(), stderr=printed.stderr.getvalue())

    return run


def _code(command: QueuedCommand, db: str) -> int:
    try:
        return _carry_out(command, db)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE
    except Exception as error:  # The same as at the outermost call of a process: it becomes an exit code.
        complain(error)
        return FAILED


def _carry_out(command: QueuedCommand, db: str) -> int:
    chosen = parser.parsed(command.arguments)
    if "command" not in chosen:
        raise SystemExit(USAGE)
    _refuse(chosen, twice=chosen.later)
    # The worker that runs this is here, so no other one shall be started.
    options = {"db": db, "tenant": command.tenant, "project": command.project or None, "worker": "off"}
    chosen.settings, chosen.origins = load_settings(options, folder=command.folder)
    for name in parser.PATHS:
        setattr(chosen, name, _within(command.folder, getattr(chosen, name, None)))
    _give_key(chosen, command)
    return parser.carry_out(chosen)


def _refuse(chosen: argparse.Namespace, *, twice: bool) -> None:
    """End with wrong usage, if this is no command to be queued."""
    if chosen.never_queued:
        chosen.usage_error(f"this command cannot be queued: run it without {FLAG}")
    if getattr(chosen, "wait", False):
        chosen.usage_error(
            f"--wait cannot be queued: it would wait for the worker that runs it; leave {FLAG} or it out"
        )
    if twice:
        chosen.usage_error(f"{FLAG} is given twice")
    for name in NAMING:
        if beside(name, getattr(chosen, name, None) or "")[1]:
            chosen.usage_error(
                f"--{name} holds what looks like a secret, which no queued command carries: give another"
            )


def _reads_input(chosen: argparse.Namespace) -> bool:
    return "-" in getattr(chosen, "files", ()) or "-" in (getattr(chosen, "text", None), getattr(chosen, "file", None))


def _input() -> str:
    """Standard input as text, for a job outlives the pipe. Raises `InvalidInput` for what is too long or no text."""
    raw = given().read(INPUT_LIMIT + 1)
    if len(raw) > INPUT_LIMIT:
        raise InvalidInput(
            f"standard input has more than {INPUT_LIMIT:,} bytes, which is more than a queued command carries: "
            f"run it without {FLAG}, or name a file"
        )
    text, warnings = files.decode(raw, name="standard input")
    for warning in warnings:
        warn(warning)
    return text


def _within(folder: str, names: str | list[str] | None) -> str | list[str] | None:
    """Paths as they were meant where the command was sent; changing the folder would change it for every thread."""
    if isinstance(names, list):
        return [name if name == "-" else os.path.join(folder, name) for name in names]
    return None if names is None else os.path.join(folder, names)


def _give_key(chosen: argparse.Namespace, command: QueuedCommand) -> None:
    """A command may run twice, if its worker dies: what has no source to be known by is known by the job then."""
    is_one = "text" in chosen or getattr(chosen, "files", None) == ["-"]
    if is_one and getattr(chosen, "dir", None) is None and chosen.key is None:
        chosen.key = f"command:{command.job_id}"
