"""The pages of entities: list, one entity, merge and split."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser import violations
from web_site import Site

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module", autouse=True)
def memory(site: Site) -> None:
    for text in (
        "Ana Lima lives in Bonn.",
        "Ana and Ana Lima met at Acme GmbH.",
        "Ana Lima uses PostgreSQL.",
        f"Redis is used by {HOSTILE}.",
    ):
        site.jot.remember(text)
    site.jot.work()


def test_entities_are_listed_by_mentions_and_filtered(site: Site) -> None:
    page = site.get("/ui/entities")
    assert page.text.index("Ana Lima people 3") < page.text.index("PostgreSQL tools 1")
    assert "Counted in all 4 memories" in page.text
    assert "/ui/entities/people:ana-lima" in page.links
    found = site.get("/ui/entities?words=lim&category=people")
    assert ("Ana Lima" in found.text, "PostgreSQL" in found.text) == (True, False)
    nothing = site.get("/ui/entities?words=zebra")
    assert "No entity matches" in nothing.text
    assert "/ui/entities/zebra" in nothing.links


def test_wrong_parameters_are_answered_with_the_value(site: Site) -> None:
    for path, said in (
        ("/ui/entities?page=0", "invalid page '0'"),
        ("/ui/entities?page=x", "invalid page 'x'"),
        ("/ui/entities?category=dogs", "invalid category 'dogs'"),
    ):
        page = site.get(path)
        assert (page.status, said.lower() in page.text.lower()) == (400, True), page
    missing = site.get("/ui/entities/nobody")
    assert (missing.status, "no entity 'nobody'" in missing.text.lower()) == (404, True)


def test_an_entity_shows_its_facts_its_neighbours_and_its_memories(site: Site) -> None:
    page = site.get("/ui/entities/ana-lima")
    (fact,) = site.jot.knowledge.facts(subject="Ana Lima", predicate="lives_in")
    assert "Ana Lima lives in Bonn valid 80 %" in page.text
    assert f"/ui/memories/{fact.memory}" in page.links
    assert {"/ui/entities/tools:postgresql", "/ui/entities/people:ana"} <= set(page.links)
    assert "Ana and Ana Lima met at Acme GmbH." in page.text
    assert '<svg class="links"' in page.html
    assert "/ui/timeline?entity=people%3Aana-lima" in page.links


def test_the_drawing_and_the_tables_show_the_same(site: Site) -> None:
    page = site.get("/ui/entities/ana-lima")
    drawn = page.html[page.html.index("<svg class=") : page.html.index("</svg>", page.html.index("<svg class="))]
    for name in ("Bonn", "PostgreSQL", "Acme GmbH"):
        assert name in drawn, name
        assert page.text.count(name) >= 2, name


def test_merging_asks_says_what_was_done_and_is_taken_back(site: Site) -> None:
    asked = site.get("/ui/entities/people:ana/merge")
    assert "Merge Ana into another entity" in asked.text
    done = site.act("/ui/entities/people:ana/merge?into=people:ana-lima")
    assert "Merged people:ana into people:ana-lima." in done.text
    assert "/ui/entities/people%3Aana/split" in done.links
    assert site.jot.knowledge.entity("ana").slug == "ana-lima"
    assert "Split people:ana from people:ana-lima." in site.undo(done).text
    assert site.jot.knowledge.entity("ana").slug == "ana"


def test_splitting_asks_and_is_taken_back(site: Site) -> None:
    site.jot.knowledge.merge("people:ana", into="people:ana-lima")
    assert "Split people:ana from Ana Lima?" in site.get("/ui/entities/people:ana/split").text
    done = site.act("/ui/entities/people:ana/split")
    assert site.jot.knowledge.entity("ana").slug == "ana"
    site.undo(done)
    assert site.jot.knowledge.entity("ana").slug == "ana-lima"
    site.jot.knowledge.split("people:ana")


def test_a_candidate_has_its_reason_and_leads_to_the_question(site: Site) -> None:
    page = site.get("/ui/entities/ana-lima")
    assert "100% of the memories of the rarer one mention both" in page.text
    (address,) = [one for one in page.links if "/merge?" in one]
    assert "Merge Ana into Ana Lima?" in site.get(address).text


def test_a_reader_is_offered_no_action_and_may_do_none(site: Site) -> None:
    reader = site.sign_in("read")
    page = reader.get("/ui/entities/ana-lima")
    assert not [one for one in page.links if "merge" in one or "split" in one]
    assert reader.get("/ui/entities/people:ana/merge?into=people:ana-lima").status == 403
    assert reader.post("/ui/entities/people:ana/merge", into="people:ana-lima").status == 403
    assert site.jot.knowledge.entity("ana").slug == "ana"


def test_an_entity_is_found_by_keys_merged_and_split_again(browser_page: Page) -> None:
    browser_page.goto("/ui/entities/people:ana/merge")
    assert violations(browser_page) == []
    browser_page.goto("/ui/entities")
    browser_page.keyboard.press("j")
    browser_page.keyboard.press("Enter")
    expect(browser_page.get_by_role("heading", level=1)).to_have_text("Ana Lima")
    browser_page.get_by_role("link", name="Merge with people:ana").click()
    browser_page.get_by_role("button", name="Merge").click()
    browser_page.get_by_role("button", name="Split again").click()
    expect(browser_page.get_by_role("status")).to_contain_text("Split people:ana")
