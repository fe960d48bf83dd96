"""The page of the next session: what a project or a prompt would get, verdicts, and the rules."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from browser import violations
from jotsam import Jotsam
from web_site import Site, WebPage

HOSTILE = "</textarea><img src=x onerror=alert(1)> \"'{{ 7*7 }}"
FARM = "/ui/next?project=farm"


@pytest.fixture(scope="module", autouse=True)
def memory(site: Site) -> None:
    assert "Nothing is known yet" in site.get("/ui/next").text
    say(site.jot, "never open the valves of the tank by hand", "Understood.", project="farm")
    say(site.jot, "is the siren ready?", "No. Open: the siren needs a cable.", project="farm", session="t")
    say(site.jot, "never whistle in the stable, in all my projects", "Noted.", project="shed", session="u")
    say(site.jot, f"never open {HOSTILE}", "Noted.", project=HOSTILE, session="v")


def say(jot: Jotsam, *texts: str, project: str, session: str = "s") -> None:
    for actor, text in zip(("user", "assistant"), texts, strict=True):
        jot.remember(text, session=session, actor=actor, project=project)
    jot.work()


def section(page: WebPage, title: str) -> str:
    """The text of a part of the page."""
    found = re.search(rf'<h2 id="[^"]*">{title}</h2>(.*?)</section>', page.html, re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""


def note(jot: Jotsam, text: str, project: str = "farm") -> str:
    return next(one.id for one in jot.notes.list(project=project, state="all") if text in one.text)


def test_the_brief_of_a_project_is_shown_with_its_reasons(site: Site) -> None:
    page = site.get(FARM)
    assert "never open the valves of the tank by hand the user demanded it for good" in section(page, "Rules")
    assert "never whistle in the stable" in section(page, "Rules in every project")
    assert "the siren needs a cable it was left open" in section(page, "Open")
    id = note(site.jot, "valves")
    assert f"/ui/memories/{id.partition('.')[0]}" in page.links
    assert site.get("/ui/next").form("/ui/next")["project"] == HOSTILE, "the project with the latest memory"
    assert "The next session would get nothing" not in page.text
    assert "whistle" in section(site.get("/ui/next?project=unknown"), "Rules in every project")


def test_a_prompt_shows_what_it_would_get(site: Site) -> None:
    page = site.get(f"{FARM}&prompt=what+is+still+open%3F")
    assert "the siren needs a cable" in section(page, "Open")
    assert page.form("/ui/next") == {"project": "farm", "prompt": "what is still open?"}
    assert "This prompt would get nothing" in site.get(f"{FARM}&prompt=sing+a+song").text


def test_a_verdict_acts_at_once_and_is_taken_back(site: Site) -> None:
    id = note(site.jot, "valves")
    address = f"/ui/next/notes/{id}/verdict"
    for verdict, said in (("wrong", "Struck as wrong"), ("old", "Struck as old")):
        struck = site.post(address, **site.get(FARM).form(address) | {"verdict": verdict})
        assert said in struck.text
        assert struck.form("/ui/next")["project"] == "farm"
        assert "valves" in section(struck, "Struck or replaced")
        assert [line.text for line in site.jot.brief(project="farm").lines if "valves" in line.text] == []
        assert "valves" in section(site.undo(struck), "Rules")
    kept = site.post(address, **site.get(FARM).form(address) | {"verdict": "keep", "prompt": "valves" * 50})
    assert "Kept: it stays" in kept.text
    assert "kept the user demanded it" in section(site.get(FARM), "Rules")
    assert "kept" not in section(site.undo(kept), "Rules")
    assert site.post(address, verdict="bad").status == 400
    assert site.post("/ui/next/notes/x/verdict", verdict="old").status == 404


def test_rules_are_added_edited_and_struck(site: Site) -> None:
    added = site.post("/ui/next/rules", project="farm", text="wash the filters on Mondays")
    assert "Added" in added.text
    assert "wash the filters on Mondays in this project" in added.text
    id = note(site.jot, "filters")
    edited = site.post(f"/ui/next/notes/{id}/edit", project="farm", text="wash the filters on Tuesdays")
    assert "the filters on Tuesdays" in section(edited, "Rules")
    assert "old wash the filters on Mondays" in section(edited, "Struck or replaced")
    back = site.undo(edited)
    assert "wrong wash the filters on Tuesdays" in section(back, "Struck or replaced")
    assert "the filters on Mondays" in section(back, "Rules")
    everywhere = site.post("/ui/next/rules", project="farm", text="metric units", everywhere="yes")
    assert "metric units" in section(site.get("/ui/next?project=shed"), "Rules in every project")
    assert "metric units" not in section(site.undo(everywhere), "Rules in every project")


def test_a_wrong_text_is_refused_and_kept_in_the_form(site: Site) -> None:
    id = note(site.jot, "valves")
    for path in ("/ui/next/rules", f"/ui/next/notes/{id}/edit"):
        page = site.post(path, project="farm", text="x" * 301)
        assert page.status == 400
        assert "The text has 301 characters: a note has at most 300" in page.text
        assert page.form(path)["text"] == "x" * 301
        assert site.post(path, project="farm", text=" ").status == 400


def test_who_may_only_read_sees_no_form(site: Site) -> None:
    page = site.sign_in("read").get(FARM)
    assert "never open the valves of the tank by hand" in page.text
    assert 'action="/ui/next/' not in page.html


def test_notes_of_another_tenant_are_out_of_reach(site: Site) -> None:
    other = Site(site.server, site.jot.scoped(tenant="neighbour")).sign_in()
    page = other.get(FARM)
    assert "Nothing is known yet" in page.text
    assert "valves" not in page.text
    for action in ("verdict", "edit"):
        path = f"/ui/next/notes/{note(site.jot, 'valves')}/{action}"
        assert other.post(path, verdict="wrong", text="mine").status == 404


def test_hostile_texts_and_verdicts_in_a_browser(browser_page: Page, site: Site) -> None:
    browser_page.goto(f"/ui/next?{urlencode({'project': HOSTILE})}")
    expect(browser_page.get_by_role("link", name="never open </textarea>").first).to_be_visible()
    assert violations(browser_page) == []
    browser_page.get_by_role("button", name="Wrong: never open").click()
    expect(browser_page.get_by_role("button", name="Take back: never open")).to_be_visible()
    assert violations(browser_page) == []
    browser_page.get_by_role("button", name="Undo").click()
    expect(browser_page.get_by_role("button", name="Wrong: never open")).to_be_visible()
    browser_page.get_by_text("Edit", exact=True).first.click()
    browser_page.get_by_label("The rule in other words").first.fill("feed the hens at six")
    browser_page.get_by_role("button", name="Save").first.click()
    expect(browser_page.get_by_role("link", name="feed the hens at six").first).to_be_visible()
