"""`jotsam update` and its subcommands: change memories that are stored."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.names import SUPERSEDING
from jotsam.memory.api.change_log import note_change
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import SAMPLE, echo, fields_of, print_json, shorten, warn
from jotsam.surfaces.cli.remember.forget import print_rest
from jotsam.surfaces.cli.terminal import text_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

# Options with the name of the field that they set.
FIELDS = ("type", "importance", "confidence", "valid_from", "valid_until")


def update(arguments: argparse.Namespace) -> None:
    warnings: tuple[str, ...] = ()
    fields: dict[str, Any] = {name: getattr(arguments, name) for name in FIELDS if getattr(arguments, name) is not None}
    if arguments.text is not None:
        fields["text"], warnings = text_argument(arguments.text)
    given = {"add_tags": arguments.tag, "remove_tags": arguments.remove_tag, "add_metadata": dict(arguments.metadata)}
    fields |= {name: value for name, value in given.items() if value}
    if arguments.replace_metadata is not None:
        fields["metadata"] = arguments.replace_metadata
    for name in arguments.clear:
        if fields.setdefault(name.replace("-", "_")) is not None:
            arguments.usage_error(f"--{name} and --clear {name} exclude each other")
    with Jotsam(settings=arguments.settings) as jot:
        receipt = jot.update(
            arguments.id, version=arguments.expected, forget_history=arguments.forget_history, **fields
        )
        note_change(jot, "update", receipt.id)
    if arguments.json:
        print_json(receipt=receipt)
        return
    job = "" if receipt.job_id is None else f"  job {receipt.job_id}"
    echo(f"updated   {receipt.id}  version {receipt.version}{job}")
    for warning in (*warnings, *receipt.warnings):
        warn(warning)
    if receipt.erased is not None:
        print_rest(receipt.erased, arguments)


def supersede(arguments: argparse.Namespace) -> None:
    if arguments.new is None and not arguments.undo:
        arguments.usage_error(f"NEW is missing: give the id that replaces {arguments.old!r}")
    with Jotsam(settings=arguments.settings) as jot:
        done = (jot.undo_supersede if arguments.undo else jot.supersede)(arguments.old, arguments.new)
        note_change(jot, "undo supersede" if arguments.undo else "supersede", done.old, *filter(None, [done.new]))
    if arguments.json:
        print_json(**fields_of(done))
    elif done.since is None:
        echo(f"{done.kind} {done.old[:8]} is valid again" + (f", and so is {done.new[:8]}" if done.new else ""))
    else:
        echo(f"{done.kind} {done.old[:8]} is superseded by {(done.new or '')[:8]} since {format_time(done.since)[:10]}")


def archive(arguments: argparse.Namespace) -> None:
    with Jotsam(settings=arguments.settings) as jot:
        action = arguments.command.rpartition(" ")[2]
        change = jot.archive if action == "archive" else jot.unarchive
        done = [change(id) for id in [jot.get(id).id for id in arguments.ids]]
        note_change(jot, action, *(one.id for one in done))
    if arguments.json:
        print_json(memories=[fields_of(one) for one in done])
        return
    for one in done:
        state = "is shown by recall again" if one.archived_at is None else "is archived"
        echo(f"{one.id[:8]} {state}: {shorten(one.text, SAMPLE)}")


def link(arguments: argparse.Namespace) -> None:
    """Link two memories, or remove the link."""
    ends = (arguments.source, arguments.type, arguments.target)
    with Jotsam(settings=arguments.settings) as jot:
        done = jot.knowledge.unlink(*ends) if arguments.undo else jot.knowledge.link(*ends, weight=arguments.weight)
        note_change(jot, "unlink" if arguments.undo else "link", done.source, done.type, done.target)
        by = jot.get(done.source).superseded_by if done.type in SUPERSEDING else None
    if arguments.json:
        print_json(link=done, linked=not arguments.undo)
    else:
        about = "removed" if arguments.undo else f"({done.weight:g})"
        echo(f"{done.source[:8]} {done.type} {done.target[:8]} {about}")
        if done.type in SUPERSEDING:
            state = f"hidden from recall, superseded by {by[:8]}" if by else "not superseded"
            echo(f"{done.source[:8]} is {state}")
