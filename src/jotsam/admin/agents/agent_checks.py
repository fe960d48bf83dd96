"""What `jotsam doctor` and `jotsam agents` check of the agents that Jotsam is installed in."""

from __future__ import annotations

import os

from jotsam.admin.agents import installations, launcher
from jotsam.agents.agent import agent_of
from jotsam.agents.registry import SOURCES
from jotsam.core.clock import format_time, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.records import CheckResult, Record
from jotsam.ingest import spool
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.admin.agents.installations import Installation
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database

NAME = "agents"
REPAIR = "jotsam doctor --repair"
QUIET_MS = 86_400_000  # An agent that was installed today may not have been used yet.
NOTHING_ARRIVES = 'see docs/agents.md, "When nothing arrives"'


class AgentStatus(Record):
    """An installation, and how it works."""

    agent: str
    scope: str
    folder: str
    version: str
    installed_at: int
    last_turn_at: int | None = None  # when the last turn of this agent was said
    problem: str | None = None


def examine(database: Database | None, *, tenant: str) -> tuple[AgentStatus, ...]:
    """Every installation. Without a database nothing is known of turns. Raises `InvalidInput`."""
    return tuple(_examined(one, database, tenant) for one in installations.read_installations())


def check(database: Database | None, settings: Settings) -> Iterator[CheckResult]:
    """The launcher, the files of every agent, and whether turns arrive. No database: it is missing, or unusable."""
    try:
        found = examine(database, tenant=settings.tenant)
    except InvalidInput as error:
        yield CheckResult(name=NAME, level="warn", text=str(error))
        return
    if not found:
        text = "Jotsam is not installed in any: `jotsam install AGENT` does it"
        yield CheckResult(name=NAME, level="ok", text=text)
        return
    if problem := launcher.problem():
        yield CheckResult(name=NAME, level="fail", text=problem, repair=REPAIR)
    for one in found:
        yield _result(one, are_turns_known=database is not None or _is_unused(settings.db))


def repaired() -> Iterator[CheckResult]:
    """Write the launcher again if agents are installed and it does not work."""
    try:
        if not installations.read_installations() or launcher.problem() is None:
            return
        launcher.write()
    except (InvalidInput, OSError) as error:
        yield CheckResult(name="repaired", level="fail", text=f"the launcher of agents was not written: {error}")
        return
    yield CheckResult(name="repaired", level="ok", text=f"{launcher.path()} runs {launcher.program()}")


def _examined(one: Installation, database: Database | None, tenant: str) -> AgentStatus:
    last = None
    if database is not None and one.agent in SOURCES:
        with database.snapshot(tenant=tenant) as tx:
            last = memories.last_turn(tx, tenant=tenant, source=SOURCES[one.agent])
    return AgentStatus(
        agent=one.agent,
        scope=one.scope,
        folder=one.folder,
        version=one.version,
        installed_at=one.installed_at,
        last_turn_at=last,
        problem=_problem(one),
    )


def _problem(one: Installation) -> str | None:
    """Which file no longer has our entries, or None. Every entry has the path of the launcher."""
    for file in one.files:
        try:
            with open(file.path, "rb") as stream:
                is_there = _bare(launcher.path().encode()) in _bare(stream.read())
        except OSError as error:
            return f"{file.path} cannot be read: {error.strerror}"
        if not is_there:
            return f"{file.path} no longer has the entries of Jotsam"
    return None


def _bare(content: bytes) -> bytes:
    """Without what a shell or the syntax of a file adds to a path, and without separators, which can differ."""
    return content.translate(None, b"\\/'\"^")


def _is_unused(database: str) -> bool:
    """Whether no turn was ever stored, because the file does not exist yet."""
    return "://" not in database and not os.path.exists(database) and not spool.waiting(database)


def _result(one: AgentStatus, *, are_turns_known: bool) -> CheckResult:
    place = f"{one.agent} ({one.folder or one.scope})"
    if one.problem:
        scope = " --scope project, in its folder" if one.folder else ""
        repair = f"jotsam install {one.agent}{scope}; or `jotsam agents uninstall {one.agent}`"
        return CheckResult(name=NAME, level="warn", text=f"{place}: {one.problem}", repair=repair)
    if one.agent not in SOURCES:
        return CheckResult(name=NAME, level="ok", text=f"{place}: installed, without hooks")
    agent = agent_of(one.agent)
    if agent.may_be_silent or not are_turns_known:
        return CheckResult(name=NAME, level="ok", text=f"{place}: installed")
    if one.last_turn_at is not None and one.last_turn_at >= one.installed_at:
        text = f"{place}: last turn {format_time(one.last_turn_at)}"
        return CheckResult(name=NAME, level="ok", text=text)
    text = f"{place}: no turn has arrived since it was installed"
    if agent.silent_until:
        return CheckResult(name=NAME, level="warn", text=text, repair=agent.silent_until)
    if system_clock() - one.installed_at < QUIET_MS:
        return CheckResult(name=NAME, level="ok", text=text)
    return CheckResult(name=NAME, level="warn", text=text, repair=NOTHING_ARRIVES)
