"""`jotsam doctor` and `jotsam status --cost`: what is wrong with its fix, and what models cost."""

from __future__ import annotations

import argparse
import logging

from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import DEGRADED, OK, echo, paint, print_json, print_table, stdout

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


def run_checks(arguments: argparse.Namespace) -> int:
    """Print each result as soon as it is known. Returns 3 if one of them is not ok."""
    from jotsam.admin.doctor import examine

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


def costs(arguments: argparse.Namespace) -> int:
    """List calls, tokens and cost of models by day."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.costs(days=arguments.days)
    if arguments.json:
        print_json(costs=found)
    elif found:
        rows = [(one.day, one.model, one.calls, f"{one.tokens:,}", f"{one.cost:.4f}") for one in found]
        print_table(("day", "model", "calls", "tokens", "cost"), rows)
    else:
        echo("no model was called")
    return OK
