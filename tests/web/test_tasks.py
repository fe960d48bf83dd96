"""What people open the dashboard for, by a visitor who clicks only what is visible, in as few clicks as promised."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tools.example_memory import fill

from browser import visiting
from http_server import serving
from servers import Server
from web_site import Site, open_client


class Visitor:
    """Begins on Today, and counts its clicks. Typing is none."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        page.goto("/ui/")

    def click(self, name: str, *, role: str = "link", within: str = "body", exact: bool = True) -> None:
        self.click_on(self.page.locator(within).get_by_role(role, name=name, exact=exact).first)  # type: ignore[arg-type]

    def click_on(self, target: Locator) -> None:
        expect(target).to_be_visible()
        target.click()
        self.clicks += 1

    def sees(self, text: str) -> None:
        expect(self.page.locator("main").get_by_text(text).locator("visible=true").first).to_be_visible()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.needs_server)])
def team(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The dashboard of a memory as a team could have it. Each test changes its own."""
    if request.param == "sqlite":
        db = str(tmp_path_factory.mktemp("tasks") / "jotsam.db")
    else:
        server: Server = request.getfixturevalue("server")
        db = server.url()
    with serving(db) as http, open_client(db) as jot:
        jot.remember("The kitchen is painted green.", project="house")
        fill(jot)
        yield Site(http, jot).sign_in()


@pytest.fixture
def visitor(browser: Browser, team: Site) -> Iterator[Visitor]:
    with visiting(browser, team) as page:
        yield Visitor(page)


def test_ten_tasks_take_as_few_clicks_as_promised(visitor: Visitor, team: Site) -> None:
    clicks = {name: _done(visitor, task) for name, task in TASKS.items()}
    assert clicks == {
        "read a session": 2,
        "see what the next session gets": 2,
        "correct a wrong fact": 3,
        "compare what was known on two dates": 3,
        "export a project": 3,
        "learn why a job failed": 2,
        "retry all jobs that failed with one error": 3,
        "see what models have cost": 2,
        "merge two names of the same": 1,
        "forget a person": 5,
    }
    assert not [hit for hit in team.jot.recall("Ana Lima").hits if "Ana Lima" in hit.text]
    assert not [one for one in team.jot.list(limit=200).memories if "Ana Lima" in one.text]


def _done(visitor: Visitor, task: object) -> int:
    visitor.clicks = 0
    visitor.page.goto("/ui/")
    task(visitor)  # type: ignore[operator]
    return visitor.clicks


def _read_session(visitor: Visitor) -> None:
    visitor.click("Sessions")
    visitor.click("the nightly export of Northwind failed again, please look")
    visitor.sees("without a customer name, and write them to")
    visitor.sees("What the next session gets")


def _next_session(visitor: Visitor) -> None:
    visitor.click("Sessions")
    visitor.click("Next session")
    visitor.sees("never change the schema of billing without a migration that can be undone")


def _correct_fact(visitor: Visitor) -> None:
    visitor.click("Knowledge")
    visitor.click("Clara Sommer")
    visitor.click("Wrong: Initech", role="button")
    expect(visitor.page.get_by_role("button", name="Undo")).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Wrong: Initech")).to_have_count(0)


def _compare_dates(visitor: Visitor) -> None:
    today = datetime.now(UTC).date()
    visitor.click("Knowledge")
    visitor.click("Timeline")
    visitor.page.get_by_label("Date", exact=True).fill("2026-03-05")
    visitor.page.get_by_label("Compare with (optional)").fill((today + timedelta(days=1)).isoformat())
    visitor.click("Show", role="button", within="main")
    visitor.sees("Ana Lima")
    visitor.sees("lives in Porto")


def _export(visitor: Visitor) -> None:
    _switch(visitor, "billing")
    visitor.clicks += 1
    visitor.click("Sources")
    with visitor.page.expect_download() as download:
        visitor.click("Export billing")
    lines = [json.loads(line) for line in download.value.path().read_text(encoding="utf-8").splitlines()]
    assert lines[0]["kind"] == "header"
    assert {one["project"] for one in lines if one["kind"] == "memory"} == {"billing"}
    _switch(visitor, "")


def _switch(visitor: Visitor, project: str) -> None:
    with visitor.page.expect_navigation():
        visitor.page.get_by_label("Project of all pages").select_option(project)


def _why_failed(visitor: Visitor) -> None:
    visitor.click("Errors, and retry")
    visitor.click_on(visitor.page.locator("main tbody tr").first.get_by_role("link", name=re.compile(r"^job \d")))
    visitor.sees("ConnectionError: no reply from")


def _retry(visitor: Visitor) -> None:
    visitor.click("Errors, and retry")
    visitor.click_on(visitor.page.locator("main tbody tr").first.get_by_role("link", name="Retry"))
    visitor.click_on(visitor.page.locator("main").get_by_role("button", name="Retry").first)
    expect(visitor.page.get_by_role("status").first).to_be_visible()


def _cost(visitor: Visitor) -> None:
    visitor.click("Operate")
    visitor.click("Cost")
    visitor.sees("qwen3:8b")


def _merge(visitor: Visitor) -> None:
    visitor.click("Merge", role="button", exact=False)
    expect(visitor.page.get_by_role("button", name="Undo")).to_be_visible()


def _forget_person(visitor: Visitor) -> None:
    visitor.click("Knowledge")
    visitor.click("Ana Lima")
    visitor.click("Forget", within="main")
    visitor.click_on(visitor.page.get_by_label("For good: the texts are deleted"))
    visitor.click("Forget", role="button", within="main", exact=False)
    visitor.sees("nothing is left")


TASKS = {
    "read a session": _read_session,
    "see what the next session gets": _next_session,
    "correct a wrong fact": _correct_fact,
    "compare what was known on two dates": _compare_dates,
    "export a project": _export,
    "learn why a job failed": _why_failed,
    "retry all jobs that failed with one error": _retry,
    "see what models have cost": _cost,
    "merge two names of the same": _merge,
    "forget a person": _forget_person,
}
