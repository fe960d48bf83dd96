"""VS Code. Its hooks are not used."""

from __future__ import annotations

from jotsam.agents.agent import Agent

AGENT = Agent(
    name="vscode",
    title="VS Code",
    note="Jotsam has no hooks in VS Code: the agent uses the tools of the MCP server, which VS Code asks you to trust",
    has_user_instructions=False,
    rule_files=(".github/copilot-instructions.md",),
)
