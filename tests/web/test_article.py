"""The article of an entity: each fact once, what it was before, and what a person says of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web_site import Site, WebPage

ANA = "/ui/entities/people:ana-lima"


@pytest.fixture(scope="module", autouse=True)
def memory(site: Site) -> None:
    for day in ("2025-02-01", "2025-03-01", "2025-04-01"):
        site.jot.remember("Ana Lima uses PostgreSQL.", said_at=day, actor="ben", session="one", project="billing")
    site.jot.remember("Ana Lima lives in Bonn.", said_at="2025-01-01")
    site.jot.remember("Ana Lima lives in Berlin.", said_at="2025-05-01")
    site.jot.remember("Ana Lima uses Redis.", said_at="2025-05-02", project="export")
    site.jot.remember("Ana Lima chose Kafka for events.", said_at="2025-05-03", type="Decision", actor="ben")
    site.jot.work()


def facts(page: WebPage) -> str:
    """The part with the facts, as text."""
    return plain(re.split('id="(?:doubts|decisions|sessions|drawn)"', page.html.partition('id="known"')[2])[0])


def plain(html: str) -> str:
    return " ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", html, flags=re.S).split())


def judge(site: Site, page: WebPage, value: str, verdict: str, **more: str) -> WebPage:
    """Send the form in the row of a value."""
    for row in re.findall(r"<li data-row>.*?</form>", page.html, re.S):
        if f"{value}</a>" in row or f"{value}</strong>" in row:
            names = ("fact", "before", "before_on")
            fields = {name: re.findall(rf'name="{name}" value="([^"]*)"', row) for name in names}
            return site.post(f"{ANA}/facts", **fields, verdict=verdict, **more)
    raise AssertionError(f"no row of {value}: {facts(page)}")


def test_a_fact_is_one_line_with_how_often_when_and_by_whom_it_was_said(site: Site) -> None:
    found = facts(site.get(ANA))
    assert "PostgreSQL ×3, last 2025-04-01 , by ben" in found
    assert found.count("PostgreSQL ×") == 1
    assert re.search(r"lives in Berlin 2025-05-01 .* Before: 1 value Bonn 2025-01-01 , 2025-01-01 to 2025-05-01", found)


def test_decisions_and_sessions_are_listed_with_who_and_where(site: Site) -> None:
    page = site.get(ANA)
    assert re.search(r"Decided 2025-05-03 Ana Lima chose Kafka for events. by ben", page.text)
    assert re.search(r"Sessions 2025-04-01 one 3 memories mention it, billing", page.text)


def test_one_project_shows_its_facts_alone(site: Site) -> None:
    page = site.get(f"{ANA}?project=export")
    assert ("Redis" in facts(page), "PostgreSQL" in facts(page), "Decided" in page.text) == (True, False, False)


def test_a_wrong_fact_is_gone_stays_gone_and_comes_back_with_undo(site: Site) -> None:
    done = judge(site, site.get(ANA), "PostgreSQL", "wrong")
    assert "Wrong: Ana Lima uses PostgreSQL. It is gone from what is known" in done.text
    site.jot.reprocess(site.jot.plan_reprocess(force=True))
    site.jot.work()
    assert not site.jot.knowledge.facts(subject="Ana Lima", object="PostgreSQL")
    assert "Wrong: 1 that never held" in facts(site.get(ANA))
    assert "Taken back" in site.undo(done).text
    assert len(site.jot.knowledge.facts(subject="Ana Lima", object="PostgreSQL")) == 3


def test_a_fact_ends_on_a_day_or_is_confirmed_and_either_is_taken_back(site: Site) -> None:
    done = judge(site, site.get(ANA), "Redis", "ended", on="2025-06-01")
    assert "Ended on 2025-06-01: Ana Lima uses Redis." in done.text
    assert "Redis 2025-05-02 , 2025-05-02 to 2025-06-01" in facts(done)
    kept = judge(site, done, "Redis", "kept")
    assert "confirmed" in facts(kept)
    assert "2025-05-02 to 2025-06-01" in facts(site.undo(kept))
    assert not site.jot.knowledge.facts(subject="Ana Lima", object="Redis"), "what was said before holds again"
    judge(site, site.get(ANA), "Redis", "")
    assert site.jot.knowledge.facts(subject="Ana Lima", object="Redis")


def test_a_day_that_cannot_be_is_refused_on_the_page(site: Site) -> None:
    page = judge(site, site.get(ANA), "Redis", "ended", on="9999-01-01")
    assert (page.status, "Invalid day 9999-01-01: it is still to come" in page.text) == (400, True)


def test_a_reader_sees_the_facts_and_no_action(site: Site) -> None:
    reader = site.sign_in("read")
    page = reader.get(ANA)
    assert "PostgreSQL ×3" in facts(page)
    assert "/facts" not in page.html
    assert reader.post(f"{ANA}/facts", fact="x", verdict="wrong").status == 403


def test_a_wrong_fact_is_three_clicks_from_the_first_page_and_works_without_a_mouse(browser_page: Page) -> None:
    browser_page.goto("/ui/")
    browser_page.get_by_role("link", name="Knowledge").click()
    browser_page.get_by_role("link", name="Ana Lima").click()
    button = browser_page.get_by_role("button", name="Wrong: Redis")
    button.focus()
    button.press("Enter")
    expect(browser_page.get_by_role("status")).to_contain_text("Wrong: Ana Lima uses Redis.")
    browser_page.get_by_role("button", name="Undo").press("Enter")
    expect(browser_page.get_by_role("button", name="Wrong: Redis")).to_be_visible()
