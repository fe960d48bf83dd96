"""`--help`, examples, and usage errors that suggest what was meant."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from typing import TYPE_CHECKING

from command_names import command_names
from jotsam.surfaces.cli.command_groups import EXAMPLES, GROUPS
from jotsam.surfaces.cli.parser import full_parser

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

# What was typed, the usage that is shown, and the hint.
MISTYPED = {
    "recall --limt 3": ("jotsam recall ", "did you mean --limit?"),
    "jobs list --stat=dead": ("jotsam jobs list ", "did you mean --state?"),
    "tokens create --name x --scop read": ("jotsam tokens create ", "did you mean --scope?"),
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
        if done.returncode != 2 or not said.startswith(f"usage: {usage}") or suggestion not in said:
            wrong[line] = done.stderr
    assert wrong == {}


def test_nothing_is_suggested_for_what_resembles_nothing(jotsam: Shell) -> None:
    assert "did you mean" not in jotsam("xyzzy").stderr + jotsam("recall", "--xyzzy").stderr


def test_a_mistyped_command_is_a_json_object_with_json(jotsam: Shell) -> None:
    error = json.loads(jotsam("statsu", "--json").stdout)["error"]
    assert (error["type"], error["exit_code"]) == ("UsageError", 2)
    assert error["hints"][0] == "did you mean `jotsam status`?"


def test_each_command_is_in_one_group_with_a_summary_that_fits_80_columns(jotsam: Shell) -> None:
    commands = next(one for one in full_parser()._actions if isinstance(one, argparse._SubParsersAction)).choices
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(commands)
    lines = jotsam("--help", COLUMNS="80").stdout.splitlines()
    listed = [line for line in lines if re.match("  [a-z]", line)]
    assert [line for line in listed if len(line) > 80 or len(line.split()) < 3] == []
    assert [line.split()[0] for line in listed] == [name for names in GROUPS.values() for name in names]


def test_each_command_has_an_example_that_parses(jotsam: Shell) -> None:
    parser = full_parser()
    assert set(command_names(parser)) == EXAMPLES.keys()
    for name, examples in EXAMPLES.items():
        found = [line[line.rindex(f"jotsam {name}") :] for line in examples if f"jotsam {name}" in line]
        assert found, name
        for line in found:
            words = shlex.split(line.partition(" > ")[0].rstrip('")'))
            assert name == "hook" or parser.parse_args(words[1:]).command.startswith(name)
    assert f"example:\n  {EXAMPLES['projects'][0]}\n" in jotsam("projects", "--help").stdout
