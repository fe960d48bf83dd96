"""`jotsam capture`: switch the capture of agent sessions off and on, and show what is off."""

from __future__ import annotations

import os

from jotsam.core.settings import project_of
from jotsam.ingest import capture_switch
from jotsam.surfaces.cli.output import OK, echo, hint, print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    given = [(kind, name) for kind in capture_switch.KINDS if (name := getattr(arguments, kind)) is not None]
    kind, name = given[0] if given else (None, "")
    if arguments.state == "status":
        return _show(arguments, kind, name)
    capture_switch.switch(kind, name, is_on=arguments.state == "on")
    return _show(arguments, kind, name)


def _show(arguments: argparse.Namespace, kind: str | None, name: str) -> int:
    """Whether turns of what was named, or of a session in this folder, are captured, and what is off."""
    asked = {"project": arguments.settings.project, "path": os.getcwd(), "session": ""}
    if kind == "path":
        asked["project"] = project_of(name)
    elif kind:
        asked["path"] = ""
    asked |= {kind: name} if kind else {}
    settings = arguments.settings.replace(project=asked["project"])
    is_on = capture_switch.is_captured(settings, folder=asked["path"], session=asked["session"])
    off = capture_switch.described(arguments.settings)
    if arguments.json:
        print_json(capture=is_on, off=list(off))
        return OK
    place = f"for {kind} {name}" if kind else "in this folder"
    echo(f"capture is {'on' if is_on else 'off'} {place}")
    for what in off:
        echo(f"off       {what}")
    if not is_on and arguments.settings.capture == "off":
        hint(f"the setting `capture` is off ({arguments.origins['capture']})")
    return OK
