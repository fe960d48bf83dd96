"""A server with the dashboard for each module of tests, a visitor that is signed in, and a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from browser import launch, visiting
from http_server import serving
from web_site import Site, open_client


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A visitor with the scope operator, of a server on an empty file. Its tests share the memory."""
    db = str(tmp_path_factory.mktemp("web") / "jotsam.db")
    with serving(db) as server, open_client(db) as jot:
        yield Site(server, jot).sign_in()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def browser_page(browser: Browser, site: Site) -> Iterator[Page]:
    """A tab of a browser that is signed in."""
    with visiting(browser, site.sign_in()) as page:
        yield page
