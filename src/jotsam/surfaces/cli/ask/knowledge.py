"""`jotsam facts`, `entities`, `patterns` and `crystals`: what was made of memories, and corrections of it."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.api.change_log import note_change
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import SAMPLE, Fence, echo, hint, plural, print_json, print_result, print_table, shorten
from jotsam.surfaces.cli.table import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.crystal_records import Crystal
    from jotsam.core.records import Fact, Pattern


def facts(arguments: argparse.Namespace) -> None:
    """List facts, latest first."""
    names = ("subject", "predicate", "object", "project", "actor", "history", "archived")
    wanted = {name: getattr(arguments, name) for name in names if getattr(arguments, name)}
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.facts(words=" ".join(arguments.words) or None, limit=arguments.limit, **wanted)
    if arguments.json:
        print_json(facts=found)
    elif found:
        print_table(
            ("id", "subject", "predicate", "object", "confidence", "valid", "extractor", "memory"),
            map(_fact_row, found),
        )
    else:
        echo("no matching facts")


def list_entities(arguments: argparse.Namespace) -> None:
    """List entities, most mentioned first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.entities(
            category=arguments.category, words=arguments.words or None, actor=arguments.actor, limit=arguments.limit
        )
    if arguments.json:
        print_json(entities=found)
    elif found:
        rows = [(f"{one.category}:{one.slug}", one.name, one.memories, ", ".join(one.aliases)) for one in found]
        print_table(("entity", "name", "memories", "aliases"), rows)
    else:
        echo("no matching entities")


def show_entity(arguments: argparse.Namespace) -> None:
    """Print an entity with the text about it."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.entity(arguments.name)
    if arguments.json:
        print_json(entity=found)
        return
    echo(f"{found.name} ({found.category}:{found.slug}), in {plural(found.memories, 'memory', 'memories')}")
    if found.aliases:
        echo(f"also called {', '.join(found.aliases)}")
    if found.identity is None:
        echo("no text about it: `jotsam db lifecycle run identity` makes one of its facts")
    else:
        sources = ", ".join(id[:8] for id in found.identity.sources)
        echo(found.identity.body)
        echo(f"made by {found.identity.made_by} {format_time(found.identity.changed_at)[:10]} of the facts {sources}")


def candidates(arguments: argparse.Namespace) -> None:
    """List pairs of entities that may be the same."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.merge_candidates(limit=arguments.limit)
    if arguments.json:
        print_json(candidates=found)
    elif found:
        rows = [
            (one.name, one.into, f"{one.confidence:.2f}", f"{one.likeness:.2f}", f"{one.shared:.2f}") for one in found
        ]
        print_table(("entity", "may be", "confidence", "names alike", "shared memories"), rows)
    else:
        echo("no entities that may be the same")


def merge(arguments: argparse.Namespace) -> None:
    """Make one entity an alias of another."""
    with Jotsam(settings=arguments.settings) as jot:
        tag = jot.knowledge.merge(arguments.name, into=arguments.into)
        note_change(jot, "merge", arguments.name)
    print_result(arguments, f"{arguments.name} is now an alias of {tag}", merged=arguments.name, into=tag)


def split(arguments: argparse.Namespace) -> None:
    """Undo a merge."""
    with Jotsam(settings=arguments.settings) as jot:
        tag = jot.knowledge.split(arguments.name)
        note_change(jot, "split", arguments.name)
    if arguments.json:
        print_json(split=arguments.name, **{"from": tag})
    else:
        echo(f"{arguments.name} is no longer an alias of {tag}")


def patterns(arguments: argparse.Namespace) -> None:
    """List patterns, most frequent first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.patterns(type=arguments.type, actor=arguments.actor, limit=arguments.limit)
    if arguments.json:
        print_json(patterns=found)
    elif found:
        print_table(("type", "theme", "memories", "confidence", "first seen", "last seen"), map(_pattern_row, found))
    else:
        echo("no patterns found yet")


def _fact_row(fact: Fact) -> tuple[object, ...]:
    first, last = (("" if ms is None else format_time(ms)[:10]) for ms in (fact.valid_from, fact.valid_until))
    valid = f"{first} to {last}" if first or last else ""
    if fact.superseded_at is not None:
        valid = f"superseded {format_time(fact.superseded_at)[:10]}"
    predicate = f"{fact.predicate} (free)" if fact.free else fact.predicate
    fields = (fact.id[:8], fact.subject, predicate, fact.object, f"{fact.confidence:.2f}")
    return *fields, valid, fact.extractor, fact.memory[:8]


def _pattern_row(pattern: Pattern) -> tuple[object, ...]:
    times = (format_time(ms) for ms in (pattern.first_seen, pattern.last_reinforced))
    return pattern.type, " ".join(pattern.terms), pattern.occurrences, f"{pattern.confidence:.2f}", *times


def list_crystals(arguments: argparse.Namespace) -> None:
    """List crystals, candidates and refused ones."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.crystals.list(state=arguments.state, project=arguments.project, limit=arguments.limit)
    if arguments.json:
        print_json(crystals=found)
    elif found:
        with Fence():
            print_table(
                ("id", "state", "kind", "project", "sources", "text", "why", "judged by"), map(_crystal_row, found)
            )
    else:
        echo("no crystals and no candidates")
        hint("`jotsam db lifecycle run crystals` prints what would be promoted")


def confirm(arguments: argparse.Namespace) -> None:
    """Make a crystal of a memory."""
    with Jotsam(settings=arguments.settings) as jot:
        made = jot.crystals.confirm(arguments.id, kind=arguments.kind)
        note_change(jot, "confirm", made.id)
    _print_crystal(arguments, "promoted ", made)


def retract(arguments: argparse.Namespace) -> None:
    """Hide a crystal, or take that back."""
    with Jotsam(settings=arguments.settings) as jot:
        change = jot.crystals.undo_retract if arguments.undo else jot.crystals.retract
        changed = change(arguments.id)
        note_change(jot, "undo retract" if arguments.undo else "retract", changed.id)
    _print_crystal(arguments, "promoted " if arguments.undo else "retracted", changed)


def _print_crystal(arguments: argparse.Namespace, verb: str, crystal: Crystal) -> None:
    print_result(arguments, f"{verb} {crystal.id[:SHORT_ID]}  {crystal.kind}: {crystal.title}", crystal=crystal)


def _crystal_row(one: Crystal) -> tuple[object, ...]:
    text, why = shorten(one.text, SAMPLE), one.reason or one.why
    return one.id[:SHORT_ID], one.state, one.kind, one.project, len(one.sources) or None, text, why, one.judged_by
