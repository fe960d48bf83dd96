"""The trash: what was forgotten and can be restored, and until when."""

from __future__ import annotations

from jotsam.surfaces.web.pages.page import Confirm, Page, PageCall, PageRoute, Redirect

DAY_MS = 86_400_000


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


ROUTES = (
    PageRoute(method="GET", path="/ui/trash", handler=trash),
    PageRoute(method="POST", path="/ui/trash/{id}/restore", handler=restore, scope="write"),
    PageRoute(method="GET", path="/ui/trash/empty", handler=ask_empty, scope="write"),
    PageRoute(method="POST", path="/ui/trash/empty", handler=empty, scope="write"),
)
