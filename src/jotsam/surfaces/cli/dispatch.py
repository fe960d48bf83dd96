"""Runs a parsed command line: loads the settings, imports the module of the command and calls its function."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib import import_module

from jotsam.core.settings import load_settings
from jotsam.core.validate import shown
from jotsam.surfaces.cli import empty_database
from jotsam.surfaces.cli.output import OK
from jotsam.surfaces.cli.parser import PATH_ARGUMENTS, full_parser, parse


def run_line(arguments: Sequence[str]) -> int:
    """Run one command, or queue it after `--async`. Returns the exit code; a usage error raises `SystemExit`."""
    parsed = parse(arguments)
    if "function" not in parsed:
        if parsed.is_async:
            full_parser().error("--async needs a command to queue")
        if parsed.json:
            return run_line([*arguments, "status"])
        from jotsam.surfaces.cli.operate.help import show_overview

        return show_overview(load_settings({name: getattr(parsed, name) for name in ("db", "tenant")})[0])
    _refuse_undecodable(parsed)
    options: dict[str, object] = {name: getattr(parsed, name, None) for name in ("db", "tenant", "concurrency")}
    options["worker"] = "off" if parsed.no_worker else None
    # A background worker belongs to no directory, so it must not read the settings file of a project.
    folder = os.sep if getattr(parsed, "reserved", None) else None
    strict = not getattr(parsed, "lenient", False)  # `config set` repairs a file with a wrong value.
    parsed.settings, parsed.origins = load_settings(options, folder=folder, strict=strict)
    if parsed.is_async:
        from jotsam.surfaces.cli.send_command import send

        return send(parsed, arguments)
    return call(parsed)


def _refuse_undecodable(parsed: argparse.Namespace) -> None:
    """A usage error for an argument that is not UTF-8. Only the path of a file may be, and in a text it is replaced."""
    for name, value in vars(parsed).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and name not in (*PATH_ARGUMENTS, "text", "question"):
                try:
                    text.encode()
                except UnicodeEncodeError:
                    parsed.usage_error(f"invalid {name.replace('_', ' ')} {shown(text)}: must be UTF-8")


def call(parsed: argparse.Namespace) -> int:
    """Call the function of a command whose settings are loaded. Returns the exit code."""
    function = getattr(import_module(f"jotsam.surfaces.cli.{parsed.module}"), parsed.function)
    watches = getattr(parsed, "watch", False)  # until there is something to see
    if parsed.read_only and not watches and empty_database.is_missing(parsed.settings):
        with empty_database.temporary(parsed.settings) as parsed.settings:
            return int(function(parsed) or OK)
    return int(function(parsed) or OK)
