"""`jotsam allow` and `jotsam redacted`: what looks like a secret and is none, and what was taken out as one."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.errors import NotFound
from jotsam.ingest.files import decode
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, emit, given, plural, say, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.records import Redaction


def command(arguments: argparse.Namespace) -> int:
    asked = [name for name in ("text", "fingerprint", "remove") if getattr(arguments, name) is not None]
    if len(asked) > 1:
        arguments.usage_error("give TEXT, --fingerprint or --remove, and not two of them")
    if asked not in ([], ["remove"]) and not arguments.reason:
        arguments.usage_error("give --reason: why it is no secret")
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.remove is not None:
            removed = jot.knowledge.forbid(arguments.remove)
            if not removed:
                raise NotFound(f"nothing is allowed with the fingerprint {arguments.remove!r}: `jotsam allow` lists it")
            _tell(arguments, f"{plural(removed, 'fingerprint')} taken back", removed=removed)
        elif arguments.text is not None:
            is_piped = arguments.text == "-"
            text = decode(given().read(), name="standard input")[0] if is_piped else arguments.text
            mark = jot.knowledge.allow(text, reason=arguments.reason)
            _tell(arguments, f"allowed from now on: {mark}", fingerprint=mark)
        elif arguments.fingerprint is not None:
            mark = jot.knowledge.allow_redacted(arguments.fingerprint, reason=arguments.reason)
            _tell(arguments, f"allowed from now on: {mark}", fingerprint=mark)
        else:
            found = jot.knowledge.allowed()
            rows = [(one.fingerprint[:12], one.reason, format_time(one.created_at)) for one in found]
            if arguments.json:
                emit(allowed=found)
            elif rows:
                table(("fingerprint", "reason", "since"), rows)
            else:
                say("nothing is allowed that looks like a secret")
    return OK


def redacted(arguments: argparse.Namespace) -> int:
    """List what was taken out, the latest first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.redactions(limit=arguments.limit)
    if arguments.json:
        emit(redacted=found)
    elif found:
        rows = [
            (format_time(one.created_at), one.kind, one.place, one.id[:8], _short(one), one.source) for one in found
        ]
        table(("taken out", "kind", "place", "of", "fingerprint", "source"), rows)
    else:
        say("nothing was taken out")
    return OK


def _short(one: Redaction) -> str:
    return one.fingerprint[:12] if one.fingerprint else "none"


def _tell(arguments: argparse.Namespace, words: str, **values: object) -> None:
    if arguments.json:
        emit(**values)
    else:
        say(words)
