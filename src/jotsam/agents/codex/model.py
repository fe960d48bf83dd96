"""Codex CLI as a language model: how it is run, and what it prints."""

from __future__ import annotations

import json
import os
import re

from jotsam.agents.as_model import (
    NO_OUTPUT,
    AgentCommand,
    Invocation,
    Printed,
    count_of,
    object_in,
    objects_in,
    part_of,
    string_of,
)
from jotsam.core.validate import token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.agents.as_model import Run

FEATURES = (
    *("apps", "browser_use", "browser_use_external", "code_mode", "computer_use", "goals", "hooks", "in_app_browser"),
    *("image_generation", "memories", "multi_agent", "multi_agent_v2", "plugins", "remote_plugin", "shell_snapshot"),
    *("shell_tool", "skill_mcp_dependency_install", "sleep_tool", "tool_suggest", "unified_exec", "view_image"),
    *("unbounded_connection_retries", "workspace_dependencies"),
)
# Fields of a model in Codex's catalogue that give it tools, and the values that give it none.
NO_TOOLS: Mapping[str, Any] = {
    "shell_type": "disabled",
    "tool_mode": None,
    "apply_patch_tool_type": None,
    "supports_search_tool": False,
    "experimental_supported_tools": [],
    "multi_agent_version": None,
    "multi_agent_reasoning_effort": None,
    "model_messages": None,
}
_CHEAP = re.compile(r"luna|mini|nano")


def _invoked(run: Run) -> Invocation:
    home = run.private("codex")
    os.makedirs(home)
    own = run.environ.get("CODEX_HOME") or os.path.join(run.environ.get("HOME", ""), ".codex")
    run.link(os.path.join("codex", "auth.json"), os.path.join(own, "auth.json"))
    environ = {"CODEX_HOME": home}
    catalogue = run.query(Invocation(arguments=("debug", "models"), environ=environ)).decode(errors="replace")
    models = [one for one in object_in(catalogue).get("models") or [] if isinstance(one, dict) and one.get("slug")]
    name = run.model or _cheapest(models)
    model = next((one for one in models if one["slug"] == name), None)
    options = {
        "web_search": '"disabled"',
        "project_doc_max_bytes": "0",
        "include_environment_context": "false",
        "include_permissions_instructions": "false",
        "include_apps_instructions": "false",
        "skills.include_instructions": "false",
        "tools.experimental_request_user_input.enabled": "false",
        "approval_policy": '"never"',
        "model_reasoning_effort": '"low"',
    } | {f"features.{feature}": "false" for feature in FEATURES}
    if model:
        changed = {**model, **NO_TOOLS, "base_instructions": run.system}
        path = run.write("catalogue.json", json.dumps({"models": [changed]}))
        options["model_catalog_json"] = json.dumps(path)
    else:
        options["model_instructions_file"] = json.dumps(run.write("system.md", run.system))
    return Invocation(
        arguments=(
            *("exec", "--json", "--ephemeral", "--ignore-rules", "--skip-git-repo-check", "--sandbox", "read-only"),
            *(("-m", name) if name else ()),
            *(word for key, value in options.items() for word in ("-c", f"{key}={value}")),
            "-",
        ),
        environ=environ,
    )


def _cheapest(models: list[dict[str, Any]]) -> str:
    """The first in the order of Codex of the small ones; "" for its own choice. It lists no prices."""
    small = [one for one in models if one.get("visibility") == "list" and _CHEAP.search(one["slug"])]
    return str(min(small, key=lambda one: one.get("priority") or 0)["slug"]) if small else ""


def _printed(output: str) -> Printed:
    found: dict[str, Any] = {}
    usage: Mapping[str, Any] | None = None
    for event in objects_in(output):
        item = part_of(event, "item")
        if event.get("type") == "item.completed" and item.get("type") == "agent_message":
            found["text"] = string_of(item.get("text"))
        elif event.get("type") == "item.completed" and item.get("type") not in ("reasoning", "error"):
            found["tool"] = string_of(item.get("type"))
        elif event.get("type") in ("error", "turn.failed"):
            found["error"] = (
                string_of(event.get("message")) or string_of(part_of(event, "error").get("message")) or "failed"
            )
        elif event.get("type") == "turn.completed":
            usage = part_of(event, "usage")
    if usage is None:
        return Printed(**{"error": output or NO_OUTPUT, **found, "text": ""})
    found.pop("error", None)  # It connected again.
    return Printed(
        **found,
        tokens_in=count_of(usage.get("input_tokens")),
        tokens_cached=token_count(usage.get("cached_input_tokens"), 0),
        tokens_out=count_of(usage.get("output_tokens")),
    )


COMMAND = AgentCommand(
    sign_in="codex login",
    keeps=("OPENAI_", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"),
    invoke=_invoked,
    read=_printed,
)
