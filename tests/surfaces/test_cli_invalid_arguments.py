"""Every argument of every command, with values that a person does not type: a plain error, never a fault of ours."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import pytest

from jotsam.surfaces.cli import output, parser, start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from jotsam.surfaces.cli.command import Command

HUGE, NOT_UTF_8 = "1" * 5_000, "\udc80"

# Options of every command. The others run for long, read standard input, or exit before anything is read.
GLOBAL = {"db", "tenant"}
SKIPPED = {"doctor", "jobs work", "server", "server start", "agents hook", "config completion", "models fetch"}


def commands(command: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The full names of all commands with their parsers, subcommands included."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield f"{name} {word}".strip(), inner
                yield from commands(inner, f"{name} {word}".strip())


def command_lines(name: str, command: argparse.ArgumentParser, value: str) -> Iterator[list[str]]:
    """The command with `value` as each of its arguments in turn, and as all that it requires."""
    actions = [action for action in command._actions if action.nargs != 0 and action.dest != argparse.SUPPRESS]
    actions = [action for action in actions if not isinstance(action, argparse._SubParsersAction)]
    places = [action for action in actions if not action.option_strings]
    required = [str(next(iter(action.choices))) if action.choices else value for action in places]
    if places:
        yield [*name.split(), *required]
    for action in actions:
        if action.option_strings and (action.dest not in GLOBAL or name == "status"):
            yield [*name.split(), f"{action.option_strings[0]}={value}", *required]
            yield [*name.split(), f"{action.option_strings[0]}={value}"]


def test_no_argument_of_a_command_is_reported_as_a_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    environ = {"HOME": tmp_path, "XDG_DATA_HOME": tmp_path / "data", "XDG_CONFIG_HOME": tmp_path / "config"}
    for name, path in environ.items():
        monkeypatch.setenv(name, str(path))
    monkeypatch.setenv("JOTSAM_DB", str(tmp_path / "jotsam.db"))
    monkeypatch.setenv("JOTSAM_WORKER", "off")
    built, build = dict[tuple[str, ...], parser.Parser](), parser._parser

    def built_once(known: Iterable[Command]) -> parser.Parser:
        """Building it takes most of the time."""
        known = tuple(known)
        names = tuple(one.name for one in known)
        return built[names] if names in built else built.setdefault(names, build(known))

    monkeypatch.setattr(parser, "_parser", built_once)
    ran, wrong = 0, []
    for name, command in commands(parser.full_parser()):
        for value in (HUGE, NOT_UTF_8) if name not in SKIPPED else ():
            for line in command_lines(name, command, value):
                try:
                    code = start._exit_code([*line, *(["--timeout=0"] if name == "jobs wait" else [])])
                except SystemExit as end:
                    code = end.code
                printed = capsys.readouterr().err
                ran += 1
                if code not in (0, 1, 2, 3, 8) or "bug in jotsam" in printed or len(printed) > 20_000:
                    wrong.append((line[:3], code, printed[-300:]))
    assert wrong == []
    assert ran > 150


def test_an_argument_that_is_not_utf_8_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["entities", "--named", NOT_UTF_8], ["facts", "--project", NOT_UTF_8], ["show", NOT_UTF_8]):
        with pytest.raises(SystemExit, match="2"):
            start._exit_code(line)
        assert "'\\udc80': must be UTF-8" in capsys.readouterr().err


def test_a_limit_of_the_system_is_no_bug(capsys: pytest.CaptureFixture[str]) -> None:
    for error in (RuntimeError("can't start new thread"), MemoryError()):
        output.report(error)
        printed = capsys.readouterr().err
        assert "reached a limit of the system" in printed
        assert "bug" not in printed
