"""Git: a block in the `post-commit` hook of a repository, which pipes the commit to the hook."""

from __future__ import annotations

import os
import re
import shlex

from jotsam.agents.agent_files import SHELL, AgentFile, hook_command
from jotsam.agents.git import AGENT
from jotsam.agents.git.commits import FORMAT
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import shells

HOOK = "post-commit"
HOOKS_PATH = re.compile(r"^\s*hookspath\s*=\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
MAX_BYTES = 1_000_000


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    """The hook of the repository in `folder`. Raises `InvalidInput` if it has none, or its hooks are elsewhere."""
    repository = _repository(folder)
    for config in (os.path.join(repository, "config"), os.path.expanduser("~/.gitconfig")):
        if found := HOOKS_PATH.search(_text(config)):
            raise InvalidInput(
                f"{config} sets core.hooksPath to {found[1]}, so another program manages the hooks: add this line to "
                f"{os.path.join(found[1], HOOK)} yourself: {line(program)}"
            )
    return (AgentFile(path=os.path.join(repository, "hooks", HOOK), syntax=SHELL, content=line(program)),)


def line(program: str) -> str:
    """The line of the hook. It waits for the commit to be stored, and cannot fail."""
    log = f"git log -1 -z --name-only --format={shlex.quote(FORMAT)}"
    command = hook_command(program, AGENT.name, shells.of_git())
    return shells.guarded(program, f"{log} | {command} >/dev/null 2>&1", shells.of_git())


def _repository(folder: str) -> str:
    """The folder `.git`; of a linked worktree, that of its main worktree."""
    path = os.path.join(folder, ".git")
    if os.path.isfile(path):
        path = os.path.join(folder, _text(path).partition("gitdir:")[2].strip())
        path = os.path.normpath(os.path.join(path, _text(os.path.join(path, "commondir")).strip() or "."))
    if not os.path.isdir(path):
        raise InvalidInput(f"{folder} is not a git repository: run this inside one")
    return path


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_BYTES)
    except OSError:
        return ""
