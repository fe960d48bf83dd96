"""The shells by which agents run hooks, and how a line for each runs a program.

On Windows agents differ: Claude Code runs hooks by Git Bash, or by PowerShell where there is none; Codex, Cursor and
Gemini CLI run them by PowerShell; git has a shell of its own. A line for one of them is an error in the others.
No line begins with `cmd /c`: Git Bash takes `/c` for a folder, and `cmd` without it would run what the hook is given.
"""

from __future__ import annotations

import os
import shlex
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SH, GIT_BASH, POWERSHELL = "sh", "git bash", "powershell"
IS_BATCH = os.name == "nt"  # whether a script is a batch file
BATCH_ENCODING = "oem" if sys.platform == "win32" else "utf-8"  # in which the system reads batch files
CMD_SIGNS = str.maketrans({sign: f"^{sign}" for sign in "&|<>^()"})  # that mean something to `cmd` outside quotes
BASH_PATH = "CLAUDE_CODE_GIT_BASH_PATH"  # of Claude Code


def of_agents() -> str:
    """By which shell most agents run hooks."""
    return POWERSHELL if IS_BATCH else SH


def of_git() -> str:
    """By which shell git runs hooks."""
    return GIT_BASH if IS_BATCH else SH


def of_claude(environ: Mapping[str, str]) -> str:
    """By which shell Claude Code runs hooks."""
    if not IS_BATCH:
        return SH
    gits = [os.path.join(place, "git.exe") for place in environ.get("PATH", "").split(os.pathsep) if place]
    git = next(filter(os.path.exists, gits), "")
    places = [environ.get(BASH_PATH, ""), os.path.join(os.path.dirname(os.path.dirname(git)), "bin", "bash.exe")]
    places += [
        os.path.join(environ.get(name, ""), "Git", "bin", "bash.exe") for name in ("ProgramFiles", "ProgramW6432")
    ]
    return GIT_BASH if any(os.path.isabs(place) and os.path.exists(place) for place in places) else POWERSHELL


def line(program: str, arguments: str, shell: str) -> str:
    """A line that runs a program."""
    if shell == POWERSHELL:
        return f"& {_quoted(program)} {arguments}"
    return f"{_in_sh(program, shell)} {arguments}"


def guarded(program: str, command: str, shell: str) -> str:
    """A line that is silent where its program is missing, as in a container that mounts the settings."""
    if shell == POWERSHELL:
        return f"if (Test-Path -LiteralPath {_quoted(program)}) {{ {command} }}"
    # Git Bash calls no batch file executable.
    return f"[ {'-f' if shell == GIT_BASH else '-x'} {_in_sh(program, shell)} ] && {command} || :"


def words(program: str) -> list[str]:
    """The words by which another program starts it without a shell. Windows starts no batch file by itself."""
    if not IS_BATCH:
        return [program]
    # A program that starts another one puts quotes around words with spaces, and only around these.
    if any(map(str.isspace, program)):
        # After `/c`, `cmd` would drop quotes around a path with `&` or a parenthesis if they came first.
        return ["cmd.exe", "/d", "/c", "if", "exist", program, program]
    return ["cmd.exe", "/d", "/c", program.translate(CMD_SIGNS)]


def by_shell(line: str) -> Sequence[str]:
    """The words that run a line as an agent does."""
    return ["/bin/sh", "-c", line] if not IS_BATCH else ["powershell", "-NoProfile", "-Command", line]


def _in_sh(path: str, shell: str) -> str:
    return shlex.quote(path.replace("\\", "/") if shell == GIT_BASH else path)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
