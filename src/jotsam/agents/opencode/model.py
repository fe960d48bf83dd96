"""opencode as a language model: how it is run, and what it prints."""

from __future__ import annotations

import json
import os

from jotsam.agents.as_model import (
    NO_OUTPUT,
    AgentCommand,
    Invocation,
    Printed,
    objects_in,
    part_of,
    price_of,
    string_of,
    total_of,
)
from jotsam.core.errors import ProviderUnavailable
from jotsam.core.validate import token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.agents.as_model import Run

SWITCHED_OFF = (
    *("PURE", "DISABLE_PROJECT_CONFIG", "DISABLE_CLAUDE_CODE", "DISABLE_DEFAULT_PLUGINS", "DISABLE_EXTERNAL_SKILLS"),
    *("DISABLE_LSP_DOWNLOAD", "DISABLE_AUTOUPDATE", "DISABLE_SHARE"),
)
MIN_CONTEXT = 32_000  # tokens that the cheapest model must be able to read


def _invoked(run: Run) -> Invocation:
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
    environ = {f"OPENCODE_{name}": "1" for name in SWITCHED_OFF} | {
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
        model = _cheapest(listed.decode(errors="replace"))
    arguments = ("run", "--pure", "--format", "json", "--agent", "jotsam", "--title", "jotsam", "-m", model)
    return Invocation(arguments=arguments, environ=environ)


def _cheapest(listed: str) -> str:
    """The model with the lowest price above 0. Those without a price may keep what they read.

    Raises `ProviderUnavailable`.
    """
    prices = {}
    for one in objects_in(listed):
        cost, limit = part_of(one, "cost"), part_of(one, "limit")
        price = (price_of(cost.get("input")) or 0.0) + (price_of(cost.get("output")) or 0.0)
        if price > 0 and one.get("status") == "active" and token_count(limit.get("context"), 0) >= MIN_CONTEXT:
            prices[f"{one.get('providerID')}/{one.get('id')}"] = price
    if not prices:
        raise ProviderUnavailable("opencode has no model with a price: set llm_model to one of `opencode models`")
    return min(prices, key=lambda name: prices[name])


def _printed(output: str) -> Printed:
    texts: list[str] = []
    steps: list[Mapping[str, Any]] = []
    tool = error = ""
    for event in objects_in(output):
        part = part_of(event, "part")
        if event.get("type") == "text":
            texts.append(string_of(part.get("text")))
        elif event.get("type") == "step_finish":
            steps.append(part)
        elif event.get("type") == "tool_use":
            tool = string_of(part.get("tool")) or "one"
        elif event.get("type") == "error":
            cause = part_of(event, "error")
            error = string_of(part_of(cause, "data").get("message")) or string_of(cause.get("name")) or "failed"
    counts = [part_of(step, "tokens") for step in steps]
    caches = [part_of(one, "cache") for one in counts]
    cached, written = total_of(caches, "read"), total_of(caches, "write")
    return Printed(
        text="".join(texts),
        tokens_in=total_of(counts, "input") + cached + written if counts else None,
        tokens_cached=cached,
        tokens_out=total_of(counts, "output", "reasoning") if counts else None,
        cost=sum(price_of(step.get("cost")) or 0.0 for step in steps) if steps else None,
        is_cut_off=any(step.get("reason") == "length" for step in steps),
        error=error or ("" if steps else output or NO_OUTPUT),
        tool=tool,
    )


COMMAND = AgentCommand(
    sign_in="opencode auth login",
    keeps=("*_API_KEY", "AWS_", "AZURE_", "GOOGLE_", "OPENCODE_AUTH_CONTENT"),
    invoke=_invoked,
    read=_printed,
)
