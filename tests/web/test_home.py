"""The first page: the numbers of `status` with their pages, what is degraded, and parts that stay current."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser import violations, visiting
from http_server import serving
from jotsam.core.job_records import JobSpec
from jotsam.storage import queue
from web_site import Site, WebPage, open_client

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def tiles(page: WebPage) -> dict[str, tuple[str, str]]:
    """The number and the link of each tile, by its name."""
    found = re.findall(r'<a class="tile[^"]*" id="tile-(\w+)" href="([^"]*)"><span class="value">([^<]*)<', page.html)
    return {name: (value, link) for name, link, value in found}


def degraded(page: WebPage) -> str:
    """What is said to be degraded."""
    found = re.search(r'<section id="degraded".*?</section>', page.html, re.S)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def send(site: Site, count: int, **fields: object) -> None:
    with site.jot.database.transaction() as tx:
        for _ in range(count):
            queue.send(tx, JobSpec(**{"queue": "enrich", "kind": "enrich", **fields}))  # type: ignore[arg-type]


def store(site: Site, *texts: str) -> None:
    """Store memories and process them."""
    site.jot.remember_many(texts)
    site.jot.work()


def test_the_strip_has_the_numbers_of_the_status_and_leads_to_the_jobs(site: Site) -> None:
    store(site, "Marcus prefers Flask.", "Ana uses PostgreSQL.")
    send(site, 4)
    send(site, 1, delay_ms=3_600_000)
    with site.jot.database.transaction() as tx:
        _, dead = queue.receive(tx, queue="enrich", owner="me", limit=2, lease_ms=3_600_000)
        assert queue.bury(tx, dead, error="x")
    now, page = site.jot.status(), site.get("/ui/operate")
    shown = tiles(page)
    assert {name: value for name, (value, _) in shown.items()} == {
        "ready": "2",
        "leased": "1",
        "waiting": "1",
        "blocked": "0",
        "dead": "1",
        "paused": "0",
        "done": f"{now.done}",
    }
    assert now.depth.pending == 3
    assert (now.depth.in_progress, now.depth.dead) == (1, 1)
    for state in ("ready", "leased", "waiting", "blocked", "dead", "done"):
        assert shown[state][1] == f"/ui/jobs?state={state}"
    assert "1 job failed too often or for good, and will not be tried again error" in page.text
    assert "2 memories 0 documents" in page.text
    assert re.search(r"enrich \d[\d.]* m?s \d[\d.]* m?s 2 1 ", page.text), (
        "the times, the done jobs, the failed attempts"
    )
    assert re.search(r"Hour Accepted Done Failed attempts Dead \d{4}-\d\d-\d\d \d\d:\d\d 7 2 0 1 ", page.text)
    assert "1 job failed too often or for good" in degraded(page)


def test_a_paused_queue_is_degraded_with_its_reason_which_is_only_text(site: Site, browser: Browser) -> None:
    site.jot.remember("an empty memory has no tiles")
    site.jot.admin.pause("embed", reason=HOSTILE)
    page = site.get("/ui/operate")
    assert f"The queue embed is paused: {HOSTILE}. jotsam jobs resume embed" in page.text
    assert HOSTILE not in page.html
    assert tiles(page)["paused"][0] == "1"
    with visiting(browser, site.sign_in("read")) as tab:
        tab.goto("/ui/operate")
        expect(tab.locator("#degraded")).to_contain_text(HOSTILE)
        expect(tab.locator("img")).to_have_count(0)
    site.jot.admin.resume("embed")


def test_the_level_is_that_of_the_status_in_words(site: Site) -> None:
    send(site, site.jot.settings.soft_cap)
    with site.jot.database.transaction() as tx:
        tx.execute("update queue_job set created_at = created_at - 1200000 where state = 'ready'")
    assert ("backlog", "warning") in [(one.name, one.level) for one in site.jot.status().findings]
    page = site.get("/ui/operate")
    assert "the oldest since 20 min" in page.text
    assert "the oldest has waited 20 min: the workers do not keep up; new jobs are still accepted." in degraded(page)


def test_nothing_of_the_page_needs_scripts_and_nobody_is_kept_from_it(browser_page: Page, site: Site) -> None:
    store(site, "Clara reviews migrations.")
    browser_page.goto("/ui/operate")
    expect(browser_page.locator("#latest li")).not_to_have_count(0)
    browser_page.locator("summary").click()
    assert violations(browser_page) == []
    hidden = re.search(r"<button[^>]*data-pause[^>]*>", site.get("/ui/operate").html)
    assert hidden, "there is a button"
    assert " hidden " in hidden[0], "a button that only works with scripts"


def test_an_empty_memory_says_what_to_do_and_the_page_fills_itself(browser: Browser, tmp_path: Path) -> None:
    db = str(tmp_path / "jotsam.db")
    with serving(db) as server, open_client(db) as jot, visiting(browser, Site(server, jot).sign_in()) as page:
        page.goto("/ui/operate")
        expect(page.locator("h1")).to_have_text("Nothing is stored yet")
        expect(page.locator(".steps code")).to_have_count(3)
        assert violations(page) == []
        expect(page.locator("#live")).to_have_text("live")
        jot.remember("Ana leads billing.")
        expect(page.locator("#tile-ready .value")).to_have_text("1")
        jot.work()
        expect(page.locator("h1")).to_have_text("Nothing waits")
        expect(page.locator("#tile-done .value")).to_have_text("1")
        expect(page.locator("#latest")).to_contain_text("Job 1 (enrich) is done")


def test_updates_stop_while_they_are_paused_or_the_tab_is_hidden(browser: Browser, site: Site) -> None:
    with visiting(browser, site) as watched, visiting(browser, site) as witness:
        for page in (watched, witness):
            page.goto("/ui/operate")
            expect(page.locator("#live")).to_have_text("live")
        sent: list[str] = []
        watched.on("request", lambda request: sent.append(request.url))

        def change() -> str:
            """Store a memory, and wait until the other tab shows it."""
            count = site.jot.status().memories + 1
            site.jot.remember(f"Note {count}")
            expect(witness.locator("#stored")).to_contain_text(f"{count} memories")
            return f"{count} memories"

        now = change()
        expect(watched.locator("#stored")).to_contain_text(now)
        watched.get_by_role("button", name="Pause updates").click()
        expect(watched.locator("#live")).to_have_text("paused")
        sent.clear()
        change()
        assert sent == [], "paused"
        watched.get_by_role("button", name="Resume updates").click()
        expect(watched.locator("#live")).to_have_text("live")
        _set_hidden(watched, "true")
        sent.clear()
        now = change()
        assert sent == [], "hidden"
        _set_hidden(watched, "false")
        expect(watched.locator("#stored")).to_contain_text(now)


def test_an_update_keeps_the_focus_and_an_open_table(browser_page: Page, site: Site) -> None:
    browser_page.goto("/ui/operate")
    expect(browser_page.locator("#live")).to_have_text("live")
    browser_page.locator("summary").click()
    browser_page.locator("#tile-dead").focus()
    count = site.jot.status().memories + 1
    site.jot.remember(f"Another note {count}")
    expect(browser_page.locator("#stored")).to_contain_text(f"{count} memories")
    expect(browser_page.locator("#tile-dead")).to_be_focused()
    expect(browser_page.locator("#hours")).to_be_visible()


def _set_hidden(page: Page, hidden: str) -> None:
    page.evaluate(
        f"""() => {{
          Object.defineProperty(document, "hidden", {{ value: {hidden}, configurable: true }});
          document.dispatchEvent(new Event("visibilitychange"));
        }}"""
    )
