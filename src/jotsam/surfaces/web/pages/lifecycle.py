"""The lifecycle: when each step runs, what it would change, what its runs changed and why, and their undo."""

from __future__ import annotations

from jotsam.core.names import CLUSTER, CREATIVE, CRYSTALS, DECAY, ENTITY, FORGET, IDENTITY
from jotsam.memory.lifecycle import lifecycle
from jotsam.surfaces.web.pages.page import Confirm, Page, PageCall, PageRoute, Redirect, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.lifecycle_records import LifecycleChange, LifecycleRun

    Shown = tuple[LifecycleChange, Sequence[tuple[str, str]], int]

PATH = "/ui/lifecycle"
RUNS, THEMES, CHANGES, NAMED = 20, 50, 50, 3  # of a page; memories that a change names
MAX_AFTER = 10**9
UUID = 36  # characters
SHORT_ID = 8

ABOUT = {
    DECAY: "Computes how relevant each memory still is, from its age, use, links, importance and confidence.",
    CREATIVE: "Links pairs of a random sample of memories that have no link yet.",
    CLUSTER: "Merges memories that say the same, groups similar ones into themes, and summarises large themes.",
    CRYSTALS: "Promotes what several sessions agree on to lasting knowledge.",
    IDENTITY: "Writes a short text about each entity from its facts.",
    FORGET: "Archives, and then removes, what is no longer relevant and not protected.",
}
LOOKS = {"failed": "error", "undoing": "running", "undone": "discarded"}  # of states that jobs do not have


def overview(call: PageCall) -> Page:
    """The steps and the latest runs."""
    runs = call.jot.lifecycle.runs(limit=RUNS)
    return Page(
        template="lifecycle.html",
        values={
            "steps": [(one, ABOUT[one.step]) for one in call.jot.lifecycle.steps()],
            "runs": runs,
            "looks": LOOKS,
            "themes": call.jot.lifecycle.themes(limit=THEMES),
            "is_off": call.jot.settings.lifecycle != "on",
        },
    )


def dry_run(call: PageCall) -> Page:
    """What a step would change now."""
    plan = call.jot.lifecycle.plan(call.path["step"], limit=CHANGES)
    return Page(
        template="lifecycle_plan.html",
        values={"plan": plan, "about": ABOUT[plan.step], "changes": _shown(plan.changes), "most": CHANGES},
    )


def show_run(call: PageCall) -> Page:
    """A run with a page of what it changed."""
    after = whole_number(call.query.get("after", "0"), name="after", least=0, most=MAX_AFTER)
    found = call.jot.lifecycle.show(call.path["id"], after=after, limit=CHANGES + 1)
    address = f"{PATH}/runs/{found.run.id}"
    return Page(
        template="lifecycle_run.html",
        values={
            "run": found.run,
            "counts": found.counts,
            "changes": _shown(found.changes[:CHANGES]),
            "look": LOOKS.get(found.run.state, found.run.state),
            "can_undo": _can_undo(found.run),
            "first": address if after else None,
            "next": f"{address}?after={after + CHANGES}" if len(found.changes) > CHANGES else None,
        },
    )


def ask_run(call: PageCall) -> Confirm:
    """Ask before a step runs."""
    step = lifecycle.check_step(call.path["step"])
    lines = [ABOUT[step], "A worker does it in the background. Its page lists what it changed, and takes it back."]
    return Confirm(title=f"Run {step} now?", lines=lines, button=f"Run {step}", back=PATH)


def start(call: PageCall) -> Redirect:
    """Have a worker run a step."""
    added = call.jot.lifecycle.run(call.path["step"])
    return Redirect(to=f"{PATH}/runs/{added.id}", said=f"A worker runs {added.step}.")


def ask_undo(call: PageCall) -> Confirm:
    """Ask before a run is taken back."""
    found = call.jot.lifecycle.show(call.path["id"], limit=0).run
    lines = [
        "What something else has changed since stays as it is.",
        "Later runs do not make these changes again, unless they are allowed to: `jotsam db lifecycle allow-again`.",
    ]
    changes = "1 change" if found.changed == 1 else f"{found.changed:,} changes"
    title = f"Take back {changes} of {found.step}?"
    return Confirm(title=title, lines=lines, button="Take back", back=f"{PATH}/runs/{found.id}", danger=True)


def undo(call: PageCall) -> Redirect:
    """Take back what a run changed."""
    done = call.jot.lifecycle.undo(call.path["id"])
    kept = f" {done.kept:,} stayed: something else has changed them since." if done.kept else ""
    said = f"Took back {done.reverted:,} of {done.changed:,} changes of {done.step}.{kept}"
    return Redirect(to=f"{PATH}/runs/{done.id}", said=said)


def _can_undo(run: LifecycleRun) -> bool:
    return run.state in ("failed", "undoing") or (run.state == "done" and run.changed > 0)


def _shown(changes: Iterable[LifecycleChange]) -> list[Shown]:
    """Each change with what it is about, as short names and addresses, and how many more that is."""
    found: list[Shown] = []
    for one in changes:
        about = [named for id in one.ids if (named := _named(id))]
        number = max(len(about), one.number)  # A change of many memories names the first of them.
        found.append((one, about[:NAMED], max(0, number - NAMED) if about else 0))
    return found


def _named(id: str) -> tuple[str, str] | None:
    """A memory or an entity; None for anything else."""
    if len(id) == UUID:
        return id[:SHORT_ID], f"/ui/memories/{id}"
    if id.startswith(ENTITY):
        return id.removeprefix(ENTITY), f"/ui/entities/{id.removeprefix(ENTITY)}"
    return None


ROUTES = (
    PageRoute(method="GET", path=PATH, handler=overview),
    PageRoute(method="GET", path=f"{PATH}/plan/{{step}}", handler=dry_run),
    PageRoute(method="GET", path=f"{PATH}/run/{{step}}", handler=ask_run, scope="write"),
    PageRoute(method="POST", path=f"{PATH}/run/{{step}}", handler=start, scope="write"),
    PageRoute(method="GET", path=f"{PATH}/runs/{{id}}", handler=show_run),
    PageRoute(method="GET", path=f"{PATH}/runs/{{id}}/undo", handler=ask_undo, scope="write"),
    PageRoute(method="POST", path=f"{PATH}/runs/{{id}}/undo", handler=undo, scope="write"),
)
