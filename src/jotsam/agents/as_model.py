"""How each coding agent is run as a language model: its command, its environment, its files, and what it prints.

A run has an empty working folder, and another private folder for what the agent wants to write. It gets no tools,
hooks, servers, extensions or files of instructions, and leaves no session. Of the user's own files it sees the sign-in
only. What an option here does was tried with the versions of `tests/agents/package.json`.
"""

from __future__ import annotations

import json
import os
import re

from jotsam.core.errors import ProviderUnavailable
from jotsam.core.records import Record
from jotsam.core.validate import token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

NO_OUTPUT = "no output"
NOTHING = "no-such-file.md"  # the name of files of instructions that are not there
FEATURES_OF_CODEX = (
    *("apps", "browser_use", "browser_use_external", "code_mode", "computer_use", "goals", "hooks", "in_app_browser"),
    *("image_generation", "memories", "multi_agent", "multi_agent_v2", "plugins", "remote_plugin", "shell_snapshot"),
    *("shell_tool", "skill_mcp_dependency_install", "sleep_tool", "tool_suggest", "unified_exec", "view_image"),
    *("unbounded_connection_retries", "workspace_dependencies"),
)
# Fields of a model in Codex's catalogue that give it tools, and the values that give it none.
NO_TOOLS_OF_CODEX: Mapping[str, Any] = {
    "shell_type": "disabled",
    "tool_mode": None,
    "apply_patch_tool_type": None,
    "supports_search_tool": False,
    "experimental_supported_tools": [],
    "multi_agent_version": None,
    "multi_agent_reasoning_effort": None,
    "model_messages": None,
}
SETTINGS_OF_GEMINI: Mapping[str, Any] = {
    "tools": {"core": []},
    "hooksConfig": {"enabled": False},
    "mcp": {"allowed": []},
    "admin": {"mcp": {"enabled": False}, "extensions": {"enabled": False}, "skills": {"enabled": False}},
    "skills": {"enabled": False},
    "context": {"fileName": NOTHING, "includeDirectoryTree": False, "discoveryMaxDirs": 0},
    "experimental": {"enableAgents": False, "autoMemory": False},
    "general": {"enableAutoUpdate": False, "maxAttempts": 2},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
}
# What its models inherit from. Replaced, because it asks for much thinking.
BASES_OF_GEMINI = ("base", "chat-base", "chat-base-2.5", "chat-base-3")
SIGN_IN_OF_GEMINI = ("oauth_creds.json", "google_accounts.json", "gemini-credentials.json", "installation_id", ".env")
SWITCHED_OFF_IN_OPENCODE = (
    *("PURE", "DISABLE_PROJECT_CONFIG", "DISABLE_CLAUDE_CODE", "DISABLE_DEFAULT_PLUGINS", "DISABLE_EXTERNAL_SKILLS"),
    *("DISABLE_LSP_DOWNLOAD", "DISABLE_AUTOUPDATE", "DISABLE_SHARE"),
)
MIN_CONTEXT = 32_000  # tokens that the cheapest model must be able to read
_SELECTED_SIGN_IN = re.compile(r'"selectedType"\s*:\s*"([a-z-]+)"')
_CHEAP_IN_CODEX = re.compile(r"luna|mini|nano")


class Run(Record):
    """One request: `model` is "" for the cheapest. `folder` is private, and the working folder is `work` in it."""

    model: str
    system: str
    folder: str
    max_output_tokens: int
    environ: Mapping[str, str]
    query: Callable[[Invocation], bytes]  # what the program prints for another command, which asks no model
    links: dict[str, str]  # by path in the private folder: the file of the user

    def private(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write(self, name: str, content: str) -> str:
        path = self.private(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def link(self, name: str, path: str) -> None:
        """Make a file of the user visible in the private folder, if it is there."""
        if os.path.exists(path):
            os.makedirs(os.path.dirname(self.private(name)), exist_ok=True)
            os.symlink(path, self.private(name))
            self.links[self.private(name)] = path


class Invocation(Record):
    """The arguments of a program, and its environment besides what is kept."""

    arguments: tuple[str, ...]
    environ: Mapping[str, str]


class Printed(Record):
    """What a program printed. None for a count that it does not report."""

    text: str = ""
    tokens_in: int | None = None
    tokens_cached: int = 0  # of tokens_in
    tokens_out: int | None = None
    cost: float | None = None  # in US dollars
    is_cut_off: bool = False
    error: str = ""
    tool: str = ""  # that the model tried to call


class AgentCommand(Record):
    """One coding agent as a program that answers one prompt."""

    name: str
    title: str
    sign_in: str  # the command by which the user signs in
    keeps: tuple[str, ...]  # beginnings of the names of variables that it signs in with, or `*` and the end of one
    invoke: Callable[[Run], Invocation]
    read: Callable[[str], Printed]


def _claude(run: Run) -> Invocation:
    return Invocation(
        arguments=(
            *("-p", "--safe-mode", "--output-format", "json", "--model", run.model or "haiku", "--max-turns", "1"),
            *("--tools", "", "--strict-mcp-config", "--setting-sources", "", "--disable-slash-commands"),
            *("--no-session-persistence", "--no-chrome", "--system-prompt", run.system),
        ),
        environ={
            # It would add the content of each file that the text names after an @.
            "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
            "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
            "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
            "CLAUDE_CODE_DISABLE_THINKING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(run.max_output_tokens),
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
    )


def _printed_by_claude(output: str) -> Printed:
    found = _object(output)
    usage = _part(found, "usage")
    cached = token_count(usage.get("cache_read_input_tokens"), 0)
    written = token_count(usage.get("cache_creation_input_tokens"), 0)
    plain, text = usage.get("input_tokens"), _string(found.get("result"))
    is_error = bool(found.get("is_error")) or not found
    reasons = found.get("errors")
    error = text or (" ".join(map(_string, reasons)) if isinstance(reasons, list) else "")
    error = error or _string(found.get("subtype")) or output or NO_OUTPUT
    status = found.get("api_error_status")
    has_called = found.get("stop_reason") == "tool_use" or found.get("terminal_reason") == "max_turns"
    return Printed(
        text="" if is_error else text,
        tokens_in=token_count(plain, 0) + cached + written if isinstance(plain, int) else None,
        tokens_cached=cached,
        tokens_out=_count(usage.get("output_tokens")),
        cost=_price(found.get("total_cost_usd")),
        is_cut_off=found.get("stop_reason") == "max_tokens" or "output token maximum" in text,
        error=f"{error} ({status})" if is_error and status else error if is_error else "",
        tool="one" if has_called else "",
    )


def _codex(run: Run) -> Invocation:
    home = run.private("codex")
    os.makedirs(home)
    own = run.environ.get("CODEX_HOME") or os.path.join(run.environ.get("HOME", ""), ".codex")
    run.link(os.path.join("codex", "auth.json"), os.path.join(own, "auth.json"))
    environ = {"CODEX_HOME": home}
    catalogue = run.query(Invocation(arguments=("debug", "models"), environ=environ)).decode(errors="replace")
    models = [one for one in _object(catalogue).get("models") or [] if isinstance(one, dict) and one.get("slug")]
    name = run.model or _cheapest_of_codex(models)
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
    } | {f"features.{feature}": "false" for feature in FEATURES_OF_CODEX}
    if model:
        changed = {**model, **NO_TOOLS_OF_CODEX, "base_instructions": run.system}
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


def _cheapest_of_codex(models: list[dict[str, Any]]) -> str:
    """The first in the order of Codex of the small ones; "" for its own choice. It lists no prices."""
    small = [one for one in models if one.get("visibility") == "list" and _CHEAP_IN_CODEX.search(one["slug"])]
    return str(min(small, key=lambda one: one.get("priority") or 0)["slug"]) if small else ""


def _printed_by_codex(output: str) -> Printed:
    found: dict[str, Any] = {}
    usage: Mapping[str, Any] | None = None
    for event in _objects(output):
        item = _part(event, "item")
        if event.get("type") == "item.completed" and item.get("type") == "agent_message":
            found["text"] = _string(item.get("text"))
        elif event.get("type") == "item.completed" and item.get("type") not in ("reasoning", "error"):
            found["tool"] = _string(item.get("type"))
        elif event.get("type") in ("error", "turn.failed"):
            found["error"] = _string(event.get("message")) or _string(_part(event, "error").get("message")) or "failed"
        elif event.get("type") == "turn.completed":
            usage = _part(event, "usage")
    if usage is None:
        return Printed(**{"error": output or NO_OUTPUT, **found, "text": ""})
    found.pop("error", None)  # It connected again.
    return Printed(
        **found,
        tokens_in=_count(usage.get("input_tokens")),
        tokens_cached=token_count(usage.get("cached_input_tokens"), 0),
        tokens_out=_count(usage.get("output_tokens")),
    )


def _gemini(run: Run) -> Invocation:
    own = os.path.join(run.environ.get("GEMINI_CLI_HOME") or run.environ.get("HOME", ""), ".gemini")
    for name in SIGN_IN_OF_GEMINI:
        run.link(os.path.join("gemini", ".gemini", name), os.path.join(own, name))
    generation = {"modelConfig": {"generateContentConfig": {"maxOutputTokens": run.max_output_tokens}}}
    limits = {"customAliases": dict.fromkeys(BASES_OF_GEMINI, generation)}
    chosen = _sign_in_of_gemini(os.path.join(own, "settings.json"))
    auth = {"security": {"auth": {"selectedType": chosen}}} if chosen else {}
    settings = {**SETTINGS_OF_GEMINI, "modelConfigs": limits, **auth}
    run.write(os.path.join("gemini", ".gemini", "settings.json"), json.dumps(settings))
    return Invocation(
        arguments=("--skip-trust", "--approval-mode", "default", "-m", run.model or "flash-lite", "-o", "json"),
        environ={
            "GEMINI_CLI_HOME": run.private("gemini"),
            "GEMINI_SYSTEM_MD": run.write("system.md", run.system),
            "GEMINI_CLI_NO_RELAUNCH": "1",
        },
    )


def _sign_in_of_gemini(path: str) -> str:
    """How the user signs in. The file may have comments."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = _SELECTED_SIGN_IN.search(file.read(65_536))
    except OSError:
        return ""
    return found[1] if found else ""


def _printed_by_gemini(output: str) -> Printed:
    found = _object(output)
    stats = _part(found, "stats")
    counts = [_part(one, "tokens") for one in _part(stats, "models").values() if isinstance(one, dict)]
    error = _part(found, "error")

    def total(*names: str) -> int:
        return sum(token_count(one.get(name), 0) for one in counts for name in names)

    is_tool = token_count(_part(stats, "tools").get("totalCalls"), 0) > 0
    return Printed(
        text=_string(found.get("response")),
        tokens_in=total("prompt") if counts else None,
        tokens_cached=total("cached"),
        tokens_out=total("candidates", "thoughts") if counts else None,
        error=_string(error.get("message")) if error else "" if found else output or NO_OUTPUT,
        tool=", ".join(_part(_part(stats, "tools"), "byName")) or "one" if is_tool else "",
    )


def _opencode(run: Run) -> Invocation:
    home = run.private("opencode")
    os.makedirs(home)
    agent = {"mode": "primary", "prompt": run.system, "tools": {"*": False}, "permission": {"*": "deny"}}
    config = {
        "share": "disabled",
        "autoupdate": False,
        "snapshot": False,
        "permission": {"*": "deny"},
        "agent": {"jotsam": agent, "title": {"disable": True}},
    }
    environ = {f"OPENCODE_{name}": "1" for name in SWITCHED_OFF_IN_OPENCODE} | {
        "XDG_CONFIG_HOME": home,
        "XDG_STATE_HOME": home,
        "OPENCODE_TEST_HOME": home,  # where it looks for more folders of settings
        "OPENCODE_DB": ":memory:",
        "OPENCODE_CONFIG_CONTENT": json.dumps(config),
        "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX": str(run.max_output_tokens),
    }
    model = run.model
    if not model:
        listed = run.query(Invocation(arguments=("models", "--verbose"), environ=environ))
        model = _cheapest_of_opencode(listed.decode(errors="replace"))
    arguments = ("run", "--pure", "--format", "json", "--agent", "jotsam", "--title", "jotsam", "-m", model)
    return Invocation(arguments=arguments, environ=environ)


def _cheapest_of_opencode(listed: str) -> str:
    """The model with the lowest price above 0. Those without a price may keep what they read.

    Raises `ProviderUnavailable`.
    """
    prices = {}
    for one in _objects(listed):
        cost, limit = _part(one, "cost"), _part(one, "limit")
        price = (_price(cost.get("input")) or 0.0) + (_price(cost.get("output")) or 0.0)
        if price > 0 and one.get("status") == "active" and token_count(limit.get("context"), 0) >= MIN_CONTEXT:
            prices[f"{one.get('providerID')}/{one.get('id')}"] = price
    if not prices:
        raise ProviderUnavailable("opencode has no model with a price: set llm_model to one of `opencode models`")
    return min(prices, key=lambda name: prices[name])


def _printed_by_opencode(output: str) -> Printed:
    texts: list[str] = []
    steps: list[Mapping[str, Any]] = []
    tool = error = ""
    for event in _objects(output):
        part = _part(event, "part")
        if event.get("type") == "text":
            texts.append(_string(part.get("text")))
        elif event.get("type") == "step_finish":
            steps.append(part)
        elif event.get("type") == "tool_use":
            tool = _string(part.get("tool")) or "one"
        elif event.get("type") == "error":
            cause = _part(event, "error")
            error = _string(_part(cause, "data").get("message")) or _string(cause.get("name")) or "failed"
    counts = [_part(step, "tokens") for step in steps]
    cached = sum(token_count(_part(one, "cache").get("read"), 0) for one in counts)
    written = sum(token_count(_part(one, "cache").get("write"), 0) for one in counts)

    def total(*names: str) -> int:
        return sum(token_count(one.get(name), 0) for one in counts for name in names)

    return Printed(
        text="".join(texts),
        tokens_in=total("input") + cached + written if counts else None,
        tokens_cached=cached,
        tokens_out=total("output", "reasoning") if counts else None,
        cost=sum(_price(step.get("cost")) or 0.0 for step in steps) if steps else None,
        is_cut_off=any(step.get("reason") == "length" for step in steps),
        error=error or ("" if steps else output or NO_OUTPUT),
        tool=tool,
    )


COMMANDS = {
    command.name: command
    for command in (
        AgentCommand(
            name="claude",
            title="Claude Code",
            sign_in="claude /login",
            keeps=(
                *("ANTHROPIC_", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_"),
                *("CLAUDE_CODE_SKIP_", "CLOUD_ML_REGION", "AWS_", "GOOGLE_"),
            ),
            invoke=_claude,
            read=_printed_by_claude,
        ),
        AgentCommand(
            name="codex",
            title="Codex",
            sign_in="codex login",
            keeps=("OPENAI_", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"),
            invoke=_codex,
            read=_printed_by_codex,
        ),
        AgentCommand(
            name="gemini",
            title="Gemini CLI",
            sign_in="gemini",
            keeps=("GEMINI_API_KEY", "GOOGLE_"),
            invoke=_gemini,
            read=_printed_by_gemini,
        ),
        AgentCommand(
            name="opencode",
            title="opencode",
            sign_in="opencode auth login",
            keeps=("*_API_KEY", "AWS_", "AZURE_", "GOOGLE_", "OPENCODE_AUTH_CONTENT"),
            invoke=_opencode,
            read=_printed_by_opencode,
        ),
    )
}


def _objects(output: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in an output, which may have other lines between them."""
    decoder = json.JSONDecoder()
    at = output.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(output, at)
        except (ValueError, RecursionError):
            end = output.find("\n", at)
            if end < 0:
                return
        else:
            if isinstance(found, dict):
                yield found
        at = output.find("{", end)


def _object(output: str) -> dict[str, Any]:
    return next(_objects(output), {})


def _part(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = found.get(name)
    return part if isinstance(part, dict) else {}


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    count = token_count(value, -1)
    return None if count < 0 else count


def _price(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1_000_000 else None  # type: ignore[operator,arg-type]
