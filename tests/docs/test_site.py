"""The site of the documentation, opened from a folder in the real browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect, sync_playwright
from tools.site import build

from browser import launch


def test_the_search_works_in_a_folder(tmp_path: Path) -> None:
    assert build(tmp_path) == 0
    with sync_playwright() as playwright, launch(playwright) as browser:
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{tmp_path.as_uri()}/index.html")
        # The page listens to keys, which `fill` does not press.
        page.get_by_role("textbox", name="Search").press_sequentially("DatabaseReadOnly")
        expect(page.locator(".md-search-result__link").first).to_contain_text("Errors")
        page.locator(".md-search-result__link", has_text="DatabaseReadOnly").first.click()
        expect(page.get_by_role("heading", name="DatabaseReadOnly")).to_be_visible()
        assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == []
