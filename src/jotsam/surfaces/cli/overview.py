"""`jotsam` without a command: what to do first, and later a short status and the commands."""

from __future__ import annotations

from jotsam.agents.registry import AGENTS
from jotsam.memory.health import worst
from jotsam.memory.status import of
from jotsam.surfaces.cli import empty_database
from jotsam.surfaces.cli.command_index import GROUPS
from jotsam.surfaces.cli.output import OK, echo, paint, plural, print_field
from jotsam.surfaces.cli.status import COLOURS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.memory.status import Status

FIRST_STEPS = (
    ("jotsam install AGENT", f"give an agent a memory: {', '.join(AGENTS)}"),
    ("jotsam add FILE", "store a text; then `jotsam recall WORDS` finds it"),
    ("jotsam help", "list all commands"),
)


def run(settings: Settings) -> int:
    if empty_database.is_missing(settings):
        echo("Nothing is stored yet. Begin with one of these:")
        width = max(len(command) for command, _ in FIRST_STEPS) + 2
        for command, about in FIRST_STEPS:
            print_field(f"  {command}", about, width=width)
        return OK
    now = of(settings)
    echo(f"{plural(now.memories, 'memory', 'memories')}, {plural(now.documents, 'document')} · {_queue(now)}")
    echo()
    for group, names in GROUPS.items():
        print_field(group, ", ".join(names), width=9)
    echo()
    echo("`jotsam help` says what each does, `jotsam help COMMAND` shows its options and examples.")
    return OK


def _queue(now: Status) -> str:
    if problem := worst(now.findings):
        return f"{paint(problem.text, COLOURS[problem.level])}: see `jotsam status`"
    return f"{plural(now.depth.live, 'job')} waiting" if now.depth.live else "everything is processed"
