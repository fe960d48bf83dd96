"""The page of the timeline: a date, what was known then, and what has changed since."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser import violations
from http_server import serving
from web_site import Site, open_client


@pytest.fixture(scope="module", autouse=True)
def memory(site: Site) -> None:
    site.jot.remember("Ana Lima lives in Bonn.", said_at="2025-01-01")
    site.jot.remember("Ana Lima lives in Berlin.", said_at="2025-03-01")
    site.jot.remember("Redis runs on Debian <script>alert(1)</script>.", said_at="2025-04-01")
    site.jot.work()


def test_a_date_shows_what_was_known_and_what_has_changed(site: Site) -> None:
    page = site.get("/ui/timeline?at=2025-02-01")
    assert "Ana Lima lives in Bonn superseded 2025-03-01" in page.text
    assert "Ana Lima : lives in Bonn until 2025-03-01 , now lives in Berlin" in page.text
    assert "2 memories were said since." in page.text
    assert "Slide from 2025-01-01 to 2025-04-01" in page.text
    old = site.jot.list(until="2025-01-02", history=True).memories[0]
    assert f"/ui/memories/{old.id}" in page.links
    now = site.get("/ui/timeline")
    assert "At the end of 2025-04-01" in now.text
    assert "Ana Lima lives in Berlin still valid" in now.text
    assert "No fact that was valid then was superseded since." in now.text


def test_of_the_date_and_the_slider_the_one_that_was_moved_counts(site: Site) -> None:
    fields = site.get("/ui/timeline?at=2025-02-01").form("/ui/timeline")
    assert (fields["was"], fields["at"], fields["day"]) == ("2025-02-01", "2025-02-01", "31")
    slid = site.get("/ui/timeline?was=2025-02-01&at=2025-02-01&day=59")
    assert "At the end of 2025-03-01" in slid.text
    typed = site.get("/ui/timeline?was=2025-02-01&at=2025-03-05&day=31")
    assert "At the end of 2025-03-05" in typed.text


def test_a_question_is_answered_as_of_the_date_with_its_footer(site: Site) -> None:
    page = site.get("/ui/timeline?at=2025-02-01&q=where+does+Ana+live")
    answer = page.text[page.text.index("as of 2025-02-01") :]
    assert answer.index("Ana Lima lives in Bonn.") < answer.index("returned 1 of 1")
    assert "Ana Lima lives in Berlin." not in answer[: answer.index("returned")]


def test_one_entity_shows_its_facts_alone(site: Site) -> None:
    page = site.get("/ui/timeline?entity=people:ana-lima")
    assert ("lives in Berlin" in page.text, "Debian" in page.text) == (True, False)
    assert site.get("/ui/timeline?entity=nobody").status == 404


def test_a_wrong_date_is_answered_with_the_value(site: Site) -> None:
    for query, said in (
        ("at=soon", "invalid date 'soon'"),
        ("at=2025-13-01", "invalid date"),
        ("day=-1", "invalid day"),
    ):
        page = site.get(f"/ui/timeline?{query}")
        assert (page.status, said.lower() in page.text.lower()) == (400, True), page


def test_without_memories_the_page_says_what_to_do(tmp_path) -> None:
    db = str(tmp_path / "empty.db")
    with serving(db) as server, open_client(db) as jot:
        site = Site(server, jot).sign_in("read")
        assert "Nothing is known yet" in site.get("/ui/timeline").text
        assert "No entities yet" in site.get("/ui/entities").text


def test_sliding_changes_the_page_and_the_date(browser_page: Page) -> None:
    browser_page.goto("/ui/timeline?at=2025-04-01")
    slider = browser_page.get_by_role("slider")
    slider.focus()
    slider.press("Home")
    expect(browser_page.locator("#known h2")).to_have_text("At the end of 2025-01-01")
    expect(browser_page.get_by_label("Date", exact=True)).to_have_value("2025-01-01")
    expect(slider).to_be_focused()
    browser_page.get_by_label("Date", exact=True).fill("2025-03-10")
    browser_page.get_by_label("Date", exact=True).dispatch_event("change")
    expect(browser_page.locator("#known h2")).to_have_text("At the end of 2025-03-10")
    expect(slider).to_have_value("68")
    assert violations(browser_page) == []
