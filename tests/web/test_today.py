"""The first page, and what is to decide: accept, reject, later, undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser import violations
from web_site import Site, WebPage


@pytest.fixture(scope="module", autouse=True)
def memory(site: Site) -> None:
    for text in ("Bob works at Acme.", "Bob works at Globex."):
        site.jot.remember(text, said_at="2025-01-01")
    for number in range(3):
        site.jot.remember(f"Ana and Ana Lindqvist met at stand {number}.", actor="carla")
    site.jot.add_turn("Never push to main.", actor="user", session="s-1", position=0, project="billing")
    site.jot.work()


def send(site: Site, page: WebPage, action: str, **fields: str) -> WebPage:
    return site.post(action, **{**page.form(action), **fields})


def test_the_page_tells_what_was_learned_by_session_with_what_is_alike_folded(site: Site) -> None:
    page = site.get("/ui/")
    assert "rule Never push to main." in page.text
    assert "×3 Ana" in page.text
    assert "/ui/inbox" in page.links
    only = site.get("/ui/?project=billing").text
    assert ("Never push" in only, "Lindqvist" in only) == (True, False)


def test_the_headline_is_the_worst_with_a_button_to_what_helps(site: Site) -> None:
    assert "/ui/operate" in site.get("/ui/").links
    site.jot.admin.pause("embed", reason="a test")
    page = site.get("/ui/")
    assert "The queue embed is paused: a test" in page.text
    assert "/ui/jobs#queues" in page.links
    site.jot.admin.resume("embed")


def test_a_contradiction_is_decided_and_comes_back_with_undo(site: Site) -> None:
    page = site.get("/ui/inbox")
    done = send(site, page, "/ui/inbox/value")
    assert "holds; the others ended on 2025-01-01" in done.text
    assert len(site.jot.knowledge.facts(subject="Bob")) == 1
    assert "two values" in site.undo(done).text
    assert len(site.jot.knowledge.facts(subject="Bob")) == 2


@pytest.mark.parametrize(("decision", "said"), [("reject", "not asked again"), ("later", "in a week")])
def test_an_item_is_rejected_or_postponed_and_comes_back_with_undo(site: Site, decision: str, said: str) -> None:
    done = send(site, site.get("/ui/inbox"), "/ui/inbox/decide", decision=decision)
    assert said in done.text
    assert "two values" not in done.text
    assert "two values" in site.undo(done).text


def test_two_names_of_the_same_are_merged_and_split_with_undo(site: Site) -> None:
    done = send(site, site.get("/ui/inbox"), "/ui/inbox/merge")
    assert "Merged people:ana into people:ana-lindqvist." in done.text
    site.undo(done)
    assert site.jot.knowledge.entity("ana").slug == "ana"


def test_decisions_that_are_none_are_refused_and_no_other_page_is_gone_to(site: Site) -> None:
    assert site.post("/ui/inbox/decide", key="x", decision="perhaps").status == 400
    page = site.post("/ui/inbox/decide", key="x", decision="later", back="https://elsewhere/")
    assert "To decide" in page.text
    site.undo(page)


def test_a_reader_sees_what_is_to_decide_and_decides_nothing(site: Site) -> None:
    reader = site.sign_in("read")
    page = reader.get("/ui/inbox")
    assert ("two values" in page.text, "/ui/inbox/" in page.html) == (True, False)


def test_an_item_is_decided_by_keys(browser_page: Page) -> None:
    browser_page.goto("/ui/")
    assert violations(browser_page) == []
    browser_page.keyboard.press("j")
    browser_page.keyboard.press("r")
    expect(browser_page.get_by_role("status")).to_contain_text("not asked again")
    browser_page.get_by_role("button", name="Undo").click()
    expect(browser_page.get_by_role("status")).to_contain_text("to decide again")
