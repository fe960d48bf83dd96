"""Usage errors: what is wrong, the usage of the command that was meant, and what to type instead.

Loaded only for an error.
"""

from __future__ import annotations

import argparse
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
    "hide": "archive",
    **dict.fromkeys(("edit", "change"), "update"),
    **dict.fromkeys(("init", "setup"), "install"),
    **dict.fromkeys(("check", "health", "verify"), "doctor"),
    **dict.fromkeys(("server", "start"), "serve"),
    **dict.fromkeys(("set", "settings"), "config"),
    **dict.fromkeys(("activity", "events"), "log"),
    **dict.fromkeys(("run", "worker"), "work"),
    **dict.fromkeys(("queue", "tasks"), "jobs"),
    **dict.fromkeys(("ui", "web"), "dashboard"),
    "dump": "export",
    "history": "show ID --history",
    "load": "import",
    "stats": "status",
    "upgrade": "migrate",
    "version": "--version",
}


def report_usage(parser: argparse.ArgumentParser, message: str, hints: Sequence[str] = ()) -> None:
    """Print a usage error below the usage of its command."""
    hints = hints or (f"see `{parser.prog} --help`",)
    stderr().write(printable(parser.format_usage()))
    print_error(message)
    for text in hints:
        hint(text)
    if wants_json():
        print_json_error(message, hints=hints, kind="UsageError", exit_code=USAGE)


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
