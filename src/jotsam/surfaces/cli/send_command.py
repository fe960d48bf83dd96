"""`jotsam --async COMMAND`: queue a command line for the worker."""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput
from jotsam.ingest.redactor import Redactor
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, echo, print_json, warn
from jotsam.surfaces.cli.parser import parse
from jotsam.surfaces.cli.text_input import read_limited_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

FLAG = "--async"
INPUT_LIMIT = 1 << 20

# Options that identify something. Queued commands are redacted, and redaction could make two of them equal.
IDENTIFIERS = ("external_id", "key", "project", "session")


def send(parsed: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Queue a parsed command with the current content of standard input. Returns the exit code."""
    words = list(arguments)
    words.remove(FLAG)  # `--async` is only accepted before the command, so the first one is the option.
    check_queueable(parsed, is_repeated=parse(words).is_async)
    text = _read_input() if _reads_input(parsed) else None
    with Jotsam(settings=parsed.settings) as jot:
        sent = jot.admin.send_command(words, folder=os.getcwd(), input=text)
    if parsed.json:
        print_json(job_id=sent.id)
    else:
        echo(f"queued    job {sent.id}  see its result with `jotsam show {sent.id}`")
    return OK


def check_queueable(parsed: argparse.Namespace, *, is_repeated: bool) -> None:
    """Report a usage error if the command cannot be queued."""
    if not parsed.queueable:
        parsed.usage_error(f"this command cannot be queued: run it without {FLAG}")
    if getattr(parsed, "wait", False):
        parsed.usage_error(f"--wait cannot be queued: it would wait for the worker that runs it; omit --wait or {FLAG}")
    if is_repeated:
        parsed.usage_error(f"{FLAG} is given twice")
    for name in IDENTIFIERS:
        redactor = Redactor()
        redactor.redact_field(name, getattr(parsed, name, None) or "")
        if redactor.found:
            option = f"--{name.replace('_', '-')}"
            parsed.usage_error(f"{option} looks like a secret, which is not stored in the queue: use another value")


def _reads_input(parsed: argparse.Namespace) -> bool:
    return "-" in getattr(parsed, "files", ()) or "-" in (getattr(parsed, "text", None), getattr(parsed, "file", None))


def _read_input() -> str:
    """Standard input as text. Raises `InvalidInput` if it is too long or not text."""
    found = read_limited_stdin(INPUT_LIMIT)
    if found is None:
        raise InvalidInput(
            f"standard input has more than {INPUT_LIMIT:,} bytes, the limit of a queued command: "
            f"run it without {FLAG}, or name a file"
        )
    text, warnings = found
    for warning in warnings:
        warn(warning)
    return text
