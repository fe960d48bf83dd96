"""`jotsam brief blocks`: list, print, set, extend and delete memory blocks."""

from __future__ import annotations

from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import SAMPLE, Fence, echo, print_json, print_result, print_table, shorten, warn
from jotsam.surfaces.cli.terminal import text_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import TypedDict

    from jotsam.core.records import MemoryBlock

    class Address(TypedDict):
        project: str | None
        actor: str | None


def list_blocks(arguments: argparse.Namespace) -> None:
    """List blocks."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.blocks.list(project=arguments.project, actor=arguments.actor, limit=arguments.limit)
    if arguments.json:
        print_json(blocks=found)
    elif found:
        with Fence():
            print_table(("name", "project", "actor", "pinned", "characters", "version", "text"), map(_row, found))
    else:
        echo("no blocks")


def get(arguments: argparse.Namespace) -> None:
    """Print the text of a block."""
    with Jotsam(settings=arguments.settings) as jot:
        block = jot.blocks.get(arguments.name, **_address(arguments))
    if arguments.json:
        print_json(block=block)
    else:
        with Fence():
            echo(block.text)


def change(arguments: argparse.Namespace) -> None:
    """Create a block, or replace its text."""
    text, warnings = text_argument(arguments.text)
    limit, pinned = arguments.max_length, arguments.pin
    with Jotsam(settings=arguments.settings) as jot:
        block = jot.blocks.set(
            arguments.name, text, limit=limit, pinned=pinned, version=arguments.expected, **_address(arguments)
        )
    _print(arguments, block, warnings)


def append(arguments: argparse.Namespace) -> None:
    """Add a line to a block."""
    text, warnings = text_argument(arguments.text)
    with Jotsam(settings=arguments.settings) as jot:
        block = jot.blocks.append(arguments.name, text, version=arguments.expected, **_address(arguments))
    _print(arguments, block, warnings)


def delete(arguments: argparse.Namespace) -> None:
    """Delete a block."""
    with Jotsam(settings=arguments.settings) as jot:
        block = jot.blocks.delete(arguments.name, version=arguments.expected, **_address(arguments))
    print_result(arguments, f"deleted   {block.name}", deleted=block)


def _address(arguments: argparse.Namespace) -> Address:
    return {"project": getattr(arguments, "project", None), "actor": getattr(arguments, "actor", None)}


def _print(arguments: argparse.Namespace, block: MemoryBlock, warnings: tuple[str, ...]) -> None:
    if arguments.json:
        print_json(block=block)
    else:
        pin = "pinned" if block.pinned else "not pinned"
        size = f"{len(block.text):,} of {block.limit:,} characters"
        echo(f"stored    {block.name}  version {block.version}  {size}, {pin}")
    for warning in warnings:
        warn(warning)


def _row(block: MemoryBlock) -> tuple[object, ...]:
    size = f"{len(block.text):,} of {block.limit:,}"
    pin = "yes" if block.pinned else "no"
    return block.name, block.project, block.actor, pin, size, block.version, shorten(block.text, SAMPLE)
