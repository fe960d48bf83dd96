"""Claude Code as a language model: how it is run, and what it prints."""

from __future__ import annotations

from jotsam.agents.as_model import (
    NO_OUTPUT,
    AgentCommand,
    Invocation,
    Printed,
    count_of,
    object_in,
    part_of,
    price_of,
    string_of,
)
from jotsam.core.validate import token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.as_model import Run


def _invoked(run: Run) -> Invocation:
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


def _printed(output: str) -> Printed:
    found = object_in(output)
    usage = part_of(found, "usage")
    cached = token_count(usage.get("cache_read_input_tokens"), 0)
    written = token_count(usage.get("cache_creation_input_tokens"), 0)
    plain, text = usage.get("input_tokens"), string_of(found.get("result"))
    is_error = bool(found.get("is_error")) or not found
    reasons = found.get("errors")
    error = text or (" ".join(map(string_of, reasons)) if isinstance(reasons, list) else "")
    error = error or string_of(found.get("subtype")) or output or NO_OUTPUT
    status = found.get("api_error_status")
    has_called = found.get("stop_reason") == "tool_use" or found.get("terminal_reason") == "max_turns"
    return Printed(
        text="" if is_error else text,
        tokens_in=token_count(plain, 0) + cached + written if isinstance(plain, int) else None,
        tokens_cached=cached,
        tokens_out=count_of(usage.get("output_tokens")),
        cost=price_of(found.get("total_cost_usd")),
        is_cut_off=found.get("stop_reason") == "max_tokens" or "output token maximum" in text,
        error=f"{error} ({status})" if is_error and status else error if is_error else "",
        tool="one" if has_called else "",
    )


COMMAND = AgentCommand(
    sign_in="claude /login",
    keeps=(
        *("ANTHROPIC_", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_"),
        *("CLAUDE_CODE_SKIP_", "CLOUD_ML_REGION", "AWS_", "GOOGLE_"),
    ),
    invoke=_invoked,
    read=_printed,
)
