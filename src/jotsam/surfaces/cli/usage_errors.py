"""Usage errors: what is wrong, the usage of the command that was meant, and what to type instead.

Loaded only for an error.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Sequence

from jotsam.core.validate import closest, shown
from jotsam.surfaces.cli.output import USAGE, hint, print_error, print_json_error, printable, stderr, wants_json

# Names that other programs give to a command.
SYNONYMS = {
    **dict.fromkeys(("ask", "find", "get", "query", "search"), "recall"),
    **dict.fromkeys(("cat", "info", "view"), "show"),
    **dict.fromkeys(("del", "delete", "erase", "remove", "rm"), "forget"),
    **dict.fromkeys(("ls", "memories"), "list"),
    **dict.fromkeys(("note", "save", "store"), "remember"),
    "hide": "update archive",
    **dict.fromkeys(("edit", "change"), "update"),
    **dict.fromkeys(("init", "setup"), "install"),
    **dict.fromkeys(("check", "health", "verify"), "doctor"),
    **dict.fromkeys(("start", "listen"), "server start"),
    **dict.fromkeys(("set", "settings"), "config"),
    **dict.fromkeys(("activity", "events"), "log"),
    **dict.fromkeys(("run", "worker"), "jobs work"),
    **dict.fromkeys(("queue", "tasks"), "jobs"),
    **dict.fromkeys(("ui", "web"), "server dashboard"),
    "dump": "db export",
    "history": "show ID --history",
    "load": "import",
    "stats": "status",
    "upgrade": "db migrate",
    "version": "--version",
}


def report_usage(
    parser: argparse.ArgumentParser, message: str, hints: Sequence[str], own: Sequence[argparse.Action]
) -> None:
    """Print a usage error, and what of the usage of its command concerns it. `own` are the arguments that it has."""
    hints = hints or (f"see `{parser.prog} --help`",)
    print_error(message)
    for text in hints:
        hint(text)
    stderr().write(printable(_usage(parser, " ".join([message, *hints]), own)))
    if wants_json():
        print_json_error(message, hints=hints, kind="UsageError", exit_code=USAGE)


def _usage(parser: argparse.ArgumentParser, said: str, own: Sequence[argparse.Action]) -> str:
    """The command in short, and the help of the options and arguments that an error names."""
    formatter = parser._get_formatter()
    words = {word.strip(".,:;?'`()") for word in re.split(r"[\s/=]", said)}
    needed = [action for action in own if not action.option_strings or action.required]
    named = [
        action for action in own if action.help and words & {*action.option_strings, action.metavar or action.dest}
    ]
    formatter.add_usage(parser.usage, needed, [])
    formatter.start_section(None)
    formatter.add_arguments(named)
    formatter.end_section()
    more = "" if parser.usage else " [OPTION ...]"
    return formatter.format_help().replace("\n\n", "\n").replace(parser.prog, parser.prog + more, 1)


def unknown_command(parser: argparse.ArgumentParser, word: str, known: Collection[str]) -> tuple[str, list[str]]:
    """The message and the hints for a command, or a subcommand, that does not exist."""
    is_top = " " not in parser.prog
    synonyms = SYNONYMS if is_top else {}
    meant = closest(word, [*known, *synonyms])
    meant = synonyms.get(meant or "", meant)
    hints = [f"did you mean `{parser.prog} {meant}`?"] if meant else []
    if is_top:
        return f"unknown command {shown(word)}", [*hints, f"`{parser.prog} --help` lists the commands"]
    return f"unknown subcommand {shown(word)}: must be one of {', '.join(known)}", hints


def invalid_choice(argument: str, value: object, allowed: Collection[object]) -> str:
    """The message for a value that is not among those allowed."""
    meant = closest(str(value), map(str, allowed))
    suggestion = f"; did you mean {meant}?" if meant else ""
    return f"invalid {argument} {shown(value)}: must be one of {', '.join(map(str, allowed))}{suggestion}"


def unrecognized(parser: argparse.ArgumentParser, rest: Sequence[str]) -> tuple[str, list[str]]:
    """The message and the hints for arguments that the command does not have."""
    hints = []
    for word in rest:
        name = word.partition("=")[0]
        meant = closest(name, (option for option in parser._option_string_actions if option.startswith("--")))
        if name == "--async":
            hints.append("--async goes before the command: `jotsam --async COMMAND`")
        elif name.startswith("-") and meant:
            hints.append(f"did you mean {meant}?")
    return f"unrecognized arguments: {' '.join(rest)}", hints
