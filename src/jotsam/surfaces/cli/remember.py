"""`jotsam remember`: hands one memory to the door and prints its receipt."""

from __future__ import annotations

from jotsam.ingest import files
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, emit, given, say, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SAME = ("type", "importance", "confidence", "metadata", "actor", "session", "valid_from", "valid_until", "project")


def remember(arguments: argparse.Namespace) -> int:
    """Accept one memory."""
    is_piped = arguments.text == "-"
    text, warnings = files.decode(given().read(), name="standard input") if is_piped else (arguments.text, ())
    fields = {name: getattr(arguments, name) for name in SAME}
    fields = {name: value for name, value in fields.items() if value is not None}
    with Jotsam(settings=arguments.settings) as jot:
        receipt = jot.remember(
            text, key=arguments.key, tags=arguments.tag, said_at=arguments.date, external_id=arguments.id, **fields
        )
    if arguments.json:
        emit(receipt=receipt)
        return OK
    say(f"{'known   ' if receipt.duplicate else 'accepted'}  {receipt.id}  job {receipt.job_id}")
    for warning in (*warnings, *receipt.warnings):
        warn(warning)
    return OK
