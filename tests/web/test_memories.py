"""The pages of memories: search, list, one memory, and what can be changed of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import violations, visiting
from web_site import Site

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{ 7 * 7 }}"
NOTE = (
    "# Shed\n\nThe platypus lives in the shed.\n\n# Lake\n\nThe heron lives at the lake.\n\n# Hill\n\nThe owl is up.\n"
)


@pytest.fixture(autouse=True)
def empty_memory(site: Site) -> None:
    site.jot.admin.forget_tenant()  # The sign-in too.
    site.cookies = site.sign_in().cookies


def remember(site: Site, text: str, **options: object) -> str:
    id = site.jot.remember(text, **options).id  # type: ignore[arg-type]
    site.jot.work()
    return id


def test_an_empty_memory_says_what_to_do(site: Site) -> None:
    assert "jotsam add notes.md" in site.get("/ui/memories").text
    found = site.get("/ui/memories?q=anything")
    assert "Nothing was found" in found.text
    site.jot.add("Waiting text.")
    assert "Not known yet" in site.get("/ui/memories").text
    assert "Nothing was found" not in site.get("/ui/memories?q=zebra").text


def test_a_question_is_answered_by_recall_with_scores_and_coverage(site: Site) -> None:
    id = remember(site, "We decided to use PostgreSQL for billing.", source="adr.md", type="Decision", project="shop")
    remember(site, "The cat sleeps.", project="home")
    answer = site.jot.recall("what did we decide about billing?")
    page = site.get("/ui/memories?q=what+did+we+decide+about+billing%3F")
    assert f'href="/ui/memories/{id}"' in page.html
    assert "<mark>decided</mark>" in page.html
    assert "<mark>billing</mark>" in page.html
    hit = next(hit for hit in answer.hits if hit.id == id)
    assert f"score {hit.score:,.2f}" in page.text
    assert all(f'<th scope="row">{name}</th>' in page.html for name in hit.scores)
    assert f"returned {answer.coverage.returned} of {answer.coverage.total}" in page.text
    assert "not processed yet" not in page.text
    site.jot.add("One more.")
    assert "Results may be incomplete: 1 text is not processed yet." in site.get("/ui/memories?q=billing").text


def test_a_fact_answers_in_one_line_with_its_source_and_only_about_now(site: Site) -> None:
    id = remember(site, "Ana Lima lives in Porto.", project="team", actor="bo", said_at="2026-03-10")
    page = site.get("/ui/memories?q=where+does+ana+lima+live%3F")
    line = page.html.partition('class="card answer-line"')[2].partition("</section>")[0]
    assert '<strong id="answer-line">Ana Lima lives in Porto</strong>' in line
    assert (f"/ui/memories/{id}" in line, "bo" in line, "2026-03-10" in line) == (True, True, True)
    for other in ("q=when+did+ana+lima+move%3F", "q=where+does+ana+lima+live%3F&as_of=2026-04-01"):
        assert "answer-line" not in site.get(f"/ui/memories?{other}").html


def test_hits_are_grouped_and_those_that_say_the_same_are_one(site: Site) -> None:
    for number in range(5):
        site.jot.add_turn(f"Otters eat crab number {number}.", actor="ana", session="s 1", position=number)
    site.jot.add("# Otters\n\nOtters hold hands when they sleep.\n", source="zoo/otters.md")
    site.jot.add_turn("Do otters eat crabs?", actor="ana", session="s2", position=0)
    site.jot.add_turn("do otters eat crabs", actor="ana", session="s2", position=1)
    site.jot.work()
    page = site.get("/ui/memories?q=otters+eat+crab")
    groups = re.findall(r'<section class="card found".*?</section>', page.html, re.S)
    assert len(groups) == 3, page
    assert sum("Otters eat crab number" in one and "/ui/sessions/s%201" in one for one in groups) == 1
    assert sum("zoo/otters.md" in one and "/ui/documents/" in one for one in groups) == 1
    (asked,) = [one for one in groups if "/ui/sessions/s2" in one]
    assert ("said 2 times" in asked, asked.count('class="hit"')) == (True, 1)
    (long,) = [one for one in groups if "/ui/sessions/s%201" in one]
    assert "2 more of this session" in long
    assert long.partition("<details>\n    <summary>2 more")[0].count('class="hit"') == 3


def test_facets_count_the_hits_and_filter_by_a_click(site: Site) -> None:
    for number, (actor, project) in enumerate([("ana", "zoo"), ("ana", "zoo"), ("bo & co", "sea")]):
        remember(site, f"Otters number {number}.", actor=actor, project=project)
    page = site.get("/ui/memories?q=otters")
    links = [link for link in page.links if link.startswith("/ui/memories?q=otters&")]
    assert {"/ui/memories?q=otters&actor=ana", "/ui/memories?q=otters&actor=bo+%26+co"} <= {*links}
    assert re.search(r"ana\s*<span class=\"muted\">2</span>", page.html)
    chosen = site.get("/ui/memories?q=otters&actor=bo+%26+co")
    assert chosen.html.count('class="hit"') == 1
    assert "/ui/memories?q=otters" in chosen.links, "the filter is taken away"
    assert '<option value="bo &amp; co">1</option>' in chosen.html


@pytest.mark.parametrize("width", [390, 1280])
def test_the_first_result_is_on_the_first_screen(site: Site, browser: Browser, width: int) -> None:
    remember(site, "Ana Lima lives in Porto.")
    site.jot.add("One more.")
    with visiting(browser, site.sign_in(), viewport={"width": width, "height": 800}) as page:
        page.goto("/ui/memories?q=where+does+ana+lima+live%3F")
        for part in (page.locator(".answer-line"), page.locator(".missing"), page.locator(".hit h3").first):
            box = part.bounding_box()
            assert box
            assert box["y"] + box["height"] < 640, "of 800"
        assert violations(page) == []


def test_what_is_missing_is_one_line(site: Site) -> None:
    remember(site, "Otters hold hands.")
    site.jot.add("One more.")
    page = site.get("/ui/memories?q=otters+and+platypus")
    assert page.html.count('<p class="missing') == 1
    assert "1 text is not processed yet" in page.text
    assert "No result contains: platypus" in page.text
    assert 'class="note' not in page.html


def test_filters_are_those_of_recall_and_list_and_a_wrong_one_is_explained(site: Site) -> None:
    one = remember(site, "Otters hold hands.", project="zoo", type="Insight", tags=["a & b"], said_at="2026-01-10")
    two = remember(site, "Otters sleep afloat.", project="sea", actor="Ana", session="s1", said_at="2026-03-10")
    for query, expected in {
        "project=zoo": {one},
        "type=Insight": {one},
        "tag=a+%26+b": {one},
        "actor=Ana": {two},
        "session=s1": {two},
        "since=2026-02-01": {two},
        "until=2026-02-01": {one},
        "history=yes": {one, two},
    }.items():
        for start in ("", "q=otters&"):
            page = site.get(f"/ui/memories?{start}{query}")
            assert (
                set(re.findall(r'<(?:h3|td class="wide")>.*?href="/ui/memories/([0-9a-f-]{36})"', page.html))
                == expected
            ), page
    wrong = site.get("/ui/memories?since=yesterdayish")
    assert (wrong.status, "invalid since" in wrong.text.lower(), 'value="yesterdayish"' in wrong.html) == (
        400,
        True,
        True,
    )
    assert site.get("/ui/memories?q=otters&as_of=2026-02-01").html.count('class="hit"') == 1


def test_the_list_is_paged_by_a_key(site: Site) -> None:
    site.jot.remember_many([f"Note {number}." for number in range(60)])
    seen: list[str] = []
    address: str | None = "/ui/memories?project="
    while address:
        page = site.get(address)
        seen += re.findall(r"Note (\d+)\.", page.text)
        following = [link for link in page.links if "after=" in link]
        address = following[0] if following else None
    assert sorted(map(int, seen)) == [*range(60)]


def test_the_page_of_a_memory_has_everything_about_it(site: Site) -> None:
    document = site.jot.add(NOTE, source="note.md").id
    site.jot.work()
    first, second, third = site.jot.show(document).memories
    page = site.get(f"/ui/memories/{second}")
    assert "The heron lives at the lake." in page.text
    assert {f"/ui/memories/{first}", f"/ui/memories/{third}", f"/ui/documents/{document}"} <= set(page.links)
    assert "The platypus lives in the shed." in page.text
    job = site.jot.show(second).attempts[0].job_id
    assert f"/ui/jobs/{job}" in page.links
    assert "<svg" in page.html
    assert "PRECEDED_BY" in page.text
    assert site.get(f"/ui/memories/{document}", follow=False).headers["location"] == f"/ui/documents/{document}"
    named = remember(site, "Alice Hartmann works at Acme.", tags=["job"])
    page = site.get(f"/ui/memories/{named}")
    assert "/ui/memories?tag=job" in page.links
    for entity in site.jot.show(named).entities:
        assert f"/ui/entities/{entity.category}%3A{entity.slug}" in page.links
    for fact in site.jot.show(named).facts:
        words = fact.predicate.replace("_", " ")
        assert f"{fact.subject} {words} {fact.object}" in page.text
    assert site.get("/ui/memories/deadbeef").status == 404


def test_what_superseded_a_memory_is_named_with_the_sentence(site: Site) -> None:
    old = remember(site, "We use Redis for the cache of the shop.", said_at="2026-01-01")
    new = remember(site, "We no longer use Redis for the cache of the shop.", said_at="2026-02-01")
    stored = site.jot.get(old)
    (link,) = [link for link in site.jot.show(old).links if link.type == "INVALIDATED_BY"]
    page = site.get(f"/ui/memories/{old}")
    assert f"/ui/memories/{new}" in page.links
    assert str((link.properties or {})["reason"]) in page.text
    assert ("Superseded" in page.text) == (stored.superseded_at is not None)


def test_a_memory_is_edited_and_of_two_tabs_the_second_gets_both_texts(site: Site) -> None:
    id = remember(site, "The first text.", tags=["kept", "gone"])
    address = f"/ui/memories/{id}/edit"
    fields, other = site.get(address).form(address), site.get(address).form(address)
    fields |= {"text": "The text of the first tab.", "type": "Insight", "importance": "0.25"}
    fields["tags"] = fields["tags"].replace("gone", "new & <b>")
    page = site.post(address, **fields)
    assert "Changed: text, type, importance, tags. It is enriched again." in page.text
    memory = site.jot.get(id)
    assert (memory.text, memory.type, memory.importance) == ("The text of the first tab.", "Insight", 0.25)
    assert (set(memory.tags) >= {"kept", "new & <b>"}, "gone" in memory.tags) == (True, False)
    refused = site.post(address, **{**other, "text": "The text of the second tab."})
    assert refused.status == 409
    assert "It was changed meanwhile, and nothing of yours is stored" in refused.text
    assert "The text of the second tab." in refused.html
    assert "The text of the first tab." in refused.text
    assert site.jot.get(id).text == "The text of the first tab."
    site.post(address, **refused.form(address))
    assert site.jot.get(id).text == "The text of the second tab."
    assert "The text of the first tab." in site.get(f"/ui/memories/{id}").text
    wrong = site.post(address, **{**site.get(address).form(address), "importance": "7"})
    assert (wrong.status, "importance" in wrong.text, site.jot.get(id).importance) == (400, True, 0.4)
    again = site.get(address)
    assert "Nothing was different" in site.post(address, **again.form(address)).text


def test_a_memory_is_marked_as_important_and_the_mark_is_undone(site: Site) -> None:
    id = remember(site, "Otters hold hands.", importance=0.4)
    action = f"/ui/memories/{id}/importance"
    page = site.post(action, **site.get(f"/ui/memories/{id}").form(action))
    assert site.jot.get(id).importance == 1.0
    assert "Remove the mark" in page.text
    site.undo(page)
    assert site.jot.get(id).importance == 0.4


def test_a_memory_is_superseded_by_a_text_or_another_one_and_that_is_undone(site: Site) -> None:
    old = remember(site, "The shop opens at nine.", project="shop", type="Context")
    address = f"/ui/memories/{old}/supersede"
    fields = {**site.get(address).form(address), "text": "The shop opens at ten."}
    page = site.post(address, **fields)
    new = site.jot.get(old).superseded_by
    assert new is not None
    assert (site.jot.get(new).text, site.jot.get(new).project) == ("The shop opens at ten.", "shop")
    assert site.post(address, **fields).status == 200  # The same form again changes nothing.
    assert site.jot.get(old).superseded_by == new
    site.undo(page)
    assert site.jot.get(old).superseded_at is None
    site.post(address, **{**fields, "text": "", "new": new[:8]})
    assert site.jot.get(old).superseded_by == new
    assert "It holds again" in site.post(f"/ui/memories/{old}/restore", new=new).text
    for wrong in ({"text": "", "new": ""}, {"text": "x", "new": new}, {"text": "", "new": old}):
        assert site.post(address, **{**fields, **wrong}).status == 400, wrong


def test_a_memory_is_archived_shown_on_request_and_unarchived(site: Site) -> None:
    id = remember(site, "The platypus eats shrimps.")
    action = f"/ui/memories/{id}/archive"
    page = site.post(action, **site.get(f"/ui/memories/{id}").form(action))
    assert "hidden from recall, and kept" in page.text
    assert "Archived since" in page.text
    for address in ("/ui/memories", "/ui/memories?q=platypus"):
        assert "eats shrimps" not in site.get(address).text
        found = site.get(f"{address}{'&' if '?' in address else '?'}archived=yes").text
        assert "eats shrimps" in found
        assert "archived" in found
    site.undo(page)
    assert site.jot.get(id).archived_at is None
    site.undo(site.post(f"/ui/memories/{site.jot.archive(id).id}/unarchive"))
    assert site.jot.get(id).archived_at is not None


def test_a_memory_is_forgotten_to_the_trash_and_restored(site: Site) -> None:
    id = remember(site, "The platypus eats shrimps.")
    asked = site.get(f"/ui/memories/{id}/forget")
    assert "The platypus eats shrimps." in asked.text
    assert "it can be restored" in asked.text
    page = site.post(f"/ui/memories/{id}/forget", how="trash")
    assert "Forgot 1 memory" in page.text
    assert site.get(f"/ui/memories/{id}").status == 404
    assert "The platypus eats shrimps." in site.get("/ui/trash").text
    assert "Restored 1 memory" in site.undo(page).text
    assert site.jot.get(id).text == "The platypus eats shrimps."
    site.post(f"/ui/memories/{id}/forget", how="never")
    assert site.jot.remember("The platypus eats shrimps.").forgotten
    assert site.post(f"/ui/memories/{id}/forget", how="trash").status == 404


def test_a_reader_sees_no_action_and_cannot_act(site: Site) -> None:
    id = remember(site, "The platypus eats shrimps.")
    reader = site.sign_in("read")
    page = reader.get(f"/ui/memories/{id}")
    assert "Edit" not in page.text
    for path in ("edit", "supersede", "forget", "importance", "restore", "archive", "unarchive"):
        assert reader.post(f"/ui/memories/{id}/{path}", importance="1", how="now").status == 403, path
    assert site.jot.get(id).version == 1


def test_hostile_texts_are_shown_as_text(site: Site, browser_page: Page) -> None:
    site.jot.add(f"# {HOSTILE}\n\nThe zebra {HOSTILE}\n", source=f"notes/{HOSTILE}.md", project=HOSTILE[:40])
    id = remember(
        site, f"A zebra says {HOSTILE} of Alice Hartmann.", tags=[HOSTILE], type=HOSTILE[:60], actor="<b>Ana</b>"
    )
    other = remember(site, f"Another zebra {HOSTILE}.")
    site.jot.knowledge.link(other, "CONTRADICTS", id, properties={"reason": HOSTILE})
    document = site.jot.add("Zebra.", source=HOSTILE).id
    paths = ["/ui/memories", "/ui/memories?q=zebra", f"/ui/memories/{id}", f"/ui/memories/{id}/edit"]
    paths += [f"/ui/memories/{id}/forget", f"/ui/documents/{document}", "/ui/documents", "/ui/forget?query=zebra"]
    for path in paths:
        page = site.get(path)
        assert page.status == 200, page
        assert "<script>alert" not in page.html, path
        assert "<img" not in page.html, path
    for path in paths[1:3]:
        browser_page.goto(path)  # Fails if a script of the texts is run.
    for path in (
        "/ui/memories/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/ui/documents/%22%27%3Cb%3E",
        "/ui/memories?q=%00%3Cb%3E",
    ):
        assert "<script>alert" not in site.get(path).html
        assert "<b>" not in site.get(path).html


def test_of_a_huge_text_the_first_part_is_shown(site: Site) -> None:
    with_end = "word " * 200_000 + "END"
    id = site.jot.remember(with_end).id
    page = site.get(f"/ui/memories/{id}")
    assert "These are the first 50,000 of 1,000,003 characters" in page.text
    assert len(page.html) < 200_000
    assert len(site.get("/ui/memories").html) < 50_000
    document = site.jot.add(with_end, source="huge.txt").id
    assert len(site.get(f"/ui/documents/{document}").html) < 200_000


def fill(site: Site) -> tuple[str, str, str]:
    """A document, a chunk of it, and a memory that is superseded."""
    document = site.jot.add(NOTE, source="note.md").id
    old = remember(site, "We use Redis for the cache of the shop.", tags=["cache"], said_at="2026-01-01")
    new = remember(site, "We no longer use Redis for the cache of the shop.", said_at="2026-02-01")
    site.jot.supersede(old, new)
    return document, site.jot.show(document).memories[1], old


def test_search_and_forget_in_a_browser_with_keys(site: Site, browser_page: Page) -> None:
    fill(site)
    browser_page.goto("/ui/memories")
    browser_page.keyboard.press("/")
    browser_page.keyboard.type("where is the heron?")
    browser_page.keyboard.press("Enter")
    expect(browser_page.locator("mark").first).to_be_visible()
    browser_page.keyboard.press("j")
    browser_page.keyboard.press("Enter")
    expect(browser_page.get_by_role("heading", level=2, name="Text")).to_be_visible()
    assert violations(browser_page) == []
    browser_page.goto("/ui/forget?query=redis")
    browser_page.get_by_role("button", name="Forget").click()
    browser_page.get_by_role("button", name="Undo").click()
    expect(browser_page.get_by_role("status")).to_contain_text("Restored 2 memories")


@pytest.mark.long  # A page takes a second to check.
def test_no_page_of_memories_has_a_barrier(site: Site, browser_page: Page) -> None:
    document, chunk, old = fill(site)
    paths = ["/ui/memories", "/ui/memories?q=redis", f"/ui/memories/{chunk}", f"/ui/memories/{old}", "/ui/forget"]
    paths += [f"/ui/memories/{old}/{name}" for name in ("edit", "forget")]
    paths += [f"/ui/memories/{chunk}/supersede", "/ui/documents", f"/ui/documents/{document}", "/ui/forget?query=redis"]
    site.jot.forget(site.jot.plan_forget(ids=[remember(site, "An owl sleeps.")]), trash=True)
    paths += ["/ui/trash", "/ui/trash/empty"]
    wrong = []
    for path in paths:
        browser_page.goto(path)
        wrong += violations(browser_page)
    assert wrong == []
