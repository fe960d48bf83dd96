"""`jotsam doctor`: run all checks, and print each result with its fix."""

from __future__ import annotations

import logging

from jotsam.admin.doctor import examine
from jotsam.surfaces.cli.output import DEGRADED, OK, echo, paint, print_json, stdout

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


def run(arguments: argparse.Namespace) -> int:
    """Print each result as soon as it is known. Returns 3 if one of them is not ok."""
    # The end-to-end test runs a worker; the check reports what that would log.
    logging.getLogger("jotsam").addHandler(logging.NullHandler())
    checks = []
    for check in examine(arguments.settings, repair=arguments.repair):
        checks.append(check)
        if not arguments.json:
            level = paint(check.level.ljust(4), COLOURS[check.level])
            echo(f"{level}  {check.name:12} {check.text}")
            if check.repair:
                echo(f"{'':18} → {check.repair}")
            stdout().flush()
    healthy = all(check.level == "ok" for check in checks)
    if arguments.json:
        print_json(healthy=healthy, checks=checks)
    return OK if healthy else DEGRADED
