"""The man page, from the argument parser and the topics of `jotsam help`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from jotsam.core.version import VERSION
from jotsam.surfaces.cli.command import GLOBAL, Parser, subcommands
from jotsam.surfaces.cli.command_index import GROUPS, TOPICS, UNLISTED
from jotsam.surfaces.cli.operate.topics import topic

# How roff writes signs that it would replace by typographic ones, or read as commands.
SIGNS = str.maketrans({"\\": "\\e", "-": "\\-", "'": "\\(aq", '"': "\\(dq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"})


def man_page(parser: argparse.ArgumentParser) -> str:
    """The page `jotsam(1)` in the language of man(7)."""
    commands = subcommands(parser)
    lines = [
        f'.TH JOTSAM 1 "" "jotsam {VERSION}" "User Commands"',
        ".SH NAME",
        "jotsam \\- durable background memory for AI agents",
        ".SH SYNOPSIS",
        ".B jotsam",
        "\\fICOMMAND\\fR [\\fIOPTION\\fR ...]",
        ".SH DESCRIPTION",
        _escaped(parser.description or ""),
        ".SH OPTIONS",
        *_options(parser, own=False),
    ]
    for group, names in GROUPS.items():
        lines.append(f'.SH "{group.upper()}"')
        for name in (*names, *(name for name, of in UNLISTED.items() if of == group)):
            lines += _command(f"jotsam {name}", commands[name])
    for name, about in TOPICS.items():
        lines += [f'.SH "{name.upper()}"', _escaped(about[0].upper() + about[1:] + "."), ".PP", *_literal(topic(name))]
    return "\n".join(lines)


def _command(name: str, parser: Parser) -> Iterator[str]:
    """A subsection for a command, and for each of its subcommands."""
    yield f'.SS "{_escaped(name)}"'
    yield _escaped(parser.description or "")
    yield from _options(parser, own=True)
    if parser.examples:
        yield ".PP"
        yield from _literal("\n".join(f"$ {example}" for example in parser.examples))
    for word, inner in subcommands(parser).items():
        yield from _command(f"{name} {word}", inner)


def _options(parser: argparse.ArgumentParser, *, own: bool) -> Iterator[str]:
    """The options and arguments; `own`: without those of every command."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        if own and action.dest in GLOBAL:
            continue
        yield ".TP"
        yield f"\\fB{_escaped(formatter._format_action_invocation(action))}\\fR"
        yield _escaped(formatter._expand_help(action) if action.help else "")


def _literal(text: str) -> list[str]:
    return [".nf", *(_escaped(line) for line in text.splitlines()), ".fi"]


def _escaped(text: str) -> str:
    """Text that roff prints as it is: a line must not begin with a dot or an apostrophe, and hyphens stay hyphens."""
    text = text.translate(SIGNS)
    return f"\\&{text}" if text.startswith(".") else text
