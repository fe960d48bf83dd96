"""Where one may go, by keys over any page and without scripts as a page; and lists by keys."""

from __future__ import annotations

import re
from html import unescape

import pytest
from playwright.sync_api import Browser, Page, expect
from tools.example_memory import fill

from browser import violations, visiting
from jotsam.surfaces.web.pages.go import ACTIONS
from jotsam.surfaces.web.pages.routes import PAGES
from web_site import Site


@pytest.fixture(autouse=True)
def empty_memory(site: Site) -> None:
    site.jot.admin.forget_tenant()  # The sign-in too.
    site.cookies = site.sign_in().cookies


def destinations(site: Site, words: str) -> dict[str, str]:
    """By address what the links of the page say, in their order."""
    page = site.get(f"/ui/go?q={words}")
    found = page.html.partition('id="destinations"')[2].partition("</main>")[0]
    links = re.findall(r'<li data-row><a href="([^"]*)"[^>]*>([^<]*)</a>', found)
    return {unescape(address): unescape(label) for address, label in links}


def test_it_finds_pages_actions_people_projects_and_sessions(site: Site) -> None:
    site.jot.remember("Ana Lima works at Northwind.", project="billing")
    site.jot.add_turn("Which queue sends invoices?", actor="user", session="s 1", position=0, project="billing")
    site.jot.work()
    assert destinations(site, "time")["/ui/timeline"] == "Timeline"
    assert "/ui/forget" in destinations(site, "forget")
    assert destinations(site, "ana+l")["/ui/entities/people:ana-lima"] == "Ana Lima"
    assert {"/ui/?project=billing", "/ui/next?project=billing"} <= destinations(site, "bill").keys()
    assert destinations(site, "invoices+which")["/ui/sessions/s%201"] == "Which queue sends invoices?"
    assert destinations(site, "12")["/ui/jobs/12"] == "Job 12"
    assert [*destinations(site, "zebra+%26+co")] == ["/ui/memories?q=zebra+%26+co"]
    assert "/ui/operate" in destinations(site, "")


def test_actions_are_pages_that_ask_and_each_is_there_for_who_may(site: Site) -> None:
    asking = {one.path for one in PAGES if one.method == "GET"}
    assert ACTIONS.keys() <= asking
    operator = {path for label, path in ACTIONS.values() if path in destinations(site, label.replace(" ", "+"))}
    assert operator == {path for _, path in ACTIONS.values()}
    reader = site.sign_in("read")
    assert "/ui/forget" not in destinations(reader, "forget")
    assert "/ui/tokens" not in destinations(reader, "token")


def test_the_palette_opens_with_a_key_and_enter_goes_to_the_first(site: Site, browser_page: Page) -> None:
    page = browser_page
    page.goto("/ui/jobs")
    page.keyboard.press("Control+k")
    expect(page.locator("#go-found a").first).to_be_visible()
    assert violations(page) == []
    page.keyboard.type("timel")
    expect(page.locator("#go-found a").first).to_have_text("Timeline")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/ui/timeline$"))
    page.keyboard.press("Control+k")
    page.keyboard.type("cost")
    expect(page.locator("#go-found a").first).to_have_text("Cost")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/ui/memories\?q=cost"))
    page.get_by_role("link", name="Go to").click()
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()


def test_without_scripts_the_palette_is_a_page(site: Site, browser: Browser) -> None:
    with visiting(browser, site, java_script_enabled=False) as page:
        page.goto("/ui/")
        page.get_by_role("link", name="Go to").click()
        page.locator("main").get_by_label("Words of its name").fill("lifecycle")
        page.get_by_role("button", name="Find").click()
        page.locator("#destinations").get_by_role("link", name="Lifecycle", exact=True).click()
        expect(page).to_have_url(re.compile("/ui/lifecycle$"))


def test_in_every_list_the_second_row_opens_by_keys_and_nothing_is_sent(site: Site, browser_page: Page) -> None:
    fill(site.jot)
    sent: list[str] = []
    browser_page.on("request", lambda one: sent.append(one.url) if one.method != "GET" else None)
    paths = ("", "inbox", "jobs", "memories", "memories?q=billing", "documents", "entities", "sessions", "next", "go")
    stayed = []
    for path in (f"/ui/{path}" for path in paths):
        browser_page.goto(path)
        rows = browser_page.locator("[data-row]")
        if not rows.count():
            continue
        browser_page.keyboard.press("j")
        browser_page.keyboard.press("j")
        focused = browser_page.evaluate("document.activeElement.tagName + ' ' + (document.activeElement.href || '')")
        browser_page.keyboard.press("Enter")
        kind, _, target = focused.partition(" ")
        if kind == "A":
            browser_page.wait_for_url(target)
        elif kind in ("BUTTON", "INPUT"):
            stayed.append(f"{path}: {focused}")
    assert (stayed, sent) == ([], [])
