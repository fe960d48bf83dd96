"""`jotsam brief` and `jotsam brief rules`: what an agent gets, and the standing orders in it."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.api.change_log import note_change
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import OK, SAMPLE, Fence, echo, hint, plural, print_json, print_table, shorten
from jotsam.surfaces.cli.table import SHORT_ID
from jotsam.surfaces.cli.terminal import text_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.answers import Brief, BriefLine
    from jotsam.core.note_records import Note


def print_brief(arguments: argparse.Namespace) -> int:
    """Print what the next session or prompt would get, and why each line is there."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.brief(project=arguments.project, prompt=arguments.prompt, tokens=arguments.tokens)
    if arguments.json:
        print_json(brief=found)
        return OK
    if not found.text:
        echo(f"{'this prompt' if arguments.prompt else 'the next session'} would get nothing")
        hint("`jotsam brief rules add TEXT` adds a rule; `jotsam status` says what is still pending")
        return OK
    with Fence():
        print_table(("id", "said", "what", "text", "why"), [_line(line) for line in found.lines])
    blocks = f", and {len(found.blocks)} pinned blocks" if found.blocks else ""
    lines = f"{plural(len(found.lines), 'line')} from {found.memories} of {plural(found.total, 'memory', 'memories')}"
    echo(f"{lines}{blocks}, about {found.tokens} tokens{_missing(found)}")
    hint("wrong or old? `jotsam brief rules strike ID`; in other words? `jotsam brief rules edit ID TEXT`")
    return OK


def list_rules(arguments: argparse.Namespace) -> int:
    """List the rules of a project and those that hold everywhere."""
    state = "all" if arguments.all else "holds"
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.notes.list(kind="rule", project=arguments.project, state=state, limit=arguments.limit)
    if arguments.json:
        print_json(rules=found)
    elif found:
        with Fence():
            print_table(("id", "said", "times", "where", "state", "text"), map(_row, found))
    else:
        echo("no rules")
        hint("what you demand for good in a session becomes one; `jotsam brief rules add TEXT` adds one")
    return OK


def add(arguments: argparse.Namespace) -> int:
    """Add a rule."""
    text, _ = text_argument(arguments.text)
    with Jotsam(settings=arguments.settings) as jot:
        made = jot.notes.add(text, project=arguments.project, everywhere=arguments.everywhere)
    return _print(arguments, "added    ", made)


def edit(arguments: argparse.Namespace) -> int:
    """Say a rule in other words."""
    text, _ = text_argument(arguments.text)
    with Jotsam(settings=arguments.settings) as jot:
        made = jot.notes.edit(arguments.id, text)
    return _print(arguments, "stored   ", made)


def strike(arguments: argparse.Namespace) -> int:
    """Strike a rule, or another line of a brief; or take that back."""
    verdict = None if arguments.undo else "keep" if arguments.keep else "old" if arguments.old else "wrong"
    with Jotsam(settings=arguments.settings) as jot:
        one = jot.notes.judge(arguments.id, verdict=verdict)
        note_change(jot, "undo verdict" if verdict is None else "verdict", one.id)
    return _print(arguments, "in force " if verdict in (None, "keep") else "struck   ", one)


def _print(arguments: argparse.Namespace, verb: str, one: Note) -> int:
    if arguments.json:
        print_json(note=one)
    else:
        echo(f"{verb} {_short(one.id)}  {one.kind}{' everywhere' if one.everywhere else ''}: {one.text}")
    return OK


def _short(id: str) -> str:
    memory, _, place = id.partition(".")
    return f"{memory[:SHORT_ID]}.{place}" if place else memory[:SHORT_ID]


def _line(line: BriefLine) -> tuple[object, ...]:
    id = line.id if line.note is None else f"{line.id}.{line.note}"
    return _short(id), format_time(line.date)[:10], line.label, shorten(line.text, 2 * SAMPLE), line.why


def _row(one: Note) -> tuple[object, ...]:
    where = "everywhere" if one.everywhere else one.project
    return _short(one.id), format_time(one.said_at)[:10], one.times, where, one.state, shorten(one.text, 2 * SAMPLE)


def _missing(found: Brief) -> str:
    return f"; {found.pending:,} jobs pending" if found.pending else ""
