"""The names of the commands, by their group in `jotsam --help`, which is also the name of their folder.

What lists or finds commands reads this, and imports no module of a command that it does not need.
"""

from __future__ import annotations

GROUPS = {
    "Remember": (
        *("add", "remember", "import", "update", "supersede", "archive", "unarchive", "link", "blocks"),
        *("checkpoint", "forget", "trash"),
    ),
    "Ask": (
        *("recall", "list", "show", "facts", "entities", "patterns", "crystals", "brief", "rules"),
        *("sessions", "projects", "graph", "distill"),
    ),
    "Keep": (
        *("export", "backup", "restore", "salvage", "lifecycle", "retention", "maintain", "reprocess"),
        *("allow", "redacted", "migrate", "move-tenant"),
    ),
    "Agents": (*("install", "uninstall", "agents", "capture", "mcp", "hook", "extract-prompt", "extract-apply"),),
    "Operate": (
        *("status", "jobs", "wait", "work", "pause", "resume", "costs", "doctor", "config", "embedder"),
        *("engine", "serve", "dashboard", "tokens", "audit", "completion", "help"),
    ),
}

# Of `jotsam help`; their texts are in `operate.topics`.
TOPICS = {
    "environment": "variables of the environment, and all settings",
    "exit-codes": "what the exit code of a command means",
    "json": "output for programs",
    "dates": "dates, periods and ages in options",
    "formatting": "tables, colour, and output in pipes",
}
