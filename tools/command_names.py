"""The names of all commands, for tests that need a case of each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator


def command_names(command: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
    """The full names of all commands, subcommands included."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield f"{name} {word}".strip()
                yield from command_names(inner, f"{name} {word}".strip())
