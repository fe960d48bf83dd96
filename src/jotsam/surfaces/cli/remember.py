"""`jotsam remember`: store one memory and print its receipt."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, echo, print_json, warn
from jotsam.surfaces.cli.text_input import text_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

# Options with the name of the field that they set.
FIELDS = ("type", "importance", "confidence", "metadata", "actor", "session", "valid_from", "valid_until", "project")


def run(arguments: argparse.Namespace) -> int:
    text, warnings = text_argument(arguments.text)
    fields = {name: getattr(arguments, name) for name in FIELDS}
    fields = {name: value for name, value in fields.items() if value is not None}
    with Jotsam(settings=arguments.settings) as jot:
        receipt = jot.remember(
            text,
            key=arguments.key,
            tags=arguments.tag,
            said_at=arguments.date,
            external_id=arguments.external_id,
            **fields,
        )
    if arguments.json:
        print_json(receipt=receipt)
        return OK
    echo(f"{'duplicate' if receipt.duplicate else 'accepted '} {receipt.id}  job {receipt.job_id}")
    for warning in (*warnings, *receipt.warnings):
        warn(warning)
    return OK
