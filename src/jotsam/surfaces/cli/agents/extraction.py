"""`jotsam agents extract-prompt` and `extract-apply`: an agent extracts instead of a configured model."""

from __future__ import annotations

import argparse

from jotsam.core.errors import InvalidInput
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import echo, paint, plural, print_json, print_result, warn
from jotsam.surfaces.cli.terminal import file_argument


def extract_prompt(arguments: argparse.Namespace) -> None:
    """Print the prompt for an agent, or the JSON schema of its answer."""
    if arguments.schema:
        from msgspec import json

        from jotsam.memory.jobs.reprocess import EXTRACT_SCHEMA

        echo(json.format(json.encode(EXTRACT_SCHEMA), indent=2).decode())
        return
    if not arguments.ids:
        arguments.usage_error("give ids of memories or documents, for example from `jotsam recall --json`")
    with Jotsam(settings=arguments.settings) as jot:
        text = jot.extract_prompt(arguments.ids)
    print_result(arguments, text, prompt=text)


def extract_apply(arguments: argparse.Namespace) -> None:
    """Save an extraction made by an agent."""
    text = file_argument(arguments.file)
    with Jotsam(settings=arguments.settings) as jot:
        try:
            done = jot.extract_apply(text, by=arguments.by)
        except InvalidInput as error:
            error.add_note("nothing was saved; `jotsam agents extract-prompt --schema` prints the expected format")
            raise
    if arguments.json:
        print_json(saved=done)
        return
    if not done:
        echo("nothing was saved: the file contains no extractions")
    for one in done:
        kinds = f"{plural(one.entities, 'entity', 'entities')}, {plural(one.facts, 'fact')}"
        echo(f"{paint('saved', 'green')}  {one.memory}  {kinds}")
        if one.given > 1:
            warn(f"{one.memory}: given {one.given} times; the last one was saved")
        for rejected in one.rejected:
            warn(f"{one.memory}: rejected {rejected}")
