"""`jotsam list`: print memories, one line each, or all their fields as JSON."""

from __future__ import annotations

import argparse

from jotsam.core.clock import format_time
from jotsam.core.records import StoredMemory
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.options import selection
from jotsam.surfaces.cli.output import (
    SAMPLE,
    Fence,
    echo,
    fields_of,
    hint,
    plural,
    print_json,
    print_table,
    shorten,
    terminal_width,
)


def list_memories(arguments: argparse.Namespace) -> None:
    with Jotsam(settings=arguments.settings) as jot:
        page = jot.list(
            order=arguments.order,
            history=arguments.history,
            archived=arguments.archived,
            after=arguments.after,
            limit=arguments.limit,
            **selection(arguments),
        )
    if arguments.json:
        print_json(**fields_of(page))
        return
    if page.memories:
        with Fence():
            print_table(("id", "date", "type", "tags", "text"), map(_row, page.memories))
    elif page.pending:
        echo("not known yet")
    else:
        echo("no memory matches")
    if page.pending:
        hint(f"{plural(page.pending, 'text is', 'texts are')} not split into memories yet: `jotsam jobs wait` waits")
    if page.next:
        hint(f"there are more: add --after {page.next}")


def _row(memory: StoredMemory) -> tuple[object, ...]:
    date = format_time(memory.created_at if memory.said_at is None else memory.said_at)[:10]
    # On a terminal the table has little room, and its text names the entities.
    tags = [tag for tag in memory.tags if not (terminal_width() and tag.startswith("entity:"))]
    return memory.id[:8], date, memory.type, ", ".join(tags), _text(memory)


def _text(memory: StoredMemory) -> str:
    mark = "(archived) " if memory.archived_at is not None else "(summary) " if memory.summary_of else ""
    mark = "(superseded) " if memory.superseded_at is not None else mark
    return mark + shorten(memory.text, SAMPLE)
