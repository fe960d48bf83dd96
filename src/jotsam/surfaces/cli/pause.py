"""`jotsam pause` and `jotsam resume`: the operator's hand on a queue."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, emit, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def pause(arguments: argparse.Namespace) -> int:
    """From now on no worker takes a job from the queue; what runs goes on to its end."""
    with Jotsam(settings=arguments.settings) as jot:
        jot.pause(arguments.queue, reason=arguments.reason)
    if arguments.json:
        emit(queue=arguments.queue, paused=True)
    else:
        say(f"{arguments.queue} is paused until `jotsam resume {arguments.queue}`; accepting goes on")
    return OK


def resume(arguments: argparse.Namespace) -> int:
    """End the pause of the queue, whoever made it."""
    with Jotsam(settings=arguments.settings) as jot:
        was_paused = jot.resume(arguments.queue)
    if arguments.json:
        emit(queue=arguments.queue, paused=False, was_paused=was_paused)
    else:
        say(f"{arguments.queue} goes on" if was_paused else f"{arguments.queue} was not paused")
    return OK
