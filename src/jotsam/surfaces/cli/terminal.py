"""Who is at the terminal, and what a command is given to read there.

A person is asked and sees progress; a program or an agent is not, and uses an option to confirm.
"""

from __future__ import annotations

import os
import sys

from jotsam.agents.agent import every_agent
from jotsam.ingest import files
from jotsam.surfaces.cli.output import stderr, stdin, stdout

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

STDIN = "-"  # as an argument


def can_ask(arguments: argparse.Namespace) -> bool:
    """Whether there is a person to ask, and the options leave the question open."""
    return not arguments.yes and not arguments.json and sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str, *, default: bool) -> bool:
    """The answer to a question. The end of input is no."""
    stderr().write(question)
    stderr().flush()
    answer = sys.stdin.readline()
    if not answer:
        return False
    return default if not answer.strip() else answer.strip().lower() in ("y", "yes")


def is_person() -> bool:
    """Whether standard output is a terminal and no agent has started this process."""
    return stdout().isatty() and not any(os.environ.get(name) for name in agent_variables())


def agent_variables() -> tuple[str, ...]:
    """What agents set for the commands that they run.

    Collected from their sources and from the package @vercel/detect-agent. Variables that editors set in the terminals
    of people, such as CURSOR_TRACE_ID, are not among them.
    """
    return ("AI_AGENT", *(name for agent in every_agent() for name in agent.variables))  # Several set the first.


def text_argument(value: str) -> tuple[str, tuple[str, ...]]:
    """The text of an argument, and warnings about its encoding. Raises `InvalidInput` for binary input."""
    return read_stdin() if value == STDIN else (value, ())


def file_argument(value: str) -> str:
    """The text of a file. Raises `InvalidInput` if it is unreadable, binary, or named like a file for secrets."""
    return read_stdin()[0] if value == STDIN else files.read_file(value).text


def read_stdin() -> tuple[str, tuple[str, ...]]:
    """Standard input as text, and warnings about its encoding. Raises `InvalidInput` for binary input."""
    return files.decode(stdin().read(), name="standard input")


def read_limited_stdin(limit: int) -> tuple[str, tuple[str, ...]] | None:
    """As `read_stdin`, but None if there are more than `limit` bytes."""
    raw = stdin().read(limit + 1)
    return None if len(raw) > limit else files.decode(raw, name="standard input")
