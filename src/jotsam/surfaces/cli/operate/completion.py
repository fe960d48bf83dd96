"""`jotsam config completion`: a script with which a shell completes commands, options, values and names of files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from jotsam.surfaces.cli.command import subcommands
from jotsam.surfaces.cli.command_index import GROUPS, TOPICS
from jotsam.surfaces.cli.output import echo
from jotsam.surfaces.cli.parser import full_parser, summary

PATHS = ("FILE", "PATH", "DIR", "SOURCE", "DATABASE")  # how the name of a value ends in --help, where it is a path

# What shtab writes for zsh: one list of all commands, and a script that `eval` can read but `source` cannot.
ZSH_LIST = "  _describe 'jotsam commands' _commands\n"
ZSH_EVAL, ZSH_EVAL_OR_SOURCE = "zsh_eval_context[-1] == eval ", "zsh_eval_context[-1] == (eval|file) "


def print_script(arguments: argparse.Namespace) -> None:
    """Print a completion script for a shell."""
    import shtab

    parser = full_parser()
    _complete_values(parser, shtab.FILE)
    commands = subcommands(parser)
    words = next(action for action in commands["help"]._actions if action.dest == "words")
    words.choices = [*commands, *TOPICS]
    script = shtab.complete(parser, arguments.shell)
    if arguments.shell == "zsh":
        script = script.replace(ZSH_LIST, _zsh_groups()).replace(ZSH_EVAL, ZSH_EVAL_OR_SOURCE)
    echo(script)


def _complete_values(parser: argparse.ArgumentParser, paths: Mapping[str, object]) -> None:
    """Mark what is a path, and shorten what a command is about to what `jotsam --help` says."""
    for action in parser._actions:
        if str(action.metavar).endswith(PATHS) and not action.choices:
            action.complete = paths  # type: ignore[attr-defined]  # where shtab looks
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                action.choices[choice.dest].description = summary(choice.help or "")
    for child in subcommands(parser).values():
        _complete_values(child, paths)


def _zsh_groups() -> str:
    """A list of commands for each group of `jotsam --help`, under its name where the shell is told to show names."""
    lines = ["  local -a group"]
    for name, commands in GROUPS.items():
        lines.append(f"  group=(${{(M)_commands:#({'|'.join(commands)}):*}})")
        lines.append(f"  _describe -t {name.lower()}-commands {name} group")
    return "\n".join([*lines, ""])
