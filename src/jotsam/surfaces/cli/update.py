"""`jotsam update`: change one memory and print its receipt."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.forget import print_rest
from jotsam.surfaces.cli.output import OK, echo, print_json, warn
from jotsam.surfaces.cli.text_input import text_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

# Options with the name of the field that they set.
FIELDS = ("type", "importance", "confidence", "valid_from", "valid_until")


def run(arguments: argparse.Namespace) -> int:
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
    if arguments.json:
        print_json(receipt=receipt)
        return OK
    job = "" if receipt.job_id is None else f"  job {receipt.job_id}"
    echo(f"updated   {receipt.id}  version {receipt.version}{job}")
    for warning in (*warnings, *receipt.warnings):
        warn(warning)
    if receipt.erased is not None:
        print_rest(receipt.erased, arguments)
    return OK
