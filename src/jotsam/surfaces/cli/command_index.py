"""The names of the commands, by their group in `jotsam --help`, which is also the name of their folder.

What lists or finds commands reads this, and imports no module of a command that it does not need.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GROUPS = {
    "Remember": ("add", "remember", "import", "update", "forget", "undo"),
    "Ask": ("recall", "list", "show", "facts", "entities", "themes", "sessions", "log"),
    "Keep": ("db",),
    "Agents": ("install", "agents", "brief"),
    "Operate": ("status", "jobs", "doctor", "config", "models", "server"),
}
UNLISTED = {"demo": "Operate", "help": "Operate"}  # commands that `jotsam --help` mentions below the list

# Of `jotsam help`; their texts are in `operate.topics`.
TOPICS = {
    "environment": "variables of the environment, and all settings",
    "exit-codes": "what the exit code of a command means",
    "json": "output for programs",
    "dates": "dates, periods and ages in options",
    "formatting": "tables, colour, and output in pipes",
}

# Names that earlier versions gave to commands. They go on, and no help, completion or message names them.
MOVED = {
    **{name: f"update {name}" for name in ("archive", "unarchive", "supersede", "link")},
    **{name: f"themes {name}" for name in ("patterns", "crystals", "distill", "checkpoint")},
    **{name: f"brief {name}" for name in ("rules", "blocks")},
    **{name: f"agents {name}" for name in ("uninstall", "capture", "mcp", "hook", "extract-prompt", "extract-apply")},
    **{name: f"jobs {name}" for name in ("wait", "work", "pause", "resume")},
    **{name: f"server {name}" for name in ("dashboard", "tokens", "audit")},
    **{name: f"db {name}" for name in ("backup", "restore", "salvage", "export", "trash", "retention", "maintain")},
    **{name: f"db {name}" for name in ("lifecycle", "projects", "engine", "migrate", "move-tenant")},
    "graph": "show --links",
    "costs": "status --cost",
    "allow": "db secrets allow",
    "redacted": "db secrets list",
    "reprocess": "models reprocess",
    "embedder": "models",
    "serve": "server start",
    "completion": "config completion",
}
PROGRAMS = ("hook", "mcp")  # the old names with which the files of agents call Jotsam, and which stay

# Commands whose first subcommand has arguments, and is meant where no other is named: `jotsam update ID`.
FIRST_VERBS = {"update": ("set", "archive", "unarchive", "supersede", "link")}


def position(arguments: Sequence[str]) -> int | None:
    """Where the command is: the first argument that is neither an option nor the value of one."""
    skip = False
    for number, argument in enumerate(arguments):
        if not skip and not argument.startswith("-"):
            return number
        skip = not skip and argument in ("--db", "--tenant")
    return None


def current(arguments: Sequence[str]) -> list[str]:
    """A command line with the present names: `backup x.db` as `db backup x.db`, `update ID` as `update set ID`."""
    at = position(arguments)
    if at is None:
        return [*arguments]
    words = [*MOVED.get(arguments[at], arguments[at]).split(), *arguments[at + 1 :]]
    verbs = FIRST_VERBS.get(words[0])
    if verbs and not (words[1:] and words[1] in (*verbs, "-h", "--help")):
        words.insert(1, verbs[0])
    return [*arguments[:at], *words]
