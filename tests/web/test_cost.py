"""The page of costs: by day, model, kind and job, and the cap in words."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from browser import violations
from http_server import serving
from jotsam.core.clock import system_clock
from jotsam.storage import connect
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.costs.ledger import DAY_MS, Cap, Spent
from web_site import Site, open_client

HOSTILE = "<script>alert(1)</script>"


def spend(
    site: Site, tokens: int, *, days: int = 0, job: int = 0, model: str = "qwen", purpose: str = "extraction"
) -> None:
    """A request some days ago."""
    database = connect(site.jot.settings.db, clock=lambda: system_clock() - days * DAY_MS)
    budget = Budget(database, cap=Cap(), timeout_ms=45_000)
    call = ModelCall(tenant="default", model=model, purpose=purpose, job_id=job)
    used = Spent(tokens_in=tokens, tokens_out=0, cost=tokens / 100_000)
    with budget.request(call, estimate=used) as entry:
        budget.settle(call, entry, spent=used)
    database.close()


def test_costs_are_shown_by_day_model_kind_and_job(site: Site, browser_page: Page) -> None:
    assert "No request to a model in 30 days" in site.get("/ui/cost").text
    spend(site, 40_000, days=3, job=7)
    spend(site, 1_000, job=8, model=HOSTILE, purpose="embedding")
    page = site.get("/ui/cost")
    assert "2 requests, 41,000 tokens, cost 0.4100 in 30 days" in page.text
    assert "The language model is off. " in page.text
    assert "export JOTSAM_LLM_URL=" in page.text
    assert "1,000 of 1,000,000 tokens today" in page.text
    assert "qwen 1 40,000 0.4000" in page.text
    assert "embed 1 1,000 0.0100" in page.text
    assert HOSTILE not in page.html
    assert [link for link in page.links if link.startswith("/ui/jobs/")] == ["/ui/jobs/7", "/ui/jobs/8"]
    site.jot.remember("Ana leads billing.")
    assert "1,000 of 1,000,000 tokens today" in site.get("/ui/operate").text
    browser_page.goto("/ui/cost")
    browser_page.locator("summary").click()
    expect(browser_page.locator("svg.bars rect")).to_have_count(2)
    assert violations(browser_page) == []


def test_a_model_that_is_on_is_named_and_a_cap_that_is_reached_says_so(tmp_path: Path) -> None:
    db = str(tmp_path / "jotsam.db")
    model = {"JOTSAM_LLM_URL": "http://127.0.0.1:9/v1", "JOTSAM_LLM_MODEL": "qwen3:8b"}
    with serving(db, environ={**model, "JOTSAM_LLM_DAILY_TOKENS": "500"}) as server, open_client(db) as jot:
        site = Site(server, jot).sign_in()
        spend(site, 400)
        assert "400 of 500 tokens today 80 % used: nearly reached" in site.get("/ui/cost").text
        spend(site, 100)
        page = site.get("/ui/cost")
        assert "500 of 500 tokens today the cap is reached" in page.text
        assert "Language model qwen3:8b" in page.text
        assert "is off" not in page.text
