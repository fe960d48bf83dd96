"""`jotsam allow`: what looks like a secret and is none, each with its reason."""

from __future__ import annotations

import sys

from jotsam.clock import iso
from jotsam.door import Jotsam
from jotsam.surfaces.screen import OK, emit, plural, say, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def command(arguments: argparse.Namespace) -> int:
    if arguments.text is not None and not arguments.reason:
        arguments.usage_error("give --reason: why it is no secret")
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.remove:
            removed = jot.knowledge.forbid(arguments.remove)
            _tell(arguments, f"{plural(removed, 'fingerprint')} taken back", removed=removed)
        elif arguments.text is not None:
            text = sys.stdin.read() if arguments.text == "-" else arguments.text
            mark = jot.knowledge.allow(text, reason=arguments.reason)
            _tell(arguments, f"allowed from now on: {mark}", fingerprint=mark)
        else:
            found = jot.knowledge.allowed()
            rows = [(one.fingerprint[:12], one.reason, iso(one.created_at)) for one in found]
            if arguments.json:
                emit(allowed=found)
            elif rows:
                table(("fingerprint", "reason", "since"), rows)
            else:
                say("nothing is allowed that looks like a secret")
    return OK


def _tell(arguments: argparse.Namespace, words: str, **values: object) -> None:
    if arguments.json:
        emit(**values)
    else:
        say(words)
