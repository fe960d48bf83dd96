"""Questions to a person at a terminal. Elsewhere nothing is asked: an option confirms."""

from __future__ import annotations

import sys

from jotsam.surfaces.cli.output import stderr

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def can_ask(arguments: argparse.Namespace) -> bool:
    """Whether there is somebody to ask, and the options leave the question open."""
    return not arguments.yes and not arguments.json and sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str, *, default: bool) -> bool:
    """The answer to a question. The end of input is no."""
    stderr().write(question)
    stderr().flush()
    answer = sys.stdin.readline()
    if not answer:
        return False
    return default if not answer.strip() else answer.strip().lower() in ("y", "yes")
