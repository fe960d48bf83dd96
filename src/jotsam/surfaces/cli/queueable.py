"""Whether a command may be queued with its arguments: `queueable` of its `Command`. The sender and the worker check it.

Anyone who can write to the queue can make a worker run such a command, for any tenant. So a queued command only
changes memory, entities or jobs of its own tenant. It reads no file, prints no memory into the queue's tables, and
changes nothing that tenants share, such as a paused queue or a model. Files are read by the sender, and the worker
ignores their names.
"""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

EVERYWHERE = ("json",)

# Set by the parser itself, not by an argument.
INTERNAL = (
    "module",
    "function",
    "read_only",
    "queueable",
    "command",
    "usage_error",
    "unrecognized",
    "fail",
    "get_default",
    "verb",
    "queued",
)
NOT_GIVEN: tuple[object, ...] = (None, False, 0, "", [], LIMIT)


def check(parsed: argparse.Namespace) -> None:
    """Report a usage error if the parsed command may not be queued."""
    if parsed.queueable is None:
        parsed.usage_error("this command cannot be queued: run it without --async")
    allowed = (*parsed.queueable, *EVERYWHERE, *INTERNAL)
    for name, value in vars(parsed).items():
        is_given = value not in NOT_GIVEN and value != parsed.get_default(name)
        if is_given and name not in allowed:
            option = f"--{name.removeprefix('is_').replace('_', '-')}"
            parsed.usage_error(f"{option} cannot be queued: omit it, or run the command without --async")
