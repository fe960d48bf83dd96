"""`jotsam forget` and `jotsam db trash`: delete memories, at once or after some days."""

from __future__ import annotations

import os

from jotsam.core.clock import format_time
from jotsam.ingest.files import with_tilde
from jotsam.memory.api.change_log import note_change
from jotsam.memory.api.client import Jotsam
from jotsam.memory.forgetting.forget_records import PLACES
from jotsam.memory.transfer.backup import backups_of
from jotsam.surfaces.cli.options import selection
from jotsam.surfaces.cli.output import echo, hint, plural, print_json, print_table, shorten
from jotsam.surfaces.cli.terminal import text_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.forgetting.forget_records import ForgetPlan, ForgetReceipt, Leftover, PersonPlan
    from jotsam.memory.options import SelectionOptions
    from jotsam.memory.transfer.trash import ForgottenBatch

KEPT_IN_FILE = "bytes may be left in the file, which is in use, large or on a full disk: jotsam db maintain --vacuum"
KEPT_ON_SERVER = "the server keeps the bytes until its next vacuum: see docs/data.md"


def forget(arguments: argparse.Namespace) -> None:
    options = selection(arguments)
    is_filtered = bool(arguments.query) or any(options.values())
    if arguments.person and (is_filtered or arguments.everything):
        arguments.usage_error("--person takes all of a person: give it without ids, filters, --query and --everything")
    is_filtered = is_filtered or bool(arguments.person)
    if arguments.allow_again is not None:
        _allow_again(arguments)
        return
    if arguments.everything == is_filtered:
        arguments.usage_error("give ids, filters or --query, or --person or --everything alone")
    if arguments.trash and (arguments.everything or arguments.never_again):
        arguments.usage_error("--trash cannot be combined with --everything or --never-again")
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.everything:
            _everything(jot, arguments)
            return
        plan = _plan(jot, arguments, options)
        receipt = None
        if arguments.yes:
            receipt = jot.forget(plan, never_again=arguments.never_again, trash=arguments.trash)
            if receipt.memories or receipt.documents:
                note_change(jot, *(("forget to trash", receipt.trash) if receipt.trash else ("forget",)))
    if arguments.json:
        print_json(plan=plan, receipt=receipt)
    elif receipt is None:
        _print_plan(plan)
    else:
        _print_receipt(receipt, arguments)


def _plan(jot: Jotsam, arguments: argparse.Namespace, options: SelectionOptions) -> ForgetPlan:
    if arguments.person:
        return jot.plan_forget(person=arguments.person)
    plan = jot.plan_forget(query=arguments.query, limit=arguments.limit, **options)
    if arguments.source and not (plan.memories or plan.documents):
        # The source of a file is its full path, but people type a relative one.
        options["source"] = with_tilde(os.path.realpath(os.path.expanduser(arguments.source)))
        plan = jot.plan_forget(query=arguments.query, limit=arguments.limit, **options)
    return plan


def _allow_again(arguments: argparse.Namespace) -> None:
    with Jotsam(settings=arguments.settings) as jot:
        allowed = jot.allow_again(text_argument(arguments.allow_again)[0])
    if arguments.json:
        print_json(allowed=allowed)
    else:
        echo("it is accepted again" if allowed else "it was not forgotten for good: nothing was changed")


def _everything(jot: Jotsam, arguments: argparse.Namespace) -> None:
    status = jot.status()
    erased = jot.admin.forget_tenant() if arguments.yes else None
    counts = f"{plural(status.documents, 'document')} and {plural(status.memories, 'memory', 'memories')}"
    if arguments.json:
        print_json(tenant=jot.settings.tenant, documents=status.documents, memories=status.memories, erased=erased)
    elif erased is None:
        echo(f"would forget everything of tenant {jot.settings.tenant}: {counts}")
        hint("nothing was deleted; add --yes to delete it")
    else:
        echo(f"forgot everything of tenant {jot.settings.tenant}: {counts}")
        print_rest(erased, arguments)


def _print_plan(plan: ForgetPlan) -> None:
    if plan.person:
        _print_person(plan.person)
    if not (plan.memories or plan.documents or (plan.person and plan.person.places)):
        echo("nothing matches")
        return
    memories, documents = plural(len(plan.memories), "memory", "memories"), plural(len(plan.documents), "document")
    echo(f"would forget {memories}, and {documents} with {plural(plan.chunks, 'chunk')}")
    parts = (plural(plan.facts, "fact"), plural(plan.links, "link"), plural(plan.jobs, "unfinished job"))
    echo(f"with them {', '.join(parts)}; {plan.characters:,} characters")
    for sample in plan.samples:
        echo(f"  {sample.id[:8]}  {sample.kind:8}  {shorten(sample.text, 70)}")
    if (more := len(plan.memories) + len(plan.documents) - len(plan.samples)) > 0:
        echo(f"  and {more:,} more")
    _print_skipped(plan.skipped)
    hint("nothing was deleted; add --yes to delete it")


def _print_person(person: PersonPlan) -> None:
    echo(f"names: {', '.join(person.names)}")
    for one in person.places:
        echo(f"  {one.number:>7,}  {PLACES.get(one.place, one.place)}")
    for sample in person.only_words:
        echo(f"  only its words match: {sample.id[:8]}  {shorten(sample.text, 60)}")
    for part in person.parts:
        hint(f"{plural(part.texts, 'text has', 'texts have')} only {part.name!r}, and would stay: --person {part.name}")


def _print_left(left: tuple[Leftover, ...]) -> None:
    echo("searched again, by recall, in all texts and in the bytes of a file: 0 left" if not left else "what is left:")
    for one in left:
        echo(f"  {one.number:>7,}  {PLACES.get(one.place, one.place)}: {one.why}")


def _print_receipt(receipt: ForgetReceipt, arguments: argparse.Namespace) -> None:
    if receipt.left is not None:
        _print_left(receipt.left)
    if not (receipt.memories or receipt.documents):
        echo("nothing matches" if not receipt.skipped else "nothing was forgotten")
    else:
        memories, documents = plural(receipt.memories, "memory", "memories"), plural(receipt.documents, "document")
        echo(f"forgot {memories} and {documents}")
        counts = (
            plural(receipt.entities, "entity", "entities"),
            plural(receipt.patterns, "pattern"),
            plural(receipt.jobs, "job"),
            f"{plural(receipt.spooled, 'turn')} in the spool",
        )
        echo(f"with them {', '.join(counts)}")
    if receipt.refused:
        echo(f"  {plural(receipt.refused, 'text or identifier', 'texts and identifiers')} will not be accepted again")
    for id in receipt.revived:
        echo(f"  {id[:8]} is found again, because what superseded it or it was merged into is forgotten")
    _print_skipped(receipt.skipped)
    if receipt.trash:
        days = arguments.settings.trash_days
        kept = f"for {plural(days, 'day')}" if days else "until `jotsam db trash empty`"
        hint(f"the texts are kept in the trash {kept}: `jotsam db trash restore {receipt.trash}` restores them")
    else:
        print_rest(receipt.erased, arguments)


def _print_skipped(skipped: int) -> None:
    if skipped:
        echo(f"  {plural(skipped, 'chunk')} of documents that are being split: wait, and forget them again")


def print_rest(erased: bool, arguments: argparse.Namespace) -> None:
    """Say where deleted texts may still be."""
    if not erased:
        hint(KEPT_ON_SERVER if "://" in arguments.settings.db else KEPT_IN_FILE)
    if backups := backups_of(arguments.settings.db):
        made = plural(len(backups), "backup was", "backups were")
        hint(f"{made} made before and may still have it: {os.path.dirname(backups[0])}")


def trash(arguments: argparse.Namespace) -> None:
    if (arguments.action == "restore") != (arguments.id is not None):
        arguments.usage_error("give an ID with restore, and only then")
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.action == "list":
            _list_trash(jot, arguments)
            return
        if arguments.action == "restore":
            _restore(jot, arguments)
            return
        erased = jot.admin.empty_trash()
    if arguments.json:
        print_json(erased=erased)
    else:
        echo("the trash is empty")
        print_rest(erased, arguments)


def _list_trash(jot: Jotsam, arguments: argparse.Namespace) -> None:
    found = jot.admin.trash()
    if arguments.json:
        print_json(trash=found)
    elif found:
        print_table(("id", "forgotten at", "memories", "documents", "sample"), map(_trash_row, found))
    else:
        echo("the trash is empty")


def _trash_row(one: ForgottenBatch) -> tuple[str, ...]:
    return one.id, format_time(one.forgotten_at), str(one.memories), str(one.documents), one.sample


def _restore(jot: Jotsam, arguments: argparse.Namespace) -> None:
    restored = jot.admin.restore_forgotten(arguments.id)
    note_change(jot, "restore", restored.id)
    if arguments.json:
        print_json(restored=restored)
    else:
        memories = plural(restored.memories, "memory", "memories")
        echo(f"restored {memories} and {plural(restored.documents, 'document')}")
