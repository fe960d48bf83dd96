"""`jotsam help`: the help of a command, a topic, or all as a man page."""

from __future__ import annotations

import argparse

from jotsam.core.suggest import closest
from jotsam.core.validate import shown
from jotsam.surfaces.cli.arguments import subcommands
from jotsam.surfaces.cli.command_index import TOPICS
from jotsam.surfaces.cli.output import OK, echo, print_json, terminal_width
from jotsam.surfaces.cli.parser import full_parser
from jotsam.surfaces.cli.topics import topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

READABLE = 100  # columns


def run(arguments: argparse.Namespace) -> int:
    parser = full_parser()
    if arguments.man:
        from jotsam.surfaces.cli.man_page import man_page

        text = man_page(parser)
    elif len(arguments.words) == 1 and arguments.words[0] in TOPICS:
        text = "\n".join(_filled(line) for line in topic(arguments.words[0]).splitlines())
    else:
        text = _command(parser, arguments).format_help().rstrip("\n")
        if not arguments.words:
            text += "\n\nTopics:\n" + "\n".join(f"  {name:11}  {about}" for name, about in TOPICS.items())
    print_json(help=text) if arguments.json else echo(text)
    return OK


def _command(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> argparse.ArgumentParser:
    """The parser of the command that the words name."""
    for word in arguments.words:
        known = subcommands(parser)
        if word not in known:
            words: Sequence[str] = (*known, *(TOPICS if " " not in parser.prog else ()))
            meant = closest(word, words)
            suggestion = f"did you mean `jotsam help {f'{parser.prog} {meant}'.partition(' ')[2]}`?" if meant else ""
            hints = [suggestion] if suggestion else ["`jotsam help` lists commands and topics"]
            arguments.fail(f"there is no help on {shown(word)}", hints)
        parser = known[word]
    return parser


def _filled(line: str) -> str:
    """A line of a topic, filled to the width of the terminal behind its indentation."""
    import textwrap

    width = terminal_width()
    if width is None or len(line) <= width:
        return line
    name, gap, _ = line.lstrip().partition("  ")
    indent = len(line) - len(line.lstrip())
    hanging = indent if not gap or indent > 4 else line.index(line.lstrip()[len(name) :].lstrip())
    return textwrap.fill(line, min(width, READABLE), subsequent_indent=" " * hanging, break_on_hyphens=False)
