"""`jotsam retention`: show for how long things are kept, and what a worker would remove now."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, echo, plural, print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    settings = arguments.settings
    with Jotsam(settings=settings) as jot:
        found = jot.admin.expired()
    if arguments.json:
        print_json(expired=found)
        return OK
    for name, number, one, many in (
        ("keep_documents_days", found.texts, "text of a document", "texts of documents"),
        ("keep_history_days", found.versions, "earlier version", "earlier versions"),
        ("keep_superseded_days", found.superseded, "superseded memory", "superseded memories"),
        ("trash_days", found.trash, "part of the trash", "parts of the trash"),
        ("keep_audit_days", found.audit, "entry of the audit", "entries of the audit"),
    ):
        days = getattr(settings, name)
        past = f"{plural(days, 'day')}; {plural(number, one, many)} to remove" if days else "for ever"
        echo(f"{name.ljust(20)} {past}")
    return OK
