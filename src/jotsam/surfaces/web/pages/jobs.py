"""Lists of jobs: those that match a filter, failures by error, and the queues."""

from __future__ import annotations

from urllib.parse import urlencode

from jotsam.core.errors import InvalidInput
from jotsam.core.names import EVERY_QUEUE
from jotsam.memory.jobs import job_pages
from jotsam.memory.jobs.job_pages import JobSelection
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATH = "/ui/jobs"
ON_A_PAGE = 50
FILTERS = tuple(JobSelection._fields)
STATES = (
    ("", "not done"),
    ("ready", "ready"),
    ("leased", "running"),
    ("waiting", "waiting"),
    ("blocked", "blocked"),
    ("dead", "dead"),
    ("done", "done"),
    ("cancelled", "cancelled"),
    ("discarded", "discarded"),
)
QUEUES = (("", "all"), *((name, name) for name in EVERY_QUEUE))


def selection(fields: Mapping[str, str]) -> JobSelection:
    """The filter of a form, whose empty fields filter nothing. The kind of a job is the name of its queue."""
    given = {name: fields.get(name, "").strip() or None for name in FILTERS}
    given["queue"] = given["queue"] or fields.get("kind", "").strip() or None
    return JobSelection(**given)


def fields_of(wanted: JobSelection) -> dict[str, str]:
    """The fields of a form with this filter."""
    return {name: value for name in FILTERS if (value := getattr(wanted, name)) is not None}


def address(wanted: JobSelection, path: str = PATH, **more: str | int) -> str:
    """The page at a path, with this filter."""
    query = urlencode({**fields_of(wanted), **more})
    return f"{path}?{query}" if query else path


def listed(call: PageCall) -> Page:
    """Jobs that match a filter, the newest first."""
    wanted = selection(call.query)
    before = _before(call.query.get("before", ""))
    with call.jot.database.snapshot(tenant=call.jot.settings.tenant) as tx:
        found = job_pages.page(tx, wanted, before=before, limit=ON_A_PAGE)
        queues = job_pages.queues(tx)
    is_first = before == job_pages.LAST
    return Page(
        template="jobs.html",
        values={
            "jobs": found.jobs,
            "wanted": wanted,
            "is_filtered": wanted != JobSelection(),
            "states": STATES,
            "queue_names": QUEUES,
            "window": job_pages.TEXT_WINDOW if wanted.project or wanted.text else job_pages.WINDOW,
            "is_cut": found.is_cut,
            "first": None if is_first else address(wanted),
            "next": None if found.next is None else address(wanted, before=found.next),
            "all_address": {verb: address(wanted, f"{PATH}/{verb}", all=1) for verb in ("retry", "discard")},
            "queues": queues,
            "counted": job_pages.COUNTED,
        },
    )


def failures(call: PageCall) -> Page:
    """Dead and failed jobs by similar errors."""
    with call.jot.database.snapshot(tenant=call.jot.settings.tenant) as tx:
        found = job_pages.latest_failures(tx)
    groups = [(group, JobSelection(group=group.key)) for group in found.groups[:GROUPS]]
    return Page(
        template="job_failures.html",
        values={
            "groups": [
                {
                    "group": group,
                    "list": address(wanted),
                    "retry": address(wanted, f"{PATH}/retry", all=1),
                    "discard": address(wanted, f"{PATH}/discard", all=1),
                }
                for group, wanted in groups
            ],
            "total": len(found.groups),
            "is_cut": found.is_cut,
            "window": job_pages.WINDOW,
        },
    )


GROUPS = 100  # that are shown, the largest first


def _before(text: str) -> int:
    if not text:
        return job_pages.LAST
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise InvalidInput(f"invalid place {text[:80]!r}: begin with the first page")
    return int(text)


ROUTES = (
    PageRoute(method="GET", path=PATH, handler=listed),
    PageRoute(method="GET", path=f"{PATH}/failures", handler=failures),
)
