"""Where one may go: pages, actions, people and things, projects and sessions by their names.

Ctrl-K shows it over any page; without scripts it is a page of its own. It reads a bounded part of memory.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode

from jotsam.core.records import Record
from jotsam.memory.graph.entity_details import latest_entities
from jotsam.memory.reading.projects import labels
from jotsam.surfaces.web.pages.entities import address
from jotsam.surfaces.web.pages.page import Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jotsam.surfaces.web.pages.page import PageCall, PageRoute

PATH = "/ui/go"
MAX_WORDS = 200  # characters
MOST, MOST_PAGES = 8, 30  # of a kind
SESSIONS = 50  # the latest, whose titles are looked through
# What one can do, by the page that asks: it needs the scope of that page.
ACTIONS: Mapping[str, tuple[str, str]] = {
    "/ui/inbox": ("Decide what contradicts itself", "/ui/inbox"),
    "/ui/timeline": ("Compare two dates", "/ui/timeline"),
    "/ui/jobs/retry": ("Retry all dead jobs", "/ui/jobs/retry?all=yes&state=dead"),
    "/ui/jobs/failures": ("See the failures by error", "/ui/jobs/failures"),
    "/ui/export": ("Export everything", "/ui/export"),
    "/ui/forget": ("Forget a person or a selection", "/ui/forget"),
    "/ui/trash/empty": ("Empty the trash", "/ui/trash/empty"),
    "/ui/lifecycle/plan/{step}": ("Dry run of decay", "/ui/lifecycle/plan/decay"),
    "/ui/lifecycle/run/{step}": ("Run decay now", "/ui/lifecycle/run/decay"),
    "/ui/tokens/create": ("Create a token", "/ui/tokens/create"),
}


class Destination(Record):
    """A link, and what it is."""

    label: str
    address: str
    about: str = ""
    is_file: bool = False  # a download


class Destinations(Record):
    """Those of one kind."""

    kind: str
    links: tuple[Destination, ...]


def go(call: PageCall, *, pages: Iterable[Destination], asking: Iterable[PageRoute]) -> Page:
    """What has all the words in its name; without words what is at hand.

    `pages` are those of the navigation, and `asking` the routes that the visitor may use.
    """
    words = call.query.get("q", "").strip()[:MAX_WORDS]
    groups = [
        Destinations(kind=kind, links=tuple(_matching(links, words)[:most]))
        for kind, most, links in (
            ("Pages", MOST_PAGES, pages),
            ("Actions", MOST_PAGES, _actions(asking)),
            ("People and things", MOST, _entities(call, words)),
            ("Projects", MOST, _projects(call)),
            ("Sessions", MOST, _sessions(call)),
        )
    ]
    groups = [one for one in groups if one.links]
    if words:
        ask = Destination(label=f"Ask: {words}", address=f"/ui/memories?{urlencode({'q': words})}")
        # Before the rest only if nothing is named so: Enter goes to the first.
        groups.insert(len(groups) if groups else 0, Destinations(kind="Ask", links=(*_numbered(words), ask)))
    return Page(template="go.html", values={"words": words, "groups": groups})


def _matching(links: Iterable[Destination], words: str) -> list[Destination]:
    """Those with all the words, first those that begin with them, then those of which a word does."""
    wanted, whole = words.casefold().split(), words.casefold()

    def place(one: Destination) -> tuple[bool, bool]:
        label = one.label.casefold()
        return not label.startswith(whole), f" {whole}" not in f" {label}"

    found = [one for one in links if all(word in f"{one.label} {one.about}".casefold() for word in wanted)]
    return sorted(found, key=place) if wanted else found


def _actions(asking: Iterable[PageRoute]) -> Iterator[Destination]:
    for route in asking:
        if route.method == "GET" and route.path in ACTIONS:
            label, path = ACTIONS[route.path]
            yield Destination(label=label, address=path, is_file=route.is_file)


def _entities(call: PageCall, words: str) -> Iterator[Destination]:
    found = latest_entities(call.jot.database, tenant=call.principal.tenant, words=words or None, limit=MOST)
    for one in found.entities:
        about = f"{one.category}, {one.memories:,} {'memory' if one.memories == 1 else 'memories'}"
        yield Destination(label=one.name, address=address(one), about=about)


def _projects(call: PageCall) -> Iterator[Destination]:
    for key, label in labels(call.jot.database, tenant=call.principal.tenant).items():
        yield Destination(label=label, address=f"/ui/?{urlencode({'project': key})}", about="what is new in it")
        next_one = f"/ui/next?{urlencode({'project': key})}"
        yield Destination(label=label, address=next_one, about="what its next session gets")


def _sessions(call: PageCall) -> Iterator[Destination]:
    for one in call.jot.sessions(limit=SESSIONS).sessions:
        about = ", ".join(part for part in (one.agent, one.project) if part)
        yield Destination(label=one.title or one.id, address=f"/ui/sessions/{quote(one.id)}", about=about)


def _numbered(words: str) -> Iterator[Destination]:
    """The job of a number."""
    if words.isascii() and words.isdecimal() and len(words) < 19:
        yield Destination(label=f"Job {words}", address=f"/ui/jobs/{words}")
