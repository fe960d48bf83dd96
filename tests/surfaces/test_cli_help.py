"""`--help`, examples, and usage errors that suggest what was meant."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from terminal import shown
from tools.command_names import command_names

from jotsam.core.settings import Settings
from jotsam.surfaces.cli.command import subcommands
from jotsam.surfaces.cli.command_index import FIRST_VERBS, GROUPS, MOVED, UNLISTED, current
from jotsam.surfaces.cli.parser import _parser_for, commands_of, full_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.surfaces.conftest import Shell

    from jotsam.surfaces.cli.command import Parser

ROOT = Path(__file__).parents[2]

# What was typed, the usage that is shown, and the hint.
MISTYPED = {
    "recall --limt 3": ("jotsam recall ", "did you mean --limit?"),
    "jobs list --stat=dead": ("jotsam jobs list ", "did you mean --state?"),
    "server tokens create --name x --scop read": ("jotsam server tokens create ", "did you mean --scope?"),
    "statsu": ("jotsam COMMAND ", "did you mean `jotsam status`?"),
    "search": ("jotsam COMMAND ", "did you mean `jotsam recall`?"),
    "serch": ("jotsam COMMAND ", "did you mean `jotsam recall`?"),
    "delete": ("jotsam COMMAND ", "did you mean `jotsam forget`?"),
    "jobs rety": ("jotsam jobs ", "did you mean `jotsam jobs retry`?"),
    "entities --category peple": ("jotsam entities ", "did you mean people?"),
    "install cluade": ("jotsam install ", "did you mean claude?"),
    "status --async": ("jotsam status ", "--async goes before the command"),
}


def test_a_usage_error_shows_the_usage_of_the_command_that_was_meant_and_a_suggestion(jotsam: Shell) -> None:
    wrong = {}
    for line, (usage, suggestion) in MISTYPED.items():
        done = jotsam(*line.split())
        said = " ".join(done.stderr.split())
        shown = said.startswith("error: ") and f"usage: {usage}" in said
        if done.returncode != 2 or not shown or suggestion not in said:
            wrong[line] = done.stderr
    assert wrong == {}


def test_of_the_usage_only_what_the_error_names_is_shown(jotsam: Shell) -> None:
    lines = jotsam("recall", "--limt", "3").stderr.splitlines()
    assert lines[2] == "usage: jotsam recall [OPTION ...] [QUESTION ...]"
    assert [line.split()[0].rstrip(",") for line in lines[3:] if line.startswith("  -")] == ["-n"]
    assert len(lines) < 8


def test_nothing_is_suggested_for_what_resembles_nothing(jotsam: Shell) -> None:
    assert "did you mean" not in jotsam("xyzzy").stderr + jotsam("recall", "--xyzzy").stderr


def test_a_mistyped_command_is_a_json_object_with_json(jotsam: Shell) -> None:
    error = json.loads(jotsam("statsu", "--json").stdout)["error"]
    assert (error["type"], error["exit_code"]) == ("UsageError", 2)
    assert error["hints"][0] == "did you mean `jotsam status`?"


def test_each_command_is_in_one_group_with_a_summary_that_fits_80_columns(jotsam: Shell) -> None:
    commands = next(one for one in full_parser()._actions if isinstance(one, argparse._SubParsersAction)).choices
    assert sorted([*(name for names in GROUPS.values() for name in names), *UNLISTED]) == sorted(commands)
    lines = jotsam("--help", COLUMNS="80").stdout.splitlines()
    listed = [line for line in lines if re.match("  [a-z]", line)]
    assert [line for line in listed if len(line) > 80 or len(line.split()) < 3] == []
    assert [line.split()[0] for line in listed] == [name for names in GROUPS.values() for name in names]


def test_the_index_names_each_command_in_the_group_whose_folder_declares_it() -> None:
    declared = {group: [command.name for command in commands_of(group)] for group in GROUPS}
    unlisted = {group: [name for name, of in UNLISTED.items() if of == group] for group in GROUPS}
    assert {group: [*names, *unlisted[group]] for group, names in GROUPS.items()} == declared
    folders = {file.parent.name for file in (ROOT / "src/jotsam/surfaces/cli").glob("*/commands.py")}
    assert folders == {group.lower() for group in GROUPS}


def test_at_most_24_commands_are_at_the_top_in_five_groups() -> None:
    assert len(GROUPS) == 5
    assert sum(map(len, GROUPS.values())) <= 24


def test_a_name_of_an_earlier_version_is_the_command_that_it_became(jotsam: Shell) -> None:
    known = dict(_parsers(full_parser()))
    for name, now in MOVED.items():
        assert name not in known
        assert now.partition(" --")[0] in known
        assert current(["--db", name, name, "x"]) == ["--db", name, *now.split(), "x"]
    assert jotsam("archive", "--help").stdout == jotsam("update", "archive", "--help").stdout
    assert re.search(r"jotsam (serve|backup|rules)\b", jotsam("--help").stdout + jotsam("help", "--man").stdout) is None
    assert jotsam("help", "backup").stdout == jotsam("db", "backup", "--help").stdout


def test_the_first_subcommand_that_has_arguments_needs_no_name() -> None:
    verbs = {name: tuple(subcommands(subcommands(full_parser())[name])) for name in FIRST_VERBS}
    assert verbs == FIRST_VERBS
    assert current(["update", "x", "--tag", "y"]) == ["update", "set", "x", "--tag", "y"]
    assert current(["update", "link", "x"]) == ["update", "link", "x"]
    assert current(["update", "--help"]) == ["update", "--help"]


def test_a_parser_of_one_command_has_its_help() -> None:
    whole = subcommands(full_parser())
    for name, inner in whole.items():
        alone = subcommands(_parser_for([name, "--help"]))
        assert ([*alone], alone[name].format_help()) == ([name], inner.format_help())
    assert [*subcommands(_parser_for(["--db", "status", "--help", "recall"]))] == [*whole]


def _parsers(parser: Parser, name: str = "") -> Iterator[tuple[str, Parser]]:
    """The parsers of all commands by their full names, subcommands included."""
    for word, inner in subcommands(parser).items():
        yield f"{name} {word}".strip(), inner
        yield from _parsers(inner, f"{name} {word}".strip())


def test_each_command_names_a_function_that_exists() -> None:
    defaults = {name: parser._defaults for name, parser in _parsers(full_parser())}
    runs = {name: (one.get("module"), one.get("function")) for name, one in defaults.items()}
    assert runs.pop("agents hook") == (None, None)
    for name, (module, function) in runs.items():
        assert callable(getattr(import_module(f"jotsam.surfaces.cli.{module}"), str(function), None)), name


def test_each_command_has_an_example_that_parses(jotsam: Shell) -> None:
    parser = full_parser()
    for name, inner in _parsers(parser):
        called = name.split()[-1] if name in ("agents hook", "agents mcp") else name  # as the files of agents say
        found = [line[line.rindex(f"jotsam {called}") :] for line in inner.examples if f"jotsam {called}" in line]
        assert found, name
        for line in found:
            words = shlex.split(line.partition(" > ")[0].partition(" | ")[0].rstrip('")'))
            assert name == "agents hook" or parser.parse_args(words[1:]).command.startswith(name)
    assert f"example:\n  {subcommands(parser)['list'].examples[0]}\n" in jotsam("list", "--help").stdout


def test_help_of_a_command_is_its_help_option_and_topics_are_explained(jotsam: Shell) -> None:
    assert jotsam("help", "jobs", "retry").stdout == jotsam("jobs", "retry", "--help").stdout
    environment = jotsam("help", "environment").stdout
    assert [name for name in Settings._fields if f"JOTSAM_{name.upper()}" not in environment] == []
    assert "exit-codes   what the exit code of a command means" in jotsam("help").stdout
    narrow = shown(jotsam, "help", "environment", columns=80).splitlines()
    assert [line for line in narrow if len(line) > 80] == []
    assert "did you mean `jotsam help exit-codes`?" in jotsam("help", "exit-code").stderr


@pytest.mark.no_database
def test_jotsam_alone_says_what_to_do_first_and_later_how_things_are(jotsam: Shell) -> None:
    first = jotsam()
    assert (first.returncode, first.stdout.count("\n")) == (0, 4)
    assert "jotsam install AGENT" in first.stdout
    assert not jotsam.db.exists()
    jotsam("remember", "We use tabs.")
    later = jotsam().stdout
    assert later.startswith("1 memory, 0 documents · 1 job waiting\n")
    assert re.search(r"^Ask +recall, list", later, re.MULTILINE)
    assert jotsam.json("--json")["status"]["memories"] == 1


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_man_page_is_without_warnings_and_has_every_command(jotsam: Shell) -> None:
    page = jotsam("help", "--man").stdout
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-cbu"], input=page, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [name for name in command_names(full_parser()) if f"\n   jotsam {name}\n" not in done.stdout] == []
    assert "$ jotsam server tokens create --name laptop --scope write --days 90 > token.txt" in done.stdout


def test_the_man_page_that_is_shipped_is_that_of_the_parser(jotsam: Shell) -> None:
    assert (ROOT / "man" / "jotsam.1").read_text() == jotsam("help", "--man").stdout


def test_a_type_that_is_like_a_known_one_has_a_hint(jotsam: Shell) -> None:
    hint = "hint: 'Decison' is a type of its own; did you mean Decision?\n"
    assert jotsam("remember", "We use uv.", "--type", "Decison").stderr == hint
    assert jotsam("list", "--type", "Decison").stderr == hint
    assert jotsam("remember", "Send the invoice.", "--type", "Task").stderr == ""
    assert jotsam("remember", "We use tabs.", "--type", "decision").stderr == ""


def test_a_missing_argument_is_named_alone(jotsam: Shell) -> None:
    assert "error: the following arguments are required: FILE\n" in jotsam("export").stderr
