"""`jotsam status --watch`: the status again and again, until Ctrl-C.

On a terminal it is drawn in place, on the terminal's second screen. In a pipe, and for a screen reader, it is a line
for each change, with --json an object in each line.
"""

from __future__ import annotations

import signal
import sys

from jotsam.core.clock import format_time, sleep, system_clock
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.operate.status import print_status, queue_line
from jotsam.surfaces.cli.output import OK, echo, print_json, redraws

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.status import Status

SECOND_SCREEN, FIRST_SCREEN, FROM_THE_TOP = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", "\x1b[H\x1b[J"
CHANGES = ("depth", "done", "worker", "level", "memories", "documents", "enriched", "discarded", "spooled")


def watch_status(arguments: argparse.Namespace) -> int:
    """Show the status every `interval` seconds. Ctrl-C ends it with exit code 0."""
    with Jotsam(settings=arguments.settings) as jot:
        try:
            if redraws(sys.stdout) and not arguments.json:
                _draw(jot, arguments)
            else:
                _print_changes(jot, arguments)
        except KeyboardInterrupt:
            pass
    return OK


def _draw(jot: Jotsam, arguments: argparse.Namespace) -> None:
    now = jot.status()
    signal.signal(signal.SIGTERM, _end)
    sys.stdout.write(SECOND_SCREEN)
    try:
        while True:
            sys.stdout.write(FROM_THE_TOP)
            print_status(now, jot.settings)
            echo(f"\n{format_time(system_clock())}, every {arguments.interval:g} s; Ctrl-C ends")
            sys.stdout.flush()
            sleep(arguments.interval)
            now = jot.status()
    finally:
        sys.stdout.write(FIRST_SCREEN)
        print_status(now, jot.settings)
        sys.stdout.flush()


def _end(number: int, _: object) -> None:
    """Without this handler SIGTERM would leave the terminal on its second screen, without a cursor."""
    raise SystemExit(128 + number)


def _print_changes(jot: Jotsam, arguments: argparse.Namespace) -> None:
    before = None
    while True:
        now = jot.status()
        if before is None or _differ(now, before):
            before = now
            if arguments.json:
                print_json(status=now)
            else:
                echo(f"{format_time(system_clock())}  {queue_line(now)} · worker {now.worker} · level {now.level}")
            sys.stdout.flush()
        sleep(arguments.interval)


def _differ(now: Status, before: Status) -> bool:
    paused = [[one.queue for one in status.paused] for status in (now, before)]
    return paused[0] != paused[1] or any(getattr(now, name) != getattr(before, name) for name in CHANGES)
