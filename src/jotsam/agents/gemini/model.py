"""Gemini CLI as a language model: how it is run, and what it prints."""

from __future__ import annotations

import json
import os
import re

from jotsam.agents.as_model import NO_OUTPUT, AgentCommand, Invocation, Printed, object_in, part_of, string_of, total_of
from jotsam.core.validate import token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.agents.as_model import Run

NO_FILE = "no-such-file.md"  # the name of files of instructions that are not there
SETTINGS: Mapping[str, Any] = {
    "tools": {"core": []},
    "hooksConfig": {"enabled": False},
    "mcp": {"allowed": []},
    "admin": {"mcp": {"enabled": False}, "extensions": {"enabled": False}, "skills": {"enabled": False}},
    "skills": {"enabled": False},
    "context": {"fileName": NO_FILE, "includeDirectoryTree": False, "discoveryMaxDirs": 0},
    "experimental": {"enableAgents": False, "autoMemory": False},
    "general": {"enableAutoUpdate": False, "maxAttempts": 2},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
}
# What its models inherit from. Replaced, because it asks for much thinking.
BASES = ("base", "chat-base", "chat-base-2.5", "chat-base-3")
SIGN_IN = ("oauth_creds.json", "google_accounts.json", "gemini-credentials.json", "installation_id", ".env")
_SELECTED_SIGN_IN = re.compile(r'"selectedType"\s*:\s*"([a-z-]+)"')


def _invoked(run: Run) -> Invocation:
    own = os.path.join(run.environ.get("GEMINI_CLI_HOME") or run.environ.get("HOME", ""), ".gemini")
    for name in SIGN_IN:
        run.link(os.path.join("gemini", ".gemini", name), os.path.join(own, name))
    generation = {"modelConfig": {"generateContentConfig": {"maxOutputTokens": run.max_output_tokens}}}
    limits = {"customAliases": dict.fromkeys(BASES, generation)}
    chosen = _sign_in(os.path.join(own, "settings.json"))
    auth = {"security": {"auth": {"selectedType": chosen}}} if chosen else {}
    settings = {**SETTINGS, "modelConfigs": limits, **auth}
    run.write(os.path.join("gemini", ".gemini", "settings.json"), json.dumps(settings))
    return Invocation(
        arguments=("--skip-trust", "--approval-mode", "default", "-m", run.model or "flash-lite", "-o", "json"),
        environ={
            "GEMINI_CLI_HOME": run.private("gemini"),
            "GEMINI_SYSTEM_MD": run.write("system.md", run.system),
            "GEMINI_CLI_NO_RELAUNCH": "1",
        },
    )


def _sign_in(path: str) -> str:
    """How the user signs in. The file may have comments."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = _SELECTED_SIGN_IN.search(file.read(65_536))
    except OSError:
        return ""
    return found[1] if found else ""


def _printed(output: str) -> Printed:
    found = object_in(output)
    stats = part_of(found, "stats")
    counts = [part_of(one, "tokens") for one in part_of(stats, "models").values() if isinstance(one, dict)]
    error = part_of(found, "error")

    is_tool = token_count(part_of(stats, "tools").get("totalCalls"), 0) > 0
    return Printed(
        text=string_of(found.get("response")),
        tokens_in=total_of(counts, "prompt") if counts else None,
        tokens_cached=total_of(counts, "cached"),
        tokens_out=total_of(counts, "candidates", "thoughts") if counts else None,
        error=string_of(error.get("message")) if error else "" if found else output or NO_OUTPUT,
        tool=", ".join(part_of(part_of(stats, "tools"), "byName")) or "one" if is_tool else "",
    )


COMMAND = AgentCommand(
    sign_in="gemini",
    keeps=("GEMINI_API_KEY", "GOOGLE_"),
    invoke=_invoked,
    read=_printed,
)
