"""`jotsam remember`: store one memory, or those of a file of JSON Lines, and print the receipts."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.ingest.backlog import SUFFIX
from jotsam.memory.api.client import Jotsam
from jotsam.memory.writing.batches import MAX_ITEMS
from jotsam.surfaces.cli.output import FAILED, OK, echo, fields_of, plural, print_json, report, warn
from jotsam.surfaces.cli.terminal import file_argument, text_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

    from jotsam.core.records import ItemResult, UpsertResult

# Options with the name of the field that they set.
FIELDS = ("type", "importance", "confidence", "metadata", "actor", "session", "valid_from", "valid_until", "project")


def remember(arguments: argparse.Namespace) -> int:
    fields = {name: getattr(arguments, name) for name in FIELDS} | {"said_at": arguments.date}
    fields = {name: value for name, value in fields.items() if value is not None} | {"tags": arguments.tag}
    if (arguments.text is None) == (arguments.lines is None):
        arguments.usage_error("give either TEXT or --lines FILE")
    if arguments.upsert and not arguments.tag:
        del fields["tags"]  # Tags that are not given stay.
    if arguments.lines is not None:
        return _remember_lines(arguments, fields)
    if arguments.upsert:
        return _upsert(arguments, fields)
    text, warnings = text_argument(arguments.text)
    with Jotsam(settings=arguments.settings) as jot:
        receipt = jot.remember(text, key=arguments.key, external_id=arguments.external_id, **fields)
    if arguments.json:
        print_json(receipt=receipt)
        return OK
    if not receipt.forgotten:
        echo(f"{'duplicate' if receipt.duplicate else 'accepted '} {receipt.id}  job {receipt.job_id}")
    for warning in (*warnings, *receipt.warnings):
        warn(warning)
    return OK


def _upsert(arguments: argparse.Namespace, fields: dict[str, Any]) -> int:
    """Create or change the memory of a key."""
    if arguments.key is None:
        arguments.usage_error("--upsert needs the --key of the memory")
    text, warnings = text_argument(arguments.text)
    with Jotsam(settings=arguments.settings) as jot:
        receipt = jot.upsert(arguments.key, text, external_id=arguments.external_id, **fields)
    if arguments.json:
        print_json(receipt=receipt)
        return OK
    if not receipt.forgotten:
        state = "accepted " if receipt.created else "updated  " if receipt.job_id else "unchanged"
        job = f"  job {receipt.job_id}" if receipt.job_id else ""
        echo(f"{state} {receipt.id}  version {receipt.version}{job}")
    for warning in (*warnings, *receipt.warnings):
        warn(warning)
    return OK


def _remember_lines(arguments: argparse.Namespace, defaults: dict[str, Any]) -> int:
    """Store the memory of each line, or with --upsert that of its key. Options of the command are the defaults."""
    if arguments.key is not None or arguments.external_id is not None:
        arguments.usage_error("--key and --external-id identify one memory: give them as fields of each line")
    items, errors = _items(file_argument(arguments.lines), defaults)
    receipts: list[dict[str, Any]] = []
    warnings: dict[str, None] = {}
    with Jotsam(settings=arguments.settings) as jot:
        store: Callable[[list[Any]], Sequence[ItemResult | UpsertResult]] = jot.remember_many
        if arguments.upsert:
            store = jot.upsert_many
        for start in range(0, len(items), MAX_ITEMS):
            batch = items[start : start + MAX_ITEMS]
            results = store([item for _, item in batch])
            for (number, _), result in zip(batch, results, strict=True):
                if result.receipt:
                    receipts.append({"line": number, **fields_of(result.receipt)})
                    own = result.receipt.warnings
                    warnings |= dict.fromkeys(one if one.endswith(SUFFIX) else f"line {number}: {one}" for one in own)
                else:
                    errors.append({"line": number, "error": str(result.error)})
    if arguments.json:
        print_json(receipts=receipts, errors=errors)
    else:
        states = [_state(one) for one in receipts]
        counts = {state: states.count(state) for state in ("known already", "updated", "unchanged")}
        known = "".join([f", {number:,} of them {state}" for state, number in counts.items() if number])
        echo(f"accepted  {plural(len(receipts), 'memory', 'memories')}{known}")
        for warning in warnings:
            warn(warning)
    lines: dict[str, list[int]] = {}
    for one in sorted(errors, key=lambda one: one["line"]):
        lines.setdefault(one["error"], []).append(one["line"])
    for error, (first, *others) in lines.items():
        report(InvalidInput(f"line {first}{f' and {len(others):,} more' if others else ''}: {error}"))
    return FAILED if errors else OK


def _state(receipt: dict[str, Any]) -> str:
    """What became of the memory of a line; "" for a new one."""
    if "duplicate" in receipt:
        return "known already" if receipt["duplicate"] else ""
    return "" if receipt["created"] else "updated" if receipt["job_id"] else "unchanged"


def _items(text: str, defaults: dict[str, Any]) -> tuple[list[tuple[int, Any]], list[dict[str, Any]]]:
    """The item of each line with its number, and the errors of lines that are not JSON."""
    import json

    items: list[tuple[int, Any]] = []
    errors: list[dict[str, Any]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            errors.append({"line": number, "error": f"not JSON: {error}"})
            continue
        given = {"text": item} if isinstance(item, str) else item
        if isinstance(given, dict) and "said_at" not in given and "date" in given:  # as the option is called
            given["said_at"] = given.pop("date")
        items.append((number, {**defaults, **given} if isinstance(given, dict) else given))
    return items, errors
