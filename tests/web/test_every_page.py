"""Every page, on both databases: that it answers, for whom, what hostile text does to it, and who can use it.

The addresses are those of `tools.screenshots`, which has a picture of each page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, ViewportSize
from tools.example_memory import fill
from tools.screenshots import PAGES as PICTURES

from browser import violations, visiting
from http_server import serving
from jotsam import Jotsam
from jotsam.core.token_records import SCOPES
from jotsam.surfaces.web.pages.page import PageRoute
from jotsam.surfaces.web.pages.routes import NAVIGATION, PAGES
from servers import Server
from web_site import Site, open_client

HOSTILE = (
    '<img src=x onerror=alert(1)><script>alert(2)</script>"><svg/onload=alert(3)>',
    '\'"><a href="javascript:alert(4)">x</a> {{ 7*7 }} {% raw %} ]]> --> </textarea></script>',
    "\u202egnirts\u202c a\u0000b \ud7ff \U0001f4a9 " + "w" * 3_000,
)
RUN_BY_A_BROWSER = "main script, main iframe, main img[onerror], main [onload]"
NARROW: ViewportSize = {"width": 320, "height": 640}
DESK: ViewportSize = {"width": 1280, "height": 720}
BAD = ("not-found",)  # Pictures of errors.


@dataclass
class Visited:
    """Names of pages with what a browser would run, and of those that are too wide; and what keeps people away."""

    hostile: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    barriers: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A visitor of a memory as a team could have it, with hostile texts in it."""
    db = str(tmp_path_factory.mktemp("filled") / "jotsam.db")
    with serving(db) as server, open_client(db) as jot:
        _fill(jot)
        yield Site(server, jot).sign_in()


def test_each_page_has_a_picture(filled: Site) -> None:
    addresses = [address.partition("?")[0] for address in _addresses(filled.jot).values()]
    without = [one.path for one in _shown() if not any(_pattern(one).fullmatch(address) for address in addresses)]
    assert without == []


def test_each_page_answers_on_an_empty_memory(site: Site) -> None:
    reader = site.sign_in("read")
    for route in _shown():
        if "{" not in route.path:
            assert site.get(route.path).status == 200, route.path
            assert reader.get(route.path).status == (200 if route.scope == "read" else 403), route.path


def test_the_navigation_leads_to_what_the_visitor_may_see(site: Site) -> None:
    shown = {}
    for scope in SCOPES:
        visitor = site.sign_in(scope)
        sections = _links(visitor, "/ui/")
        shown[scope] = {link for section in sections for link in _links(visitor, section)}
        assert [path for path in shown[scope] if visitor.get(path).status != 200] == []
        assert len(sections) == len(NAVIGATION) + 1, "with the other page of the section that is open"
    more = [shown[scope] - shown[weaker] for weaker, scope in pairwise(SCOPES)]
    assert more == [{"/ui/forget"}, {"/ui/tokens", "/ui/audit"}, {"/ui/agents", "/ui/settings"}]
    assert shown["operator"] == {link.path for section in NAVIGATION for link in section.links}


def _links(visitor: Site, path: str) -> list[str]:
    """The links of the navigation on a page."""
    return re.findall(
        r'href="([^"]*)"', visitor.get(path).html.partition('<nav class="side"')[2].partition("</nav>")[0]
    )


def test_the_project_switch_filters_all_pages_until_another_is_chosen(filled: Site) -> None:
    visitor = filled.sign_in()
    everything = visitor.get("/ui/documents")
    assert "billing-decisions" in everything.html
    assert "notes/0" in everything.html
    chosen = visitor.post("/ui/project", project="billing", back="/ui/documents?project=other&words=billing").html
    assert '<option value="billing" selected>' in chosen
    assert "billing-decisions" in visitor.get("/ui/documents").html
    assert "notes/0" not in visitor.get("/ui/documents").html
    assert "notes/0" in visitor.get("/ui/documents?project=").html  # Another project for this page alone.
    assert visitor.post("/ui/project", project="", back="https://elsewhere/").html.count("selected") == 0
    assert "notes/0" in visitor.get("/ui/documents").html


def test_a_project_that_a_browser_made_up_shows_nothing(filled: Site) -> None:
    visitor = filled.sign_in()
    name = next(iter(visitor.cookies))
    for value in ("%ff", "bm93aGVyZQ==", "\x27"):
        visitor.cookies[f"{name}_project"] = value
        assert visitor.get("/ui/documents").status == 200


def test_each_page_answers_on_a_full_memory(filled: Site) -> None:
    _check_answers(filled)


def test_each_page_answers_on_postgresql(server: Server) -> None:
    url = server.url()
    with serving(url) as served, open_client(url) as jot:
        _fill(jot)
        _check_answers(Site(served, jot).sign_in())


def test_a_form_is_refused_to_who_may_only_read(filled: Site) -> None:
    reader = filled.sign_in("read")
    allowed = [
        one.path
        for one in PAGES
        if one.method == "POST" and reader.post(re.sub(r"\{[^}]*\}", "x", one.path)).status != 403
    ]
    assert allowed == []


def test_nobody_but_the_signed_in_sees_a_page_or_acts(filled: Site) -> None:
    stranger = Site(filled.server, filled.jot)
    for route in PAGES:
        path = re.sub(r"\{[^}]*\}", "x", route.path)
        if route.method == "GET":
            assert stranger.get(path, follow=False).status == 303, path
        else:
            assert stranger.post(path, form_token="x").status == 401, path


def test_an_unknown_id_and_odd_parameters_are_clear_errors(filled: Site) -> None:
    for route in PAGES:
        if route.method == "GET":
            for value in ("x", "%00", "%ff", "-1", "99999999999999999999", "..%2f..", "%3Cscript%3E", "a" * 5_000):
                path = re.sub(r"\{[^}]*\}", value, route.path)
                for query in ("", f"?q={value}&page={value}&after={value}&limit={value}&state={value}&since={value}"):
                    page = filled.get(path + query)
                    assert page.status in (200, 400, 404), (path + query, page)
                    if page.headers.get("content-disposition", "").startswith("attachment; "):
                        assert page.headers["content-type"] == "application/x-ndjson", path
                        assert page.headers["x-content-type-options"] == "nosniff", path
                        continue
                    assert "<script>" not in re.sub(r"<script src=[^>]*></script>", "", page.html), path


@pytest.fixture(scope="module")
def visited(browser: Browser, filled: Site) -> Visited:
    """What is wrong on any page, each visited once: first as on a phone, then as on a desk.

    A dialog, an error of a script or of the policy fails the visit. Every second page in the dark, in which only the
    colours differ.
    """
    found = Visited()
    with visiting(browser, filled.sign_in(), reduced_motion="reduce", viewport=NARROW) as page:
        for number, (name, address) in enumerate(_addresses(filled.jot).items()):
            page.set_viewport_size(NARROW)
            page.emulate_media(color_scheme="dark" if number % 2 else "light")
            page.goto(address)
            found.hostile += [name] if page.locator(RUN_BY_A_BROWSER).count() else []
            is_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
            found.wide += [name] if is_wide else []
            page.set_viewport_size(DESK)
            found.barriers += violations(page)
    return found


def test_hostile_text_is_shown_and_never_run(visited: Visited) -> None:
    assert visited.hostile == []


def test_no_page_is_wider_than_a_phone(visited: Visited) -> None:
    assert visited.wide == []


def test_no_page_has_a_barrier(visited: Visited) -> None:
    assert visited.barriers == [], "\n".join(sorted(set(visited.barriers)))


@pytest.mark.long
def test_no_page_has_colours_without_contrast_in_the_other_scheme(browser: Browser, filled: Site) -> None:
    found = []
    with visiting(browser, filled.sign_in(), reduced_motion="reduce") as page:
        for number, address in enumerate(_addresses(filled.jot).values()):
            page.emulate_media(color_scheme="light" if number % 2 else "dark")
            page.goto(address)
            found += violations(page, rules=["color-contrast"])
    assert found == [], "\n".join(sorted(set(found)))


def _fill(jot: Jotsam) -> None:
    fill(jot)
    for number, text in enumerate(HOSTILE):
        jot.remember(
            f"Ana Lima wrote {text}", project=text[:60].replace("\x00", ""), tags=[text[:40].replace("\x00", "")]
        )
        jot.add(f"# {text}\n\nA decision about {text}.", source=f"notes/{number} {text[:50]}.md".replace("\x00", ""))
    jot.work()
    jot.remember(f"Still waiting: {HOSTILE[0]}")


def _check_answers(site: Site) -> None:
    for name, address in _addresses(site.jot).items():
        page = site.get(address)
        assert page.status == 200, (name, page)
        assert "<img src=x" not in page.html, address
        assert not re.search(r"<script>|\shref=\"javascript:", page.html), address


def _addresses(jot: Jotsam) -> dict[str, str]:
    """The address of each page by its name."""
    return {
        name: found if isinstance(found, str) else found(jot) for name, found in PICTURES.items() if name not in BAD
    }


def _shown() -> list[PageRoute]:
    """The pages that are not the question of an action, nor a file."""
    acting = {one.path for one in PAGES if one.method == "POST"}
    return [one for one in PAGES if one.method == "GET" and one.path not in acting and not one.is_file]


def _pattern(route: PageRoute) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{[^}]*\\}", "[^?]+", re.escape(route.path)))
