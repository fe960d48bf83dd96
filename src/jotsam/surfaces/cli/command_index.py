"""The commands: the group of each in `jotsam --help`, and the module of `options` that declares it.

What lists or finds commands reads this, and imports no module of a command that it does not need.
"""

from __future__ import annotations

GROUPS = {
    "Remember": {
        "add": "store",
        "remember": "store",
        "import": "store",
        "update": "store",
        "supersede": "search",
        "archive": "search",
        "unarchive": "search",
        "link": "knowledge",
        "blocks": "blocks",
        "checkpoint": "crystals",
        "forget": "forget",
        "trash": "forget",
    },
    "Ask": {
        "recall": "search",
        "list": "search",
        "show": "search",
        "facts": "knowledge",
        "entities": "knowledge",
        "patterns": "knowledge",
        "crystals": "crystals",
        "projects": "knowledge",
        "graph": "knowledge",
        "distill": "knowledge",
    },
    "Keep": {
        "export": "store",
        "backup": "setup",
        "restore": "setup",
        "salvage": "setup",
        "lifecycle": "lifecycle",
        "retention": "setup",
        "maintain": "setup",
        "reprocess": "extraction",
        "allow": "redaction",
        "redacted": "redaction",
        "migrate": "setup",
        "move-tenant": "setup",
    },
    "Agents": {
        "install": "agents",
        "uninstall": "agents",
        "agents": "agents",
        "capture": "jobs",
        "mcp": "setup",
        "hook": "jobs",
        "extract-prompt": "extraction",
        "extract-apply": "extraction",
    },
    "Operate": {
        "status": "jobs",
        "jobs": "jobs",
        "wait": "jobs",
        "work": "jobs",
        "pause": "jobs",
        "resume": "jobs",
        "costs": "extraction",
        "doctor": "setup",
        "config": "setup",
        "embedder": "setup",
        "engine": "engines",
        "serve": "server",
        "dashboard": "server",
        "tokens": "tokens",
        "audit": "tokens",
        "completion": "setup",
        "help": "setup",
    },
}

# The commands of a module follow one another in the completion of a shell, the modules in this order.
MODULES = (
    "store",
    "search",
    "blocks",
    "forget",
    "knowledge",
    "lifecycle",
    "crystals",
    "jobs",
    "extraction",
    "redaction",
    "setup",
    "engines",
    "server",
    "tokens",
    "agents",
)

# Of `jotsam help`; their texts are in `topics`.
TOPICS = {
    "environment": "variables of the environment, and all settings",
    "exit-codes": "what the exit code of a command means",
    "json": "output for programs",
    "dates": "dates, periods and ages in options",
    "formatting": "tables, colour, and output in pipes",
}
