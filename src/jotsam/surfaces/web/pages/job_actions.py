"""Actions on jobs and queues: retry, discard, queue again what was discarded, pause and resume.

Each asks with the number and a sample, acts on what matches then, and says what it did.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import EVERY_QUEUE
from jotsam.core.names import QUEUES as UNDOABLE
from jotsam.core.records import Record
from jotsam.core.validate import job_id_of
from jotsam.memory.jobs import job_pages
from jotsam.surfaces.web.pages.jobs import PATH, address, fields_of, selection
from jotsam.surfaces.web.pages.page import Confirm, PageCall, PageRoute, Redirect, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jotsam.core.token_records import Scope
    from jotsam.memory.jobs.job_pages import ListedJob
    from jotsam.memory.jobs.jobs import JobChange

SAMPLE = 10  # jobs that a question shows
UNDONE = 40  # jobs whose discarding can be undone at once: their ids are kept in a cookie

RETRIED = ("dead", "waiting")
DISCARDED = ("ready", "waiting", "dead", "blocked")


class Target(Record):
    """What an action is about: ticked jobs, or all that match a filter."""

    jobs: Sequence[ListedJob]  # that can be changed
    left_out: int  # ticked jobs that cannot
    is_cut: bool  # more match than one action changes
    fields: Mapping[str, str | Sequence[str]]
    back: str


def ask_retry(call: PageCall) -> Confirm:
    """Ask before retrying."""
    found = _target(call, call.query, call.many("id"), RETRIED)
    lines = ["Dead jobs start again with all their attempts, and waiting ones run now."]
    return _question("Retry", found, lines, danger=False)


def retry(call: PageCall) -> Redirect:
    """Retry, and say how many."""
    found = _target(call, call.form, call.form_many("id"), RETRIED)
    changes = call.jot.admin.retry_many([job.id for job in found.jobs])
    return Redirect(to=found.back, said=_said("Retried", changes))


def ask_discard(call: PageCall) -> Confirm:
    """Ask before discarding."""
    found = _target(call, call.query, call.many("id"), DISCARDED)
    kept = sum(_is_undoable(job) for job in found.jobs)
    lines = ["What the jobs are about stays stored, and recall finds it by its words. It is not processed further."]
    if 0 < kept <= UNDONE:
        lines.append(f"Undo sends a new job for the document or memory: for {kept:,} of {len(found.jobs):,} jobs.")
    elif kept:
        lines.append("There is no undo for so many; `jotsam models reprocess` queues the documents and memories again.")
    if kept < len(found.jobs):
        lines.append(f"It cannot be taken back for {_plural(len(found.jobs) - kept)} without a document or memory.")
    return _question("Discard", found, lines, danger=True)


def discard(call: PageCall) -> Redirect:
    """Discard, and say how many."""
    found = _target(call, call.form, call.form_many("id"), DISCARDED)
    changes = call.jot.admin.discard_many([job.id for job in found.jobs])
    gone = {one.id for one in changes if one.error is None}
    items = [job.subject.id for job in found.jobs if job.id in gone and _is_undoable(job) and job.subject]
    undo = Undo(action=f"{PATH}/queue-again", fields={"item": items}) if 0 < len(items) <= UNDONE else None
    # The page of a job that was never delivered is gone with it.
    return Redirect(
        to=PATH if found.back.startswith(f"{PATH}/") else found.back, said=_said("Discarded", changes), undo=undo
    )


def queue_again(call: PageCall) -> Redirect:
    """Send new jobs for documents and memories whose jobs were discarded."""
    items = call.form_many("item")[:UNDONE]
    if not items:
        raise InvalidInput("nothing to queue again: give the id of a document or memory as `item`")
    number = call.jot.reprocess(call.jot.plan_reprocess(items, force=True))
    return Redirect(to=PATH, said=f"Queued {_plural(number)} again.")


def ask_pause(call: PageCall) -> Confirm:
    """Ask before pausing a queue."""
    name = _queue(call)
    lines = [
        "No job of this queue is delivered, for any tenant, until it is resumed. Running jobs finish.",
        "Jobs are still accepted, and what is stored is found by its words.",
    ]
    return Confirm(title=f"Pause the queue {name}?", lines=lines, button="Pause", back=PATH)


def pause(call: PageCall) -> Redirect:
    """Pause a queue."""
    name = _queue(call)
    call.jot.admin.pause(name, reason="paused in the dashboard")
    undo = Undo(action=f"/ui/queues/{name}/resume", label="Resume")
    return Redirect(to=PATH, said=f"Paused the queue {name}.", undo=undo)


def ask_resume(call: PageCall) -> Confirm:
    """Ask before resuming a queue."""
    name = _queue(call)
    return Confirm(
        title=f"Resume the queue {name}?", lines=["Workers receive its jobs again."], button="Resume", back=PATH
    )


def resume(call: PageCall) -> Redirect:
    """Resume a queue."""
    name = _queue(call)
    was_paused = call.jot.admin.resume(name)
    if not was_paused:
        return Redirect(to=PATH, said=f"The queue {name} was not paused.")
    return Redirect(to=PATH, said=f"Resumed the queue {name}.", undo=Undo(action=f"/ui/queues/{name}/pause"))


def _target(call: PageCall, fields: Mapping[str, str], ids: Sequence[str], states: Sequence[str]) -> Target:
    back = fields.get("back", "")
    if ids:
        numbers = [job_id_of(id) for id in dict.fromkeys(ids)]
        with call.jot.database.snapshot(tenant=call.jot.settings.tenant) as tx:
            every = job_pages.by_id(tx, numbers)
        found = [job for job in every if job.state in states]
        sent = {"id": [str(number) for number in numbers], "back": back}
        return Target(jobs=found, left_out=len(numbers) - len(found), is_cut=False, fields=sent, back=_own(back))
    if not fields.get("all"):
        raise InvalidInput("no job is ticked: go back and tick some")
    wanted = selection(fields)
    chosen = job_pages.chosen(call.jot.database, wanted, tenant=call.jot.settings.tenant, states=states)
    whole = {**fields_of(wanted), "all": "1", "back": back}
    to = _own(back) if back else address(wanted)
    return Target(jobs=chosen.jobs, left_out=0, is_cut=chosen.is_cut, fields=whole, back=to)


def _question(verb: str, found: Target, lines: Sequence[str], *, danger: bool) -> Confirm:
    states = RETRIED if verb == "Retry" else DISCARDED
    if not found.jobs:
        raise InvalidInput(f"there is nothing to {verb.lower()}: no such job is {', '.join(states)}")
    more = []
    if found.is_cut:
        more.append(f"More jobs may match: these are the newest {len(found.jobs):,}. Do it again for the rest.")
    if found.left_out:
        more.append(f"{_plural(found.left_out)} of those ticked cannot be changed: running, or done by now.")
    if len(found.jobs) > SAMPLE:
        more.append(f"The newest {SAMPLE} of {len(found.jobs):,}:")
    return Confirm(
        title=f"{verb} {_plural(len(found.jobs))}?",
        lines=[*lines, *more],
        button=f"{verb} {_plural(len(found.jobs))}",
        back=found.back,
        fields=found.fields,
        heads=("Job", "Queue", "State", "About", "Last error"),
        rows=[_row(job) for job in found.jobs[:SAMPLE]],
        danger=danger,
    )


def _row(job: ListedJob) -> tuple[object, ...]:
    title = job.subject.title[:80] if job.subject else ""
    return job.id, job.queue, job.state, title, (job.error or "")[:120]


def _said(done: str, changes: Sequence[JobChange]) -> str:
    changed = sum(one.error is None for one in changes)
    refused = [str(one.error) for one in changes if one.error is not None]
    left = f" Left out {_plural(len(refused))}: {refused[0][:200]}." if refused else ""
    return f"{done} {_plural(changed)}.{left}"


def _is_undoable(job: ListedJob) -> bool:
    return job.queue in UNDOABLE and job.subject is not None


def _plural(number: int) -> str:
    return f"{number:,} job{'' if number == 1 else 's'}"


def _own(back: str) -> str:
    """Where to go afterwards, only within these pages."""
    return back if back.partition("?")[0] == PATH or back.startswith((f"{PATH}/", f"{PATH}?")) else PATH


def _queue(call: PageCall) -> str:
    name = call.path["name"]
    if name not in EVERY_QUEUE:
        raise NotFound(f"there is no queue {name[:80]!r}; there are {', '.join(EVERY_QUEUE)}")
    return name


def _both(
    path: str, ask: Callable[[PageCall], Confirm], act: Callable[[PageCall], Redirect], *, is_shared: bool = False
) -> tuple[PageRoute, PageRoute]:
    """The routes of an action. What changes a queue for all tenants needs an operator."""
    scope: Scope = "operator" if is_shared else "write"
    return (
        PageRoute(method="GET", path=path, handler=ask, scope=scope),
        PageRoute(method="POST", path=path, handler=act, scope=scope),
    )


ROUTES = (
    *_both(f"{PATH}/retry", ask_retry, retry),
    *_both(f"{PATH}/discard", ask_discard, discard),
    PageRoute(method="POST", path=f"{PATH}/queue-again", handler=queue_again, scope="write"),
    *_both("/ui/queues/{name}/pause", ask_pause, pause, is_shared=True),
    *_both("/ui/queues/{name}/resume", ask_resume, resume, is_shared=True),
)
