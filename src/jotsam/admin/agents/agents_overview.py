"""The agents that Jotsam is installed in on this machine, whether their turns arrive, and what is not captured."""

from __future__ import annotations

from jotsam.admin.agents import agent_checks, hook_checks, launcher
from jotsam.admin.agents.agent_checks import AgentStatus
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.ingest import capture_switch, hook_log, spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database

MAX_ERRORS = 10


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
        errors=tuple(hook_checks.recent_errors(hook_log.path(), limit=MAX_ERRORS)),
    )
