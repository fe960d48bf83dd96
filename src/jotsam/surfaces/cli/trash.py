"""`jotsam trash`: list what was forgotten to the trash, restore it, or delete it now."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.forget import print_rest
from jotsam.surfaces.cli.output import OK, echo, plural, print_json, print_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.trash import ForgottenBatch


def run(arguments: argparse.Namespace) -> int:
    if (arguments.action == "restore") != (arguments.id is not None):
        arguments.usage_error("give an ID with restore, and only then")
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.action == "list":
            return _list(jot, arguments)
        if arguments.action == "restore":
            return _restore(jot, arguments)
        erased = jot.admin.empty_trash()
    if arguments.json:
        print_json(erased=erased)
    else:
        echo("the trash is empty")
        print_rest(erased, arguments)
    return OK


def _list(jot: Jotsam, arguments: argparse.Namespace) -> int:
    found = jot.admin.trash()
    if arguments.json:
        print_json(trash=found)
    elif found:
        print_table(("id", "forgotten at", "memories", "documents", "sample"), map(_row, found))
    else:
        echo("the trash is empty")
    return OK


def _row(one: ForgottenBatch) -> tuple[str, ...]:
    return one.id, format_time(one.forgotten_at), str(one.memories), str(one.documents), one.sample


def _restore(jot: Jotsam, arguments: argparse.Namespace) -> int:
    restored = jot.admin.restore_forgotten(arguments.id)
    if arguments.json:
        print_json(restored=restored)
    else:
        memories = plural(restored.memories, "memory", "memories")
        echo(f"restored {memories} and {plural(restored.documents, 'document')}")
    return OK
