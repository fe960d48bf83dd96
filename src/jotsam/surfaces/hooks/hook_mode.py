"""A command inside a hook of an agent: its exit code and every word it prints would reach the agent or its user.

What changes something is done without a word, and ends with 0; what went wrong then is a line in the log beside the
database, which `jotsam doctor` reads. `add`, `remember`, `pause` and `resume` are one short commit, as queueing them
would be, so they are done at once: a text can be found from that moment on, and no pause waits behind the jobs that
it is about. Reviving and removing jobs may touch very many, and importing may take long, so these are queued.
What reads is what the hook wants to print, so it runs as ever; but wrong usage ends with 1, for 2 blocks the agent.
"""

from __future__ import annotations

import os

from jotsam.core.clock import format_time, system_clock
from jotsam.core.settings import load_settings
from jotsam.ingest import spool
from jotsam.surfaces.cli.output import FAILED, OK, USAGE, Captured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Outcome = Callable[[list[str]], int]

AT_ONCE = ("add", "remember", "pause", "resume")
VERBS = ("retry", "discard")
FLAG = "--async"


def hooked(name: str | None, arguments: list[str], outcome: Outcome) -> int:
    """Carry out a command. `name` is its name, `outcome` does it and returns the exit code."""
    before = arguments[: arguments.index(name)] if name else arguments
    if name in AT_ONCE or FLAG in before:
        return _silently(arguments, outcome)
    if (name == "jobs" and _changes_jobs(arguments)) or (name == "import" and "--dry-run" not in arguments):
        return _silently([FLAG, *arguments], outcome)
    code = _code(arguments, outcome)
    return FAILED if code == USAGE else code


def _changes_jobs(arguments: list[str]) -> bool:
    """Whether jobs shall be revived or removed. What is not understood does, if it looks like it."""
    from jotsam.surfaces.cli.parser import parsed

    try:
        with Captured():
            return "verb" in parsed(arguments)
    except SystemExit:
        return any(verb in arguments for verb in VERBS)


def _silently(arguments: list[str], outcome: Outcome) -> int:
    with Captured() as printed:
        code = _code(arguments, outcome)
    if code != OK:
        _log(arguments, code, printed.stderr.getvalue())
    return OK


def _code(arguments: list[str], outcome: Outcome) -> int:
    try:
        return outcome(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else OK


def _log(arguments: list[str], code: int, complaints: str) -> None:
    """One line for whoever looks afterwards; where none can be written there is nobody left to tell."""
    lines = [line for line in complaints.splitlines() if "error: " in line]
    reason = lines[-1].strip() if lines else f"exit code {code}"
    try:
        path = spool.log(load_settings({"db": _option(arguments, "--db")}, strict=False)[0].db)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(log, "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{format_time(system_clock())} ERROR in a hook: {reason}\n")
    except OSError:
        pass


def _option(arguments: list[str], name: str) -> str | None:
    """The value of an option, wherever it stands."""
    for place, argument in enumerate(arguments):
        if argument == name:
            return next(iter(arguments[place + 1 :]), None)
        if argument.startswith(f"{name}="):
            return argument.partition("=")[2]
    return None
