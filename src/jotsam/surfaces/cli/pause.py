"""`jotsam pause` and `jotsam resume`: stop and restart the processing of a queue."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, echo, print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def pause(arguments: argparse.Namespace) -> int:
    """Pause a queue. Jobs that are running are finished."""
    with Jotsam(settings=arguments.settings) as jot:
        jot.admin.pause(arguments.queue, reason=arguments.reason)
    if arguments.json:
        print_json(queue=arguments.queue, paused=True)
    else:
        echo(f"{arguments.queue} is paused until `jotsam resume {arguments.queue}`; new jobs are still accepted")
    return OK


def resume(arguments: argparse.Namespace) -> int:
    """Resume a queue that was paused by a person or by its circuit breaker."""
    with Jotsam(settings=arguments.settings) as jot:
        was_paused = jot.admin.resume(arguments.queue)
    if arguments.json:
        print_json(queue=arguments.queue, paused=False, was_paused=was_paused)
    else:
        echo(f"{arguments.queue} is resumed" if was_paused else f"{arguments.queue} was not paused")
    return OK
