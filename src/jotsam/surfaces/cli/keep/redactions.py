"""`jotsam db secrets`: list what was redacted, and allow text that looks like a secret."""

from __future__ import annotations

import argparse

from jotsam.core.clock import format_time
from jotsam.core.errors import NotFound
from jotsam.core.records import Redaction
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import echo, plural, print_json, print_table
from jotsam.surfaces.cli.terminal import text_argument


def allow(arguments: argparse.Namespace) -> None:
    """Allow a text, remove such an entry, or list the entries."""
    given = [name for name in ("text", "fingerprint", "remove") if getattr(arguments, name) is not None]
    if len(given) > 1:
        arguments.usage_error("give only one of TEXT, --fingerprint and --remove")
    if given not in ([], ["remove"]) and not arguments.reason:
        arguments.usage_error("--reason is missing: state why the text is not a secret")
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.remove is not None:
            _remove(arguments, jot)
        elif arguments.text is not None:
            fingerprint = jot.knowledge.allow(text_argument(arguments.text)[0], reason=arguments.reason)
            _print(arguments, f"allowed: {fingerprint}", fingerprint=fingerprint)
        elif arguments.fingerprint is not None:
            fingerprint = jot.knowledge.allow_redacted(arguments.fingerprint, reason=arguments.reason)
            _print(arguments, f"allowed: {fingerprint}", fingerprint=fingerprint)
        else:
            _list_allowed(arguments, jot)


def redacted(arguments: argparse.Namespace) -> None:
    """List redactions, latest first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.redactions(limit=arguments.limit)
    if arguments.json:
        print_json(redacted=found)
    elif found:
        rows = map(_redaction_row, found)
        print_table(("redacted at", "kind", "place", "in", "fingerprint", "source"), rows)
    else:
        echo("nothing was redacted")


def _remove(arguments: argparse.Namespace, jot: Jotsam) -> None:
    removed = jot.knowledge.forbid(arguments.remove)
    if not removed:
        raise NotFound(
            f"no allowed text has the fingerprint {arguments.remove!r}: `jotsam db secrets allow` lists them"
        )
    _print(arguments, f"removed {plural(removed, 'allowed text')}", removed=removed)


def _list_allowed(arguments: argparse.Namespace, jot: Jotsam) -> None:
    found = jot.knowledge.allowed()
    if arguments.json:
        print_json(allowed=found)
    elif found:
        rows = [(one.fingerprint[:12], one.reason, format_time(one.created_at)) for one in found]
        print_table(("fingerprint", "reason", "since"), rows)
    else:
        echo("no text that looks like a secret is allowed")


def _redaction_row(one: Redaction) -> tuple[object, ...]:
    fingerprint = one.fingerprint[:12] if one.fingerprint else "none"
    return format_time(one.created_at), one.kind, one.place, one.id[:8], fingerprint, one.source


def _print(arguments: argparse.Namespace, text: str, **values: object) -> None:
    if arguments.json:
        print_json(**values)
    else:
        echo(text)
