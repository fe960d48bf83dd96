"""`jotsam agents capture`: switch the capture of agent sessions off and on, and show what is off."""

from __future__ import annotations

import argparse
import os

from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.project_identity import identify
from jotsam.core.settings import Settings
from jotsam.ingest import capture_switch
from jotsam.surfaces.cli.output import echo, hint, print_json


def switch_capture(arguments: argparse.Namespace) -> None:
    given = [(kind, name) for kind in capture_switch.KINDS if (name := getattr(arguments, kind)) is not None]
    kind, name = given[0] if given else (None, "")
    if arguments.state == "status":
        _show(arguments, kind, name)
        return
    for one in _keys(arguments.settings, name) if kind == "project" else (name,):
        capture_switch.switch(kind, one, is_on=arguments.state == "on")
    _show(arguments, kind, name)


def _show(arguments: argparse.Namespace, kind: str | None, name: str) -> None:
    """Whether turns of what was named, or of a session in this folder, are captured, and what is off."""
    asked = {"project": arguments.settings.project, "path": os.getcwd(), "session": ""}
    if kind == "path":
        asked["project"] = identify(name).key
    elif kind:
        asked["path"] = ""
    asked |= {kind: name} if kind else {}
    key = _keys(arguments.settings, name)[0] if kind == "project" else asked["project"]
    label = arguments.settings.project_label if kind is None else name if kind == "project" else ""
    settings = arguments.settings.replace(project=key, project_label=label)
    is_on = capture_switch.is_captured(settings, folder=asked["path"], session=asked["session"])
    off = capture_switch.described(arguments.settings)
    if arguments.json:
        print_json(capture=is_on, off=list(off))
        return
    place = f"for {kind} {name}" if kind else "in this folder"
    echo(f"capture is {'on' if is_on else 'off'} {place}")
    for what in off:
        echo(f"off       {what}")
    if not is_on and arguments.settings.capture == "off":
        hint(f"the setting `capture` is off ({arguments.origins['capture']})")


def _keys(settings: Settings, name: str) -> tuple[str, ...]:
    """The key that a name means in the database, and those of the projects joined to it. Raises `InvalidInput`.

    Capture can be switched off before anything is stored, and while the database cannot be opened: then it is the name.
    """
    if "://" not in settings.db and not os.path.exists(settings.db):
        return (name,)
    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.reading.projects import keys

    try:
        with Jotsam(settings=settings) as jot:
            return keys(jot.database, name, tenant=settings.tenant)
    except InvalidInput:
        raise
    except JotsamError:
        return (name,)
