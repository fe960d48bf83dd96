"""The pages of jobs: lists with filters, failures by error, one job, and the actions."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser import violations
from jotsam.core.names import EVERY_QUEUE
from jotsam.storage import queue

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from jotsam import Jotsam
    from web_site import Site, WebPage

HOSTILE = "<script>document.title = 'run'</script><img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def still(site: Site) -> None:
    """No worker takes the jobs of a test, and those of the test before are gone."""
    for name in EVERY_QUEUE:
        site.jot.admin.pause(name, reason="a test")
    site.jot.admin.discard_many([job.id for job in site.jot.admin.jobs(limit=10_000)])


def bury(jot: Jotsam, id: int, error: str, *, name: str = "enrich") -> None:
    """One delivery of a job that fails for good."""
    with jot.database.transaction() as tx:
        queue.resume(tx, name)
        for job in queue.receive(tx, queue=name, owner="worker 7 on host", limit=100):
            if job.id == id:
                queue.bury(tx, job, error=error)
            else:
                queue.release(tx, job, error=None, spend=False)
        queue.pause(tx, name, reason="a test")


def listed(page: WebPage) -> list[int]:
    return [int(id) for id in re.findall(r'<th scope="row"><a href="/ui/jobs/(\d+)"', page.html)]


def states(jot: Jotsam) -> dict[int, str]:
    return {job.id: job.state for job in jot.admin.jobs(limit=1_000)}


def test_the_filter_form_lists_the_jobs_that_match(site):
    note = site.jot.add("# Cache\n\nWe chose Redis.", source="notes/cache.md", project="shop").job_id
    tea = site.jot.remember("Ben likes tea.", project="home").job_id
    bury(site.jot, tea, "TypeError: no such thing")
    page = site.get("/ui/jobs")
    assert listed(page) == [tea, note]
    assert page.form("/ui/jobs") == {"state": "", "queue": "", "project": "", "error": "", "text": ""}
    for query, expected in (
        ("state=dead", [tea]),
        ("queue=ingest&state=", [note]),
        ("kind=ingest", [note]),
        ("project=home", [tea]),
        ("error=no+such", [tea]),
        ("text=cache.md", [note]),
        ("text=coffee", []),
        ("state=leased", []),
    ):
        assert listed(site.get(f"/ui/jobs?{query}")) == expected, query
    assert "paused" in page.text
    assert "a test" in page.text
    assert site.get("/ui/jobs?state=lost").status == site.get("/ui/jobs?before=x").status == 400
    assert site.get("/ui/jobs?queue=mail").status == 400


def test_pages_follow_each_other(site):
    sent = [site.jot.remember(f"Note {number} of a long list.").job_id for number in range(60)]
    first = site.get("/ui/jobs?queue=enrich")
    (following,) = {link for link in first.links if "before=" in link}
    second = site.get(following)
    assert listed(first) + listed(second) == sorted(sent, reverse=True)
    assert not [link for link in second.links if "before=" in link]


def test_ticked_jobs_are_retried_after_a_question(site):
    dead, ready = [site.jot.remember(f"Note {number}.").job_id for number in range(2)]
    bury(site.jot, dead, "TypeError")
    asked = site.get(f"/ui/jobs/retry?id={dead}&id={ready}&id=99999&back=/ui/jobs?state=dead")
    assert "Retry 1 job?" in asked.text
    assert "2 jobs of those ticked cannot be changed" in asked.text
    assert states(site.jot)[dead] == "dead"
    done = site.post("/ui/jobs/retry", **asked.form("/ui/jobs/retry"))
    assert "Retried 1 job." in done.text
    assert states(site.jot)[dead] == "ready"
    for wrong in ("", "?id=x", f"?id={ready}"):
        assert site.get(f"/ui/jobs/retry{wrong}").status == 400


def test_what_matches_is_discarded_and_the_undo_sends_it_again(site):
    memory, other = site.jot.remember("We use tabs.", project="shop"), site.jot.remember("Spaces.", project="home")
    note = site.jot.add("# A note\n\nText.", project="shop")
    page = site.get("/ui/jobs?project=shop")
    (link,) = [link for link in page.links if link.startswith("/ui/jobs/discard") and "all=1" in link]
    asked = site.get(link)
    assert "Discard 2 jobs?" in asked.text
    assert "for 2 of 2 jobs" in asked.text
    done = site.post("/ui/jobs/discard", **asked.form("/ui/jobs/discard"))
    assert "Discarded 2 jobs." in done.text
    assert states(site.jot) == {other.job_id: "ready"}
    assert site.jot.show(memory.id).discarded
    undone = site.undo(done)
    assert "Queued 2 jobs again." in undone.text
    assert not site.jot.show(memory.id).discarded
    assert not site.jot.show(note.id).discarded
    assert len(states(site.jot)) == 3


def test_the_question_says_what_cannot_be_taken_back(site):
    sent = site.jot.admin.send_command(["forget", "--tag", "x"])
    asked = site.get(f"/ui/jobs/discard?id={sent.id}")
    assert "cannot be taken back for 1 job" in asked.text
    done = site.post("/ui/jobs/discard", **asked.form("/ui/jobs/discard"))
    assert "Undo" not in done.text


def test_failures_are_grouped_and_a_group_is_retried_and_discarded(site):
    jobs = [site.jot.remember(f"Note {number}.").job_id for number in range(3)]
    for number, id in enumerate(jobs[:2]):
        bury(site.jot, id, f"ConnectionError: no host '{number}'")
    bury(site.jot, jobs[2], "TypeError: odd")
    page = site.get("/ui/jobs/failures")
    assert "ConnectionError: no host <text>" in page.text
    (group,) = [link for link in page.links if link.startswith("/ui/jobs?group=")][:1]
    assert sorted(listed(site.get(group))) == jobs[:2]
    retry, discard = (
        next(link for link in page.links if link.startswith(f"/ui/jobs/{verb}")) for verb in ("retry", "discard")
    )
    assert "Retried 2 jobs." in site.act(retry).text
    assert states(site.jot) == {jobs[0]: "ready", jobs[1]: "ready", jobs[2]: "dead"}
    assert site.get(discard).status == 400
    page = site.get("/ui/jobs/failures")
    discard = next(link for link in page.links if link.startswith("/ui/jobs/discard"))
    assert "Discarded 1 job." in site.act(discard).text
    assert "No job has failed" in site.get("/ui/jobs/failures").text


def test_one_job_shows_why_its_document_is_found_by_words_only(site):
    receipt = site.jot.add("# Move\n\nAna moved to Bonn.", source="move.md", project="home")
    bury(site.jot, receipt.job_id, "TypeError: odd", name="ingest")
    page = site.get(f"/ui/jobs/{receipt.job_id}")
    assert f"/ui/documents/{receipt.id}" in page.links
    for text in (
        "move.md",
        "TypeError: odd",
        "worker 7 on host",
        "by its words only",
        "because the job is dead",
        receipt.id,
    ):
        assert text in page.text, text
    assert [link for link in page.links if link.startswith("/ui/jobs/retry")]
    for name in EVERY_QUEUE:
        site.jot.admin.resume(name)
    site.jot.admin.retry(receipt.job_id)
    site.jot.work()
    page = site.get(f"/ui/jobs/{receipt.job_id}")
    (memory,) = site.jot.show(receipt.id).memories
    assert f"/ui/memories/{memory}" in page.links
    assert "1 memory" in page.text
    main = page.html.partition("<main")[2].partition("</main>")[0]
    assert main
    assert "hx-get" not in main
    assert site.get("/ui/jobs/99999").status == 404
    assert site.get("/ui/jobs/x").status == 400


def test_a_queue_is_paused_and_resumed_by_an_admin(site):
    site.jot.admin.resume("enrich")
    assert "Pause the queue enrich?" in site.get("/ui/queues/enrich/pause").text
    paused = site.act("/ui/queues/enrich/pause")
    assert "Paused the queue enrich." in paused.text
    assert "enrich" in {one.queue for one in site.jot.status().paused}
    assert "Resumed the queue enrich." in site.undo(paused).text
    assert "enrich" not in {one.queue for one in site.jot.status().paused}
    assert site.get("/ui/queues/mail/pause").status == site.post("/ui/queues/mail/pause").status == 404


def test_who_may_read_changes_nothing_and_who_may_write_pauses_nothing(site):
    job = site.jot.remember("We use tabs.").job_id
    reader, writer = site.sign_in("read"), site.sign_in("write")
    for path in ("/ui/jobs", f"/ui/jobs/{job}", "/ui/jobs/failures"):
        page = reader.get(path)
        assert page.status == 200
        assert not re.search(r"/ui/(jobs/(retry|discard)|queues/)", page.html), path
    for path in ("/ui/jobs/discard", "/ui/jobs/retry", "/ui/jobs/queue-again"):
        assert reader.post(path, id=job, item="x").status == 403
    for path in ("/ui/queues/enrich/pause", "/ui/queues/enrich/resume"):
        assert writer.post(path).status == writer.get(path).status == 403
    assert "/ui/queues/" not in writer.get("/ui/jobs").html
    assert states(site.jot)[job] == "ready"


def test_after_an_action_nobody_is_sent_to_another_site(site):
    job = site.jot.remember("We use tabs.").job_id
    bury(site.jot, job, "TypeError")
    page = site.post("/ui/jobs/retry", follow=False, id=job, back="//evil.example/ui/jobs")
    assert page.headers["location"] == "/ui/jobs"


def test_hostile_text_is_shown_as_it_is(site, browser_page: Page):
    job = site.jot.remember(HOSTILE, project=HOSTILE[:50]).job_id
    bury(site.jot, job, HOSTILE)
    for path in ("/ui/jobs", "/ui/jobs/failures", f"/ui/jobs/{job}", f"/ui/jobs/discard?id={job}"):
        browser_page.goto(path)
        expect(browser_page.locator("main")).to_contain_text("document.title")
        assert "run" not in browser_page.title()


def test_the_pages_can_be_used_by_everyone_and_the_keys_move(site, browser_page: Page):
    note = site.jot.add("# Cache\n\nWe chose Redis.", source="notes/cache.md", project="shop").job_id
    tea = site.jot.remember("Ben likes tea.").job_id
    bury(site.jot, tea, "TypeError: no such thing")
    wrong = []
    for path in (
        "/ui/jobs",
        "/ui/jobs?text=nothing",
        "/ui/jobs/failures",
        f"/ui/jobs/{tea}",
        f"/ui/jobs/discard?id={tea}",
    ):
        browser_page.goto(path)
        wrong += violations(browser_page)
    assert wrong == []
    browser_page.goto("/ui/jobs")
    browser_page.get_by_label("Tick all on this page").check()
    expect(browser_page.get_by_label(f"Tick job {note}")).to_be_checked()
    browser_page.get_by_role("button", name="Discard ticked").click()
    browser_page.get_by_role("button", name="Discard 2 jobs").click()
    expect(browser_page.get_by_role("status")).to_contain_text("Discarded 2 jobs.")
    browser_page.get_by_role("button", name="Undo").click()
    expect(browser_page.get_by_role("status")).to_contain_text("Queued 2 jobs again.")
    assert len(states(site.jot)) == 2


def test_the_page_of_a_job_follows_it_until_it_is_done(site, browser_page: Page):
    receipt = site.jot.remember("Ana moved to Bonn.")
    browser_page.goto(f"/ui/jobs/{receipt.job_id}")
    expect(browser_page.locator("#job")).to_contain_text("Its queue is paused")
    for name in EVERY_QUEUE:
        site.jot.admin.resume(name)
    site.jot.work()
    expect(browser_page.locator("#job")).to_contain_text("It is done.")
    assert unescape(browser_page.locator("h1").inner_text()) == f"Job {receipt.job_id}: enrich"
