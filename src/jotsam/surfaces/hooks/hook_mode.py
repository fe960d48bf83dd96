"""Runs any command inside an agent's hook, where output and exit code would reach the agent or its user.

Commands that change something print nothing and exit with 0; an error is written to the log of hooks, which
`jotsam doctor` checks. `add`, `remember`, `pause` and `resume` run immediately: each is one short commit, as queueing
would be, so text can be found at once and a pause does not wait behind the jobs it should stop. Changing jobs in bulk
and importing can take long, so these are queued. Commands that read run as usual, because their output is what the
hook wants, but a usage error exits with 1: exit code 2 of a hook would block the agent.
"""

from __future__ import annotations

from jotsam.ingest import hook_log
from jotsam.surfaces.cli.output import FAILED, OK, USAGE, Captured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[[list[str]], int]

IMMEDIATE = ("add", "remember", "pause", "resume")
JOB_CHANGES = ("retry", "discard")
FLAG = "--async"


def run_in_hook(name: str | None, arguments: list[str], run: Run) -> int:
    """Run the command `name`. `run` runs a command line and returns its exit code."""
    leading = arguments[: arguments.index(name)] if name else arguments
    after = arguments[len(leading) + 1 : len(leading) + 2]  # of `jobs pause`
    if name in IMMEDIATE or FLAG in leading or (name == "jobs" and after in (["pause"], ["resume"])):
        return _run_silently(arguments, run)
    if (name == "jobs" and _changes_jobs(arguments)) or (name == "import" and "--dry-run" not in arguments):
        return _run_silently([FLAG, *arguments], run)
    code = _exit_code(arguments, run)
    return FAILED if code == USAGE else code


def _changes_jobs(arguments: list[str]) -> bool:
    """Whether `jobs` would retry or discard jobs. For a usage error, the arguments decide."""
    from jotsam.surfaces.cli.parser import parse

    try:
        with Captured():
            parsed = parse(arguments)
            return "verb" in parsed and not parsed.dry_run
    except SystemExit:
        return any(verb in arguments for verb in JOB_CHANGES)


def _run_silently(arguments: list[str], run: Run) -> int:
    with Captured() as printed:
        code = _exit_code(arguments, run)
    if code != OK:
        errors = [line for line in printed.stderr.getvalue().splitlines() if "error: " in line]
        hook_log.write(errors[-1] if errors else f"exit code {code}")
    return OK


def _exit_code(arguments: list[str], run: Run) -> int:
    try:
        return run(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else OK
