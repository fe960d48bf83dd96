"""`jotsam --async COMMAND`: queue a command line for the worker, with the text of the files that it names.

Anyone who can write to the queue can make a worker run such a command, for any tenant. So a queued command only
changes memory, entities or jobs of its own tenant. It reads no file, prints no memory into the queue's tables, and
changes nothing that tenants share, such as a paused queue or a model. Files are read by the sender, and the worker
ignores their names.
"""

from __future__ import annotations

from importlib import import_module

from jotsam.core.errors import InvalidInput
from jotsam.core.job_records import MAX_COMMAND_BYTES
from jotsam.ingest.redactor import Redactor
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.options import LIMIT
from jotsam.surfaces.cli.output import FAILED, OK, echo, print_json, warn
from jotsam.surfaces.cli.parser import parse
from jotsam.surfaces.cli.terminal import STDIN, file_argument, read_limited_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

FLAG = "--async"

# Options for the process that sends, with and without a value. They are not queued: a worker has its own database, and
# the tenant is that of the job.
LOCAL_OPTIONS, LOCAL_FLAGS = ("--db", "--tenant"), (FLAG, "--no-worker", "--debug")

READS_FILES = ("add", "import")

# Options that identify something. Queued commands are redacted, and redaction could make two of them equal.
IDENTIFIERS = ("external_id", "key", "project", "session")

EVERYWHERE = ("json",)

# Set by the parser itself, not by an argument.
INTERNAL = (
    *("module", "function", "read_only", "queueable", "command", "usage_error", "unrecognized", "fail", "get_default"),
    *("verb", "queued"),
)
NOT_GIVEN: tuple[object, ...] = (None, False, 0, "", [], LIMIT)


def send(parsed: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Queue a parsed command with the texts that it needs. Returns the exit code: 1 if a file could not be read."""
    words = _without_local_options(arguments)
    check_queueable(parse(words))
    _check_identifiers(parsed)
    carried, problems = _carried(parsed)
    if parsed.command in READS_FILES and not any(carried.values()):
        return _report_nothing(parsed, problems=problems)
    with Jotsam(settings=parsed.settings) as jot:
        sent = jot.admin.send_command(words, **carried)
    if parsed.json:
        print_json(job_id=sent.id)
    else:
        echo(f"queued    job {sent.id}  see its result with `jotsam show {sent.id}`")
    return FAILED if problems else OK


def _report_nothing(parsed: argparse.Namespace, *, problems: bool) -> int:
    if parsed.json:
        print_json(job_id=None)
    elif not problems:
        echo(f"nothing to {parsed.command}: no job was queued")
    return FAILED if problems else OK


def _without_local_options(arguments: Sequence[str]) -> list[str]:
    """The command line for the worker. `--` ends the options."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept: list[str] = []
    rest = iter(arguments[:end])
    for word in rest:
        if word in LOCAL_OPTIONS:
            next(rest, None)
        elif word.partition("=")[0] not in LOCAL_OPTIONS and word not in LOCAL_FLAGS:
            kept.append(word)
    return [*kept, *arguments[end:]]


def _check_identifiers(parsed: argparse.Namespace) -> None:
    for name in IDENTIFIERS:
        redactor = Redactor()
        redactor.redact_field(name, getattr(parsed, name, None) or "")
        if redactor.found:
            option = f"--{name.replace('_', '-')}"
            parsed.usage_error(f"{option} looks like a secret, which is not stored in the queue: use another value")


def _carried(parsed: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """The texts that the command stores, and whether a file could not be read, which is reported here."""
    if parsed.command in READS_FILES:
        carried, problems = import_module(f"jotsam.surfaces.cli.{parsed.module}").read_for_queue(parsed)
        return carried, problems
    if parsed.command == "agents extract-apply" and parsed.file != STDIN:
        return {"input": file_argument(parsed.file)}, False
    is_read = STDIN in (getattr(parsed, "text", None), getattr(parsed, "file", None))
    return {"input": _read_input() if is_read else None}, False


def _read_input() -> str:
    """Standard input as text. Raises `InvalidInput` if it is too long or not text."""
    found = read_limited_stdin(MAX_COMMAND_BYTES)
    if found is None:
        raise InvalidInput(
            f"standard input has more than {MAX_COMMAND_BYTES:,} bytes, the limit of a queued command: "
            f"run it without {FLAG}"
        )
    text, warnings = found
    for warning in warnings:
        warn(warning)
    return text


def check_queueable(parsed: argparse.Namespace) -> None:
    """Report a usage error if the parsed command may not be queued. The sender and the worker check it."""
    if parsed.queueable is None:
        parsed.usage_error("this command cannot be queued: run it without --async")
    allowed = (*parsed.queueable.split(), *EVERYWHERE, *INTERNAL)
    for name, value in vars(parsed).items():
        is_given = value not in NOT_GIVEN and value != parsed.get_default(name)
        if is_given and name not in allowed:
            option = f"--{name.removeprefix('is_').replace('_', '-')}"
            parsed.usage_error(f"{option} cannot be queued: omit it, or run the command without --async")
