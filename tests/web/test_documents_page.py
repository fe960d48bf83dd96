"""The pages of documents: why one is not found is said in a sentence; and forgetting by a selection."""

from __future__ import annotations

import re
from html import escape

import pytest

from jotsam.storage import queue
from web_site import Site

NOTE = "# Shed\n\nThe platypus lives in the shed.\n\n# Lake\n\nThe heron lives at the lake.\n"


@pytest.fixture(autouse=True)
def empty_memory(site: Site) -> None:
    site.jot.admin.forget_tenant()  # The sign-in too.
    site.cookies = site.sign_in().cookies


def fail(site: Site, id: str, *, error: str, dead: bool) -> int:
    """Deliver the job of a document once, and let it fail."""
    wanted = site.jot.show(id).jobs[0].id
    with site.jot.database.transaction() as tx:
        jobs = queue.receive(tx, queue="ingest", owner="w", limit=10)
        job = next(job for job in jobs if job.id == wanted)
        if dead:
            queue.bury(tx, job, error=error)
        else:
            queue.release(tx, job, delay_ms=60_000, error=error)
    return wanted


def test_why_a_document_is_not_found_is_said_in_one_sentence(site: Site) -> None:
    found = site.jot.add(NOTE, source="found.md").id
    site.jot.work()
    older = site.jot.add(NOTE + "More.\n", source="versions.md").id
    site.jot.work()
    site.jot.add(NOTE + "Even more.\n", source="versions.md")
    site.jot.work()
    dead = site.jot.add("One.", source="dead.md").id
    job = fail(site, dead, error="the <disk> is full", dead=True)
    failed = site.jot.add("Two.", source="failed.md").id
    fail(site, failed, error="no reply", dead=False)
    discarded = site.jot.add("Three.", source="discarded.md").id
    site.jot.admin.discard(site.jot.show(discarded).jobs[0].id)
    pending = site.jot.add("Four.", source="pending.md").id
    for id, sentence in {
        found: "It is found: all of its 2 chunks are memories and enriched.",
        older: "It is not found, because it is superseded",
        dead: "It is found by its words only, because the job that splits it is dead.",
        failed: "splitting it failed, and is tried again",
        discarded: "because the job that splits it was discarded",
        pending: "it waits to be split into memories",
    }.items():
        assert sentence in site.get(f"/ui/documents/{id}").text
    page = site.get(f"/ui/documents/{dead}")
    assert "the <disk> is full" in page.text
    assert f"/ui/jobs/{job}" in page.links
    listed = site.get("/ui/documents")
    shown = re.findall(r'<span class="state [a-z]+">.*?</svg> (\w+)', listed.html, re.S)
    assert sorted(shown) == sorted(["ingested", "ingested", "superseded", "dead", "failed", "discarded", "pending"])
    assert f"/ui/jobs/{job}" in listed.links
    assert escape("the <disk> is full") in listed.html
    only = site.get("/ui/documents?state=dead&words=DEAD")
    assert [link for link in only.links if link.startswith("/ui/documents/")] == [f"/ui/documents/{dead}"]
    memory = site.jot.show(found).memories[0]
    assert f"/ui/memories/{memory}" in site.get(f"/ui/documents/{found}").links
    assert site.get(f"/ui/documents/{memory}", follow=False).headers["location"] == f"/ui/memories/{memory}"


def test_documents_are_paged_and_wrong_filters_are_explained(site: Site) -> None:
    assert "jotsam add docs/" in site.get("/ui/documents").text
    site.jot.add_many([{"text": f"Text {number}.", "source": f"{number}.md"} for number in range(60)])
    first = site.get("/ui/documents?words=.md")
    (following,) = [link for link in first.links if "before=" in link]
    assert len([link for link in site.get(following).links if link.startswith("/ui/documents/")]) == 10
    for wrong in ("state=nothing", "before=x", "before=9999999999999999999"):
        assert site.get(f"/ui/documents?{wrong}").status == 400, wrong
    assert "No document matches" in site.get("/ui/documents?words=absent").text


def test_a_document_with_many_chunks_shows_them_page_by_page(site: Site) -> None:
    text = "".join(f"# Part {number}\n\n{'This part is about otters. ' * 40}{number}.\n\n" for number in range(60))
    id = site.jot.add(text, source="long.md").id
    site.jot.admin.pause("enrich")
    site.jot.work()
    site.jot.admin.resume("enrich")
    count = len(site.jot.show(id).memories)
    page = site.get(f"/ui/documents/{id}")
    assert f"Chunks 1 to 50 of {count}" in page.text
    (following,) = [link for link in page.links if "from=" in link]
    assert f"Chunks 51 to {min(count, 100)} of {count}" in site.get(following).text


def test_a_document_is_forgotten_with_its_chunks_and_a_chunk_without_it_only_for_good(site: Site) -> None:
    id = site.jot.add(NOTE, source="note.md").id
    site.jot.work()
    chunk = site.jot.show(id).memories[0]
    asked = site.get(f"/ui/memories/{chunk}/forget")
    assert f"/ui/documents/{id}/forget" in asked.links
    assert asked.form(f"/ui/memories/{chunk}/forget")["how"] == "now"
    assert site.post(f"/ui/memories/{chunk}/forget", how="trash").status == 400
    page = site.act(f"/ui/documents/{id}/forget")
    assert "Forgot 2 memories, 1 document" in page.text
    site.undo(page)
    assert set(site.jot.show(id).memories) >= {chunk}


def test_all_of_a_person_is_forgotten_after_a_preview_that_lists_what_only_the_words_match(site: Site) -> None:
    site.jot.remember("Alice Hartmann works at Acme.")
    site.jot.remember("The heron lives at the lake.")
    site.jot.work()
    site.jot.admin.pause("enrich")
    site.jot.remember("The phone number of Alice Hartmann is 555 0199.")
    site.jot.admin.resume("enrich")
    site.jot.blocks.set("note", "Alice Hartmann pays.")
    page = site.get("/ui/forget?person=Alice+Hartmann")
    for said in (
        "Where they are",
        "1 memories mention them",
        "1 memories and documents are matched by their words alone",
        "555 0199",
        "1 memory blocks",
    ):
        assert said in page.text, said
    done = site.post("/ui/forget", **{**page.form("/ui/forget"), "how": "now"})
    assert "Searched again, nothing is left." in done.text
    assert [one.text for one in site.jot.list().memories] == ["The heron lives at the lake."]
    site.jot.remember("Alice Hartmann is back.")
    done = site.act("/ui/forget?person=Alice+Hartmann")
    assert "this is left: 1 in trash" in done.text
    site.undo(done)
    assert len(site.jot.list().memories) == 2
    assert site.get("/ui/forget?person=Alice+Hartmann&project=x").status == 400


def test_a_person_is_forgotten_by_the_entity_after_a_preview(site: Site) -> None:
    for text in ("Alice Hartmann works at Acme.", "Alice Hartmann moved to Bonn.", "The heron lives at the lake."):
        site.jot.remember(text)
    site.jot.work()
    page = site.get("/ui/forget?entity=Alice+Hartmann")
    assert "Forget everything with entity Alice Hartmann?" in page.text
    assert "works at Acme" in page.text
    fields = page.form("/ui/forget")
    assert (fields["entity"], fields["how"]) == ("Alice Hartmann", "trash")
    site.jot.remember("Alice Hartmann likes tea.")
    site.jot.work()
    again = site.post("/ui/forget", **fields)
    assert "It matches something else by now" in again.text
    assert len(site.jot.list().memories) == 4
    done = site.post("/ui/forget", **again.form("/ui/forget"))
    assert "Forgot 3 memories" in done.text
    assert [one.text for one in site.jot.list().memories] == ["The heron lives at the lake."]
    assert "Restored 3 memories" in site.undo(done).text
    for query, found in {"actor=nobody": "Nothing matches", "query=heron&type=Context": "would go"}.items():
        assert found in site.get(f"/ui/forget?{query}").text
    assert site.get("/ui/forget?since=someday").status == 400
    assert site.get("/ui/forget?entity=Nobody+Known").status == 404
    assert site.post("/ui/forget", how="now").status == 400
    assert site.sign_in("read").post("/ui/forget", entity="Alice Hartmann", how="now").status == 403


def test_the_trash_says_until_when_and_is_emptied(site: Site) -> None:
    assert "The trash is empty" in site.get("/ui/trash").text
    id = site.jot.remember("The platypus <b>eats</b> shrimps.").id
    batch = site.jot.forget(site.jot.plan_forget(ids=[id]), trash=True).trash
    page = site.get("/ui/trash")
    assert "The platypus <b>eats</b> shrimps." in page.text
    assert f'action="/ui/trash/{batch}/restore"' in page.html
    site.act("/ui/trash/empty")
    assert site.jot.admin.trash() == ()
    assert site.post(f"/ui/trash/{batch}/restore").status == 404


def test_the_text_of_a_document_is_shown_in_chunks_as_it_was_meant(site: Site) -> None:
    text = "# Pump\n\nIt has **two** valves.\n\n## Tank\n\n<script>alert(1)</script> holds 30 litres.\n"
    id = site.jot.add(text, source="/srv/farm/docs/pump.md", project="farm").id
    site.jot.work()
    page = site.get(f"/ui/documents/{id}")
    assert "<strong>two</strong>" in page.html
    assert "&lt;script&gt;" in page.html
    assert page.html.count('<div class="chunk"') == len(site.jot.show(id).memories)
    assert ">docs/pump.md</a>" in site.get("/ui/documents?project=farm").html


def test_a_project_is_exported_by_its_button(site: Site) -> None:
    site.jot.remember("The export of the mill has a number.", project="mill")
    site.jot.remember("The brewery has another.", project="brewery")
    page = site.get("/ui/documents?project=mill")
    (link,) = re.findall(r'href="(/ui/export[^"]*)"', page.html)
    exported = site.get(link)
    assert exported.status == 200
    assert "The export of the mill" in exported.text
    assert "The brewery" not in exported.text
    assert site.sign_in("read").get(link).status == 403
