"""`jotsam doctor`: prints what the examination found, and the repair of each finding."""

from __future__ import annotations

import logging

from jotsam.admin.doctor import examine
from jotsam.surfaces.cli.output import DEGRADED, OK, emit, out, paint, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


def command(arguments: argparse.Namespace) -> int:
    """Examine, and print each finding as soon as it is known. Returns 3 if one of them is not ok."""
    logging.getLogger("jotsam").addHandler(logging.NullHandler())  # What a worker would log is told as a finding.
    findings = []
    for finding in examine(arguments.settings, mend=arguments.repair):
        findings.append(finding)
        if not arguments.json:
            level = paint(finding.level.ljust(4), COLOURS[finding.level])
            say(f"{level}  {finding.name:12} {finding.text}")
            if finding.repair:
                say(f"{'':18} → {finding.repair}")
            out().flush()
    healthy = all(finding.level == "ok" for finding in findings)
    if arguments.json:
        emit(healthy=healthy, findings=findings)
    return OK if healthy else DEGRADED
