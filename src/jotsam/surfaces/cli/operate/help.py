"""`jotsam help`, and `jotsam` without a command: the help of a command or a topic, and what to do first."""

from __future__ import annotations

import argparse

from jotsam.agents.registry import AGENTS
from jotsam.core.validate import closest, shown
from jotsam.surfaces.cli import empty_database
from jotsam.surfaces.cli.command import subcommands
from jotsam.surfaces.cli.command_index import GROUPS, MOVED, TOPICS
from jotsam.surfaces.cli.operate.topics import filled, topic
from jotsam.surfaces.cli.output import OK, echo, paint, plural, print_field, print_json, terminal_width
from jotsam.surfaces.cli.parser import full_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.settings import Settings
    from jotsam.memory.status.status import Status

READABLE = 100  # columns
FIRST_STEPS = (
    ("jotsam install AGENT", f"give an agent a memory: {', '.join(AGENTS)}"),
    ("jotsam add FILE", "store a text; then `jotsam recall WORDS` finds it"),
    ("jotsam help", "list all commands"),
)


def show_help(arguments: argparse.Namespace) -> None:
    parser = full_parser()
    if arguments.man:
        from jotsam.surfaces.cli.operate.man_page import man_page

        text = man_page(parser)
    elif len(arguments.words) == 1 and arguments.words[0] in TOPICS:
        width = terminal_width()
        text = topic(arguments.words[0])
        text = text if width is None else filled(text, min(width, READABLE))
    else:
        text = _command(parser, arguments).format_help().rstrip("\n")
        if not arguments.words:
            text += "\n\nTopics:\n" + "\n".join(f"  {name:11}  {about}" for name, about in TOPICS.items())
    print_json(help=text) if arguments.json else echo(text)


def _command(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> argparse.ArgumentParser:
    """The parser of the command that the words name."""
    words = arguments.words
    for word in [*MOVED.get(words[0], words[0]).partition(" --")[0].split(), *words[1:]] if words else ():
        known = subcommands(parser)
        if word not in known:
            choices: Sequence[str] = (*known, *(TOPICS if " " not in parser.prog else ()))
            meant = closest(word, choices)
            suggestion = f"did you mean `jotsam help {f'{parser.prog} {meant}'.partition(' ')[2]}`?" if meant else ""
            hints = [suggestion] if suggestion else ["`jotsam help` lists commands and topics"]
            arguments.fail(f"there is no help on {shown(word)}", hints)
        parser = known[word]
    return parser


def show_overview(settings: Settings) -> int:
    """`jotsam` without a command: what to do first, and later a short status and the commands."""
    if empty_database.is_missing(settings):
        echo("Nothing is stored yet. Begin with one of these:")
        width = max(len(command) for command, _ in FIRST_STEPS) + 2
        for command, about in FIRST_STEPS:
            print_field(f"  {command}", about, width=width)
        return OK
    from jotsam.memory.status.status import of

    now = of(settings)
    echo(f"{plural(now.memories, 'memory', 'memories')}, {plural(now.documents, 'document')} · {_queue(now)}")
    echo()
    for group, names in GROUPS.items():
        print_field(group, ", ".join(names), width=9)
    echo()
    echo("`jotsam help` says what each does, `jotsam help COMMAND` shows its options and examples.")
    return OK


def _queue(now: Status) -> str:
    from jotsam.memory.status.health import worst
    from jotsam.surfaces.cli.operate.status import COLOURS

    if problem := worst(now.findings):
        return f"{paint(problem.text, COLOURS[problem.level])}: see `jotsam status`"
    return f"{plural(now.depth.live, 'job')} waiting" if now.depth.live else "everything is processed"
