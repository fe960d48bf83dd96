"""What `jotsam doctor` checks of hooks: every spool of this user, and the errors that hooks have logged.

The agents that Jotsam is installed in on this machine, whether their turns arrive, and what is not captured.
"""

from __future__ import annotations

import os

from jotsam.admin.agents import agent_checks, launcher
from jotsam.admin.agents.agent_checks import AgentStatus
from jotsam.core import own_files
from jotsam.core.clock import parse_time, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.platform.folders import config_path
from jotsam.core.records import CheckResult, Record
from jotsam.ingest import capture_switch, hook_log, spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database


LOG_BYTES = 65_536  # how much of the end of a log is read
RECENT_MS = 86_400_000
LAST_ERRORS = 3
MAX_ERRORS = 10


def spools(database: str) -> Iterator[CheckResult]:
    """The turns that are spooled for this database and for others, and the damaged ones."""
    waiting, damaged, others = spool.waiting(database), spool.damaged(database), spool.waiting_elsewhere(database)
    if (why := spool.problem(spool.folder(database))) is not None:
        yield CheckResult(name="spool", level="warn", text=f"not read: {why}", repair="remove the folder")
    if waiting:
        text = f"still spooled: {turns(len(waiting))}"
        yield CheckResult(name="spool", level="warn", text=text, repair="jotsam jobs work")
    for other, paths in others.items():
        text = f"{turns(len(paths))} spooled for {_name(other)}: {os.path.dirname(paths[0])}"
        yield CheckResult(name="spool", level="warn", text=text, repair=_repair(other))
    if damaged:
        text = f"damaged: {turns(len(damaged))}: {damaged[0]}"
        yield CheckResult(name="spool", level="warn", text=text, repair="save what is readable, then delete the files")
    elif not waiting and not others:
        yield CheckResult(name="spool", level="ok", text="empty")


def turns(number: int) -> str:
    return f"{number:,} {'turn' if number == 1 else 'turns'} of hooks"


def hooks(database: Database | None, settings: Settings) -> Iterator[CheckResult]:
    """Everything about hooks but the spools: whether they store, their errors, and the agents that run them."""
    yield from capture_off(settings)
    yield from hook_errors(settings)
    yield from agent_checks.check(database, settings)


def hook_errors(settings: Settings) -> Iterator[CheckResult]:
    """The last errors of hooks, and how often reading memory ran into its time limit."""
    path = hook_log.path()
    repair = f"fix what the error describes; see {path}, and delete it afterwards"
    found = recent_errors(path, limit=LOG_BYTES)
    slow = [error for error in found if hook_log.TOO_SLOW in error]
    for error in [error for error in found if error not in slow][:LAST_ERRORS]:
        yield CheckResult(name="hooks", level="warn", text=error, repair=repair)
    if slow:
        prompts = sum("a prompt got" in error for error in slow)
        sessions = len(slow) - prompts
        counts = f"{prompts:,} {'prompt' if prompts == 1 else 'prompts'}"
        counts += f" and {sessions:,} {'session' if sessions == 1 else 'sessions'}" if sessions else ""
        text = f"memory was too slow for {counts} of the last day"
        raised = f"raise recall_timeout_ms (now {settings.recall_timeout_ms:,}), or make the database faster"
        yield CheckResult(name="hooks", level="warn", text=text, repair=f"{raised}; {path} has the times")
    if not found:
        yield CheckResult(name="hooks", level="ok", text="no recent error")


def capture_off(settings: Settings) -> Iterator[CheckResult]:
    """For which sessions hooks store nothing. Only a damaged file is a problem."""
    off = capture_switch.read_switches()
    if off.problem:
        yield CheckResult(name="capture", level="warn", text=off.problem, repair="jotsam agents capture on")
        return
    found = capture_switch.described(settings)
    yield CheckResult(name="capture", level="ok", text=f"off: {', '.join(found)}" if found else "hooks store turns")


def orphans(database: str) -> list[str]:
    """Paths of the turns that are spooled for a file which does not exist, in a folder that does not exist either."""
    elsewhere = spool.waiting_elsewhere(database)
    return [path for other, paths in elsewhere.items() if _is_orphaned(other) for path in paths]


def recent_errors(path: str, *, limit: int) -> list[str]:
    """The last lines of a log with an error of the last 24 hours, newest first."""
    try:
        with own_files.open_to_read(path, beside=path.removesuffix(".log")) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - LOG_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:  # It does not exist, or must not be used: `doctor` says so.
        return []
    errors = [line for line in reversed(lines) if " ERROR " in line[:40] or line.startswith("error:")][:limit]
    return [line for line in errors if _is_recent(line)]


def _is_recent(line: str) -> bool:
    try:
        return system_clock() - parse_time(line.split(" ", 1)[0], name="the time of a log line") < RECENT_MS
    except InvalidInput:
        return True


def _name(database: str) -> str:
    return "the database of your settings file" if database == spool.UNKNOWN else database


def _repair(database: str) -> str:
    if database == spool.UNKNOWN:
        return f"fix {config_path(os.environ)}, then run `jotsam jobs work` with the database that it names"
    if _is_orphaned(database):
        return f"`jotsam doctor --repair` stores them in this database; or make {os.path.dirname(database)}"
    return f"jotsam --db {database} jobs work"


def _is_orphaned(database: str) -> bool:
    is_file = database != spool.UNKNOWN and "://" not in database
    return is_file and not os.path.isdir(os.path.dirname(database))


class AgentsOverview(Record):
    """What of the machine of this process concerns agents."""

    agents: tuple[AgentStatus, ...]
    problem: str | None  # why hooks cannot start the program, or the list of agents cannot be read
    off: tuple[str, ...]  # what is not captured: `project notes`, `all sessions`
    spooled: int  # turns that wait as files for this database
    damaged: tuple[str, ...]  # paths of spooled turns that cannot be read
    spool_folder: str
    errors: tuple[str, ...]  # of hooks in the last 24 hours, the latest first


def agents_overview(database: Database, settings: Settings) -> AgentsOverview:
    """Read it from the files of the user that this process runs as, and from the database."""
    agents: tuple[AgentStatus, ...] = ()
    problem = None
    try:
        agents = agent_checks.examine(database, tenant=settings.tenant)
        problem = launcher.problem() if agents else None
    except InvalidInput as error:
        problem = str(error)
    return AgentsOverview(
        agents=agents,
        problem=problem,
        off=capture_switch.described(settings),
        spooled=len(spool.waiting(database.url)),
        damaged=tuple(spool.damaged(database.url)),
        spool_folder=spool.folder(database.url),
        errors=tuple(recent_errors(hook_log.path(), limit=MAX_ERRORS)),
    )
