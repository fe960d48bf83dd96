"""Forgetting: one memory or document, or all that a selection matches, and the trash.

Each shows what goes before anything goes. What is in the trash can be restored, and says until when.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.memory.forgetting.forget_records import CHUNKS, PLACES
from jotsam.surfaces.web.pages.memory import title_of
from jotsam.surfaces.web.pages.page import Confirm, Page, PageCall, PageRoute, Redirect, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.memory.forgetting.forget_records import ForgetPlan, ForgetReceipt
    from jotsam.memory.options import SelectionOptions


TRASH, NOW, NEVER = "trash", "now", "never"
FILTERS = ("person", "entity", "actor", "project", "session", "source", "tag", "type", "since", "until", "query")
MOST_HITS = 50  # of the words of a selection
DAY_MS = 86_400_000


def ask_memory(call: PageCall) -> Page:
    """What goes with one memory."""
    memory = call.jot.get(call.path["id"])
    values = {"subject": f"Forget “{title_of(memory)}”?", "back": f"/ui/memories/{memory.id}"}
    plan = call.jot.plan_forget(ids=[memory.id])
    return _asking(call, plan, {**values, "document": memory.document if plan.memories else None})


def ask_document(call: PageCall) -> Page:
    """What goes with one document."""
    document = call.jot.show(call.path["id"])
    name = document.document.source if document.document and document.document.source else document.id[:8]
    values = {"subject": f"Forget the document {name}?", "back": f"/ui/documents/{document.id}", "document": None}
    return _asking(call, call.jot.plan_forget(ids=[document.id]), values)


def _asking(call: PageCall, plan: ForgetPlan, values: dict[str, Any], *, changed: bool = False) -> Page:
    places = {one.place: one.number for one in plan.person.places} if plan.person else {}
    keeps_document = values.get("document") is not None or CHUNKS in places
    common = {
        "plan": plan,
        "is_anything": bool(plan.memories or plan.documents or plan.blocks or places),
        "places": {PLACES.get(name, name): number for name, number in places.items()},
        "seen": _seen(plan),
        "days": call.jot.settings.trash_days,
        "can_trash": not keeps_document,
        "changed": changed,
        "fields": {},
        "action": "",
    }
    return Page(template="forget_ask.html", values={**common, "action": call.url.partition("?")[0], **values})


def _seen(plan: ForgetPlan) -> str:
    """What a preview showed, to notice that it is more by now."""
    places = [one.number for one in plan.person.places] if plan.person else []
    return f"{len(plan.memories)}/{len(plan.documents)}/{plan.chunks}/{len(plan.blocks)}/{sum(places)}"


def forget_one(call: PageCall) -> Redirect:
    """Forget one memory or document."""
    return _done(call, call.jot.plan_forget(ids=[call.path["id"]]), to=f"/ui/{call.url.split('/')[2]}")


def _done(call: PageCall, plan: ForgetPlan, *, to: str) -> Redirect:
    how = call.form.get("how", "")
    if how not in (TRASH, NOW, NEVER):
        raise InvalidInput(f"invalid how {how[:40]!r}: must be {TRASH}, {NOW} or {NEVER}")
    receipt = call.jot.forget(plan, trash=how == TRASH, never_again=how == NEVER)
    undo = Undo(action=f"/ui/trash/{receipt.trash}/restore") if receipt.trash else None
    return Redirect(to=to, said=_said(receipt), undo=undo)


def _said(receipt: ForgetReceipt) -> str:
    parts = [
        _count(receipt.memories, "memory", "memories"),
        _count(receipt.documents, "document", "documents"),
        _count(receipt.entities, "entity", "entities") if receipt.entities else "",
        _count(receipt.jobs, "job", "jobs") if receipt.jobs else "",
        _count(receipt.blocks, "memory block", "memory blocks") if receipt.blocks else "",
    ]
    said = f"Forgot {', '.join(part for part in parts if part)}."
    if receipt.left is not None:
        left = "; ".join(f"{one.number:,} in {one.place}: {one.why}" for one in receipt.left)
        said += f" Searched again, {f'this is left: {left}.' if left else 'nothing is left.'}"
    if receipt.trash:
        return f"{said} They are in the trash."
    if receipt.skipped:
        said += f" {_count(receipt.skipped, 'chunk', 'chunks')} of a document that is being split: forget again."
    if receipt.refused:
        said += " The same text is not accepted again."
    return said if receipt.erased else f"{said} The bytes leave the database's files at its next clean-up."


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def select(call: PageCall) -> Page:
    """The form of a selection and, when something is selected, what would go."""
    filters = {name: value for name in FILTERS if (value := call.query.get(name, "").strip())}
    values: dict[str, Any] = {"filters": {**dict.fromkeys(FILTERS, ""), **filters}, "plan": None, "error": ""}
    if not filters:
        return Page(template="forget.html", values=values)
    try:
        return _preview(call, filters)
    except InvalidInput as error:
        return Page(template="forget.html", values={**values, "error": str(error)}, status=400)


def _preview(call: PageCall, filters: dict[str, str], *, changed: bool = False) -> Page:
    plan = _plan(call, filters)
    words = ", ".join(f"{name} {value}" for name, value in filters.items())
    values = {
        "subject": f"Forget everything with {words}?",
        "back": "/ui/forget",
        "document": None,
        "fields": filters,
        "action": "/ui/forget",
    }
    return _asking(call, plan, values, changed=changed)


def _plan(call: PageCall, filters: dict[str, str]) -> ForgetPlan:
    """What a selection matches. An entity is selected by its tag, which every memory that mentions it has."""
    if "person" in filters:
        others = [name for name in filters if name != "person"]
        if others:
            raise InvalidInput(f"person and {others[0]} are given: a person is selected alone")
        return call.jot.plan_forget(person=[name.strip() for name in filters["person"].split(",") if name.strip()])
    names = ("actor", "project", "session", "source", "since", "until")
    options: SelectionOptions = {name: filters[name] for name in names if name in filters}  # type: ignore[assignment]
    tags = [filters["tag"]] if "tag" in filters else []
    if "entity" in filters:
        entity = call.jot.knowledge.entity(filters["entity"])
        tags.append(f"entity:{entity.category}:{entity.slug}")
    if tags:
        options["tags"] = tags
        options["every_tag"] = True
    if "type" in filters:
        options["types"] = [filters["type"]]
    return call.jot.plan_forget(query=filters.get("query"), limit=MOST_HITS, **options)


def forget_selected(call: PageCall) -> Page | Redirect:
    """Forget what a selection matches, unless it is something else by now than what was shown."""
    filters = {name: value for name in FILTERS if (value := call.form.get(name, "").strip())}
    if not filters:
        raise InvalidInput("nothing is selected: give an entity, an actor or another filter")
    plan = _plan(call, filters)
    if _seen(plan) != call.form.get("seen"):
        return _preview(call, filters, changed=True)
    return _done(call, plan, to="/ui/forget")


ROUTES = (
    PageRoute(method="GET", path="/ui/memories/{id}/forget", handler=ask_memory, scope="write"),
    PageRoute(method="POST", path="/ui/memories/{id}/forget", handler=forget_one, scope="write"),
    PageRoute(method="GET", path="/ui/documents/{id}/forget", handler=ask_document, scope="write"),
    PageRoute(method="POST", path="/ui/documents/{id}/forget", handler=forget_one, scope="write"),
    PageRoute(method="GET", path="/ui/forget", handler=select, scope="write"),
    PageRoute(method="POST", path="/ui/forget", handler=forget_selected, scope="write"),
)


def trash(call: PageCall) -> Page:
    """What is in the trash, the latest first."""
    days = call.jot.settings.trash_days
    batches = call.jot.admin.trash()
    listed = [(batch, batch.forgotten_at + days * DAY_MS if days else None) for batch in batches]
    return Page(template="trash.html", values={"batches": listed, "days": days})


def restore(call: PageCall) -> Redirect:
    """Store a batch again."""
    done = call.jot.admin.restore_forgotten(call.path["id"])
    memories = "1 memory" if done.memories == 1 else f"{done.memories:,} memories"
    documents = "1 document" if done.documents == 1 else f"{done.documents:,} documents"
    return Redirect(to="/ui/memories", said=f"Restored {memories} and {documents}.")


def ask_empty(call: PageCall) -> Confirm:
    """Ask before the trash is emptied."""
    batches = call.jot.admin.trash()
    count = sum(batch.memories + batch.documents for batch in batches)
    return Confirm(
        title="Empty the trash?",
        lines=(f"It has {count:,} memories and documents, chunks included. They cannot be restored afterwards.",),
        button="Empty the trash",
        back="/ui/trash",
        danger=True,
    )


def empty(call: PageCall) -> Redirect:
    """Delete what is in the trash."""
    call.jot.admin.empty_trash()
    return Redirect(to="/ui/trash", said="The trash is empty.")


TRASH_ROUTES = (
    PageRoute(method="GET", path="/ui/trash", handler=trash),
    PageRoute(method="POST", path="/ui/trash/{id}/restore", handler=restore, scope="write"),
    PageRoute(method="GET", path="/ui/trash/empty", handler=ask_empty, scope="write"),
    PageRoute(method="POST", path="/ui/trash/empty", handler=empty, scope="write"),
)
