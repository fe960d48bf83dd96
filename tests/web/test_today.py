"""The first page, and what is to decide: accept, reject, later, undo."""

from __future__ import annotations

import re

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
    site.jot.add_turn("Done. I closed the gate of the north field.", actor="assistant", session="s-1", position=1)
    site.jot.work()


def send(site: Site, page: WebPage, action: str, **fields: str) -> WebPage:
    return site.post(action, **{**page.form(action), **fields})


def test_the_page_tells_what_was_learned_by_session_with_what_is_alike_folded(site: Site) -> None:
    page = site.get("/ui/")
    assert "rule Never push to main." in page.text
    assert "done I closed the gate of the north field." in page.text
    assert "done Done." not in page.text, "it says nothing by itself"
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


def rules_of_brief(site: Site) -> list[str]:
    return [line.text for line in site.jot.brief(project="short").lines if line.label == "rule"]


def test_a_doubtful_rule_is_kept_for_briefs_or_is_none_or_waits(site: Site) -> None:
    text = "keep functions short"
    site.jot.add_turn(f"please {text}", actor="user", session="s-2", position=0, project="short")
    site.jot.work()
    address, action = "/ui/inbox?project=short", "/ui/inbox/rule"
    page = site.get(address)
    assert ("a rule?" in page.text, rules_of_brief(site)) == (True, [])
    kept = send(site, page, action, decision="keep")
    assert "Kept: it is in the next brief." in kept.text
    assert rules_of_brief(site) == [text]
    assert text not in site.get(address).text
    site.undo(kept)
    assert rules_of_brief(site) == []
    done = send(site, site.get(address), action, decision="wrong")
    assert "It is no rule." in done.text
    assert text not in site.get(address).text
    site.undo(done)
    later = site.post("/ui/inbox/decide", **{**site.get(address).form("/ui/inbox/decide"), "decision": "later"})
    assert text not in site.get(address).text
    site.undo(later)
    assert text in site.get(address).text
    assert send(site, site.get(address), action, decision="perhaps").status == 400


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
    browser_page.keyboard.press("u")
    expect(browser_page.get_by_role("status")).to_contain_text("to decide again")


def test_a_list_says_what_is_new_and_stays_as_it_is(site: Site, browser_page: Page) -> None:
    browser_page.goto("/ui/memories")
    expect(browser_page.locator("#live")).to_have_text("live")
    rows = browser_page.locator("[data-row]").count()
    for number in range(25):
        site.jot.remember(f"Clara reviews migration {number}.")
    expect(browser_page.locator(".arriving")).to_contain_text("Show 25 new")
    expect(browser_page.locator(".arriving meter")).to_be_visible()
    assert browser_page.locator("[data-row]").count() == rows
    assert violations(browser_page) == []
    browser_page.get_by_role("link", name="Show 25 new").click()
    expect(browser_page.locator("[data-row]")).to_have_count(min(50, rows + 25))


def test_what_arrives_is_a_page_too_and_leads_nowhere_else(site: Site) -> None:
    page = site.get("/ui/arriving?since=1&back=https://elsewhere/")
    assert "/ui/memories" in page.links
    assert "https://elsewhere/" not in page.links
    assert re.search(r"Show [\d,]+ new", page.text)
    assert not re.search(r"Show [\d,]+ new", site.get("/ui/arriving").text), "since no time"
    assert site.get("/ui/arriving?since=x").status == 400
