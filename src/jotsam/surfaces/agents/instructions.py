"""Lines about memory for the instructions of an agent, such as `CLAUDE.md`. They are written only on request.

An agent knows the tools without them. They help a model that rarely calls a tool by itself.
"""

from __future__ import annotations

import os

from jotsam.surfaces.agents.agent_files import TEXT, AgentFile

LINES = """\
Earlier sessions are in the memory of the MCP server `jotsam`.
Before you decide something that may have been decided before, call its tool `recall` with a question.
When the user states a decision or a preference, call `remember` with one sentence that can be understood alone."""

NAMES = {"claude": "CLAUDE.md", "gemini": "GEMINI.md"}
IN_PROJECTS_ONLY = ("cursor", "vscode")  # These keep the instructions of the user in their settings.


def instructions(agent: str, *, files: tuple[AgentFile, ...], folder: str) -> AgentFile | None:
    """The instructions of a project in a folder, or those of the user, beside a file of the agent.

    None if the agent reads none from a file.
    """
    if agent == "git" or (agent in IN_PROJECTS_ONLY and not folder):
        return None
    beside = files[-1] if agent == "opencode" else files[0]  # The first file of opencode is in a folder for plugins.
    path = os.path.join(folder or os.path.dirname(beside.path), NAMES.get(agent, "AGENTS.md"))
    return AgentFile(path=path, syntax=TEXT, content=LINES)
