"""`jotsam embedder`: which model turns text into vectors, how far it has come, fetch one, begin anew."""

from __future__ import annotations

from jotsam.admin import embedders
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import DEGRADED, OK, emit, paint, plural, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.admin.embedders import Embedding


def show(arguments: argparse.Namespace) -> int:
    """Print what is chosen and what is there. Returns 3 if the chosen one cannot be used."""
    with Jotsam(settings=arguments.settings) as jot:
        now = embedders.state(jot)
    if arguments.json:
        emit(embedding=now)
    else:
        for line in _lines(now):
            say(line)
    return DEGRADED if now.problem else OK


def fetch(arguments: argparse.Namespace) -> int:
    """Copy a model to where `embed_model` finds it by its name."""
    done = embedders.fetch(arguments.source, name=arguments.name, sha256=arguments.sha256, weights=arguments.weights)
    if arguments.json:
        emit(fetched=done)
    else:
        say(f"{done.name} is in {done.folder}")
        say(f"SHA-256 of its weights: {done.sha256}")
        say(f'choose it with embed_model = "{done.name}", then `jotsam embedder refresh`')
    return OK


def refresh(arguments: argparse.Namespace) -> int:
    """Have the worker embed what has no vector of the chosen model."""
    with Jotsam(settings=arguments.settings) as jot:
        memories, characters = embedders.refresh(jot, forced=arguments.forced, dry_run=arguments.dry_run)
    if arguments.json:
        emit(memories=memories, characters=characters, queued=bool(memories and not arguments.dry_run))
        return OK
    amount = f"{plural(memories, 'memory', 'memories')}, {characters:,} characters"
    if arguments.dry_run or not memories:
        say(
            f"{amount} would be embedded"
            if memories
            else "every memory has a vector of the chosen model, or waits for it"
        )
    else:
        say(f"{amount} will be embedded in the background; what is there serves meanwhile")
    return OK


def _lines(now: Embedding) -> list[str]:
    if now.name is None:
        chosen = "none: memories are found by their words (settings: embed_model, embed_url)"
    else:
        chosen = now.name + (f", {now.place}" if now.place else "")
    lines = [f"chosen   {chosen}"]
    if now.problem:
        lines.append(f"{paint('problem', 'red')}  {now.problem}")
    for made in now.made:
        amount = f"{made.vectors:,} of {plural(now.memories, 'memory', 'memories')}"
        lines.append(f"vectors  {amount}, by {made.name} ({made.dimension} numbers, {made.place})")
    if now.waiting:
        lines.append(f"waiting  {plural(now.waiting, 'memory', 'memories')}")
    if now.missing:
        text = f"{plural(now.missing, 'memory has', 'memories have')} no vector of it: `jotsam embedder refresh`"
        lines.append(f"{paint('missing', 'yellow')}  {text}")
    if now.failed:
        lines.append(f"{paint('failed', 'yellow')}   {plural(now.failed, 'memory', 'memories')} cannot be embedded")
    where = "by the database" if now.compares else "in memory alone, by each process: it needs 'jotsam[embed]'"
    lines.append(f"compared {where}")
    return lines
