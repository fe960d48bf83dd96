"""Changes of one memory: edit, mark as important, supersede, archive, and say that it still holds."""

from __future__ import annotations

from jotsam.core.clock import new_id
from jotsam.core.errors import Conflict, InvalidInput
from jotsam.core.names import TYPES
from jotsam.surfaces.web.pages.memory import IMPORTANT, stored_memory, title_of
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute, Redirect, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.core.records import StoredMemory


def ask_edit(call: PageCall) -> Page:
    """The form with the fields of a memory."""
    return _form(stored_memory(call), {})


def edit(call: PageCall) -> Page | Redirect:
    """Change what is different. Of two forms that were opened before, the second gets both texts."""
    memory, form = stored_memory(call), call.form
    read = form.get("version", "")
    if read != str(memory.version) or not read.isdecimal():
        return _form(memory, form, conflict=True)
    try:
        options = _changes(memory, form)
        if not options:
            return Redirect(to=_address(memory), said="Nothing was different.")
        call.jot.update(memory.id, version=int(read), **options)
    except Conflict:
        return _form(stored_memory(call), form, conflict=True)
    except InvalidInput as error:
        return _form(memory, form, error=str(error))
    again = " It is enriched again." if "text" in options else ""
    return Redirect(to=_address(memory), said=f"Changed: {', '.join(_names(options))}.{again}")


def _changes(memory: StoredMemory, form: Mapping[str, str]) -> dict[str, Any]:
    """The fields of the form that differ, as options of `update`."""
    options: dict[str, Any] = {}
    if memory.document is None and "text" in form and form["text"] != _lines(memory.text):
        options["text"] = form["text"]
    if "type" in form and (form["type"].strip() or None) != memory.type:
        options["type"] = form["type"].strip() or None
    if "importance" in form and (importance := _share(form["importance"])) != memory.importance:
        options["importance"] = importance
    if "tags" in form:
        tags = [tag.strip() for tag in form["tags"].split("\n") if tag.strip()]
        if added := [tag for tag in tags if tag not in memory.tags]:
            options["add_tags"] = added
        if removed := [tag for tag in memory.tags if tag not in tags]:
            options["remove_tags"] = removed
    return options


def _share(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise InvalidInput(f"invalid importance {text[:40]!r}: must be a number from 0 to 1, or empty") from None


def _names(options: Mapping[str, object]) -> list[str]:
    return list(dict.fromkeys(name.rpartition("_")[2] for name in options))


def _lines(text: str) -> str:
    """The text as a browser sends it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _form(memory: StoredMemory, form: Mapping[str, str], *, conflict: bool = False, error: str = "") -> Page:
    stored = {
        "text": memory.text,
        "type": memory.type or "",
        "importance": "" if memory.importance is None else str(memory.importance),
        "tags": "\n".join(memory.tags),
    }
    values = {
        "memory": memory,
        "title": title_of(memory),
        "fields": {**stored, **{name: form[name] for name in stored if name in form}},
        "stored": stored,
        "types": TYPES,
        "conflict": conflict,
        "error": error,
    }
    return Page(template="memory_edit.html", values=values, status=409 if conflict else 400 if error else 200)


def set_importance(call: PageCall) -> Redirect:
    """Mark a memory as important, or remove the mark: recall and briefs rank by importance."""
    memory, value = stored_memory(call), _share(call.form.get("importance", ""))
    call.jot.update(memory.id, importance=value)
    before = "" if memory.importance is None else str(memory.importance)
    undo = Undo(action=f"{_address(memory)}/importance", fields={"importance": before})
    if value is not None and value >= IMPORTANT:
        said = "Marked as important: its importance is 1."
    else:
        said = "It has no importance now." if value is None else f"Its importance is {value:g} now."
    return Redirect(to=_address(memory), said=said, undo=undo)


def ask_supersede(call: PageCall) -> Page:
    """By what it is superseded: a new text, or another memory."""
    return _superseding(stored_memory(call), {})


def supersede(call: PageCall) -> Page | Redirect:
    """Supersede a memory by a new text or by another memory."""
    memory, form = stored_memory(call), call.form
    text, other = form.get("text", "").strip(), form.get("new", "").strip()
    if bool(text) == bool(other):
        return _superseding(memory, form, error="give a new text, or the id of another memory: one of them")
    try:
        if text:
            options: dict[str, Any] = {"project": memory.project, "type": memory.type, "session": memory.session}
            key = f"dashboard {form.get('key', '')[:100] or new_id()}"
            receipt = call.jot.remember(text, key=key, **options)
            if receipt.forgotten:
                raise InvalidInput("this text was forgotten for good: it is not accepted again")
            other = receipt.id
        done = call.jot.supersede(memory.id, other)
    except InvalidInput as error:
        return _superseding(memory, form, error=str(error))
    undo = Undo(action=f"{_address(memory)}/restore", fields={"new": done.new or ""})
    return Redirect(to=_address(memory), said="Superseded. It is hidden from recall, and kept.", undo=undo)


def _superseding(memory: StoredMemory, form: Mapping[str, str], *, error: str = "") -> Page:
    values = {
        "memory": memory,
        "title": title_of(memory),
        "key": form.get("key") or new_id(),
        "fields": {"text": form.get("text", ""), "new": form.get("new", "")},
        "error": error,
    }
    return Page(template="memory_supersede.html", values=values, status=400 if error else 200)


def restore(call: PageCall) -> Redirect:
    """Undo that it was superseded, or say that it holds although another memory casts doubt on it."""
    memory = stored_memory(call)
    done = call.jot.undo_supersede(memory.id, call.form.get("new", ""))
    undo = Undo(action=f"{_address(memory)}/supersede", fields={"new": done.new or ""})
    return Redirect(to=_address(memory), said="It holds again.", undo=undo)


def archive(call: PageCall) -> Redirect:
    """Hide a memory from recall."""
    memory = call.jot.archive(stored_memory(call).id)
    undo = Undo(action=f"{_address(memory)}/unarchive", fields={})
    return Redirect(to=_address(memory), said="Archived. It is hidden from recall, and kept.", undo=undo)


def unarchive(call: PageCall) -> Redirect:
    """Show an archived memory again."""
    memory = call.jot.unarchive(stored_memory(call).id)
    undo = Undo(action=f"{_address(memory)}/archive", fields={})
    return Redirect(to=_address(memory), said="It is found again.", undo=undo)


def _address(memory: StoredMemory) -> str:
    return f"/ui/memories/{memory.id}"


ROUTES = (
    PageRoute(method="GET", path="/ui/memories/{id}/edit", handler=ask_edit, scope="write"),
    PageRoute(method="POST", path="/ui/memories/{id}/edit", handler=edit, scope="write"),
    PageRoute(method="POST", path="/ui/memories/{id}/importance", handler=set_importance, scope="write"),
    PageRoute(method="GET", path="/ui/memories/{id}/supersede", handler=ask_supersede, scope="write"),
    PageRoute(method="POST", path="/ui/memories/{id}/supersede", handler=supersede, scope="write"),
    PageRoute(method="POST", path="/ui/memories/{id}/restore", handler=restore, scope="write"),
    PageRoute(method="POST", path="/ui/memories/{id}/archive", handler=archive, scope="write"),
    PageRoute(method="POST", path="/ui/memories/{id}/unarchive", handler=unarchive, scope="write"),
)
