"""`jotsam entities` and `jotsam patterns`: what memory knows by name, and what recurs in it."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, emit, say, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def listed(arguments: argparse.Namespace) -> int:
    """List entities, those that most memories mention first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.entities(
            category=arguments.category, words=arguments.words or None, limit=arguments.limit
        )
    if arguments.json:
        emit(entities=found)
    elif found:
        rows = [(f"{one.category}:{one.slug}", one.name, one.memories, ", ".join(one.aliases)) for one in found]
        table(("entity", "name", "memories", "other names"), rows)
    else:
        say("no such entities")
    return OK


def merge(arguments: argparse.Namespace) -> int:
    """Make one entity another name of a second."""
    with Jotsam(settings=arguments.settings) as jot:
        tag = jot.knowledge.merge(arguments.name, into=arguments.into)
    if arguments.json:
        emit(merged=arguments.name, into=tag)
    else:
        say(f"{arguments.name} is another name of {tag} now")
    return OK


def split(arguments: argparse.Namespace) -> int:
    """Take a merge back."""
    with Jotsam(settings=arguments.settings) as jot:
        tag = jot.knowledge.split(arguments.name)
    if arguments.json:
        emit(split=arguments.name, of=tag)
    else:
        say(f"{arguments.name} stands for itself again, and no longer for {tag}")
    return OK


def patterns(arguments: argparse.Namespace) -> int:
    """List patterns, those shown most often first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.patterns(type=arguments.type, limit=arguments.limit)
    if arguments.json:
        emit(patterns=found)
    elif found:
        rows = [
            (
                p.type,
                " ".join(p.terms),
                p.occurrences,
                f"{p.confidence:.2f}",
                format_time(p.first_seen),
                format_time(p.last_reinforced),
            )
            for p in found
        ]
        table(("type", "theme", "memories", "sure", "first seen", "last seen"), rows)
    else:
        say("nothing recurs yet")
    return OK
