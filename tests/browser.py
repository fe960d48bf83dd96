"""Debian's Chromium, driven by Playwright, on a real server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from web_site import Site

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
ARGUMENTS += ("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage")
PATIENCE_MS = 30_000
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

expect.set_options(timeout=PATIENCE_MS)


def chromium() -> str:
    """The path of the browser. `JOTSAM_TEST_CHROMIUM` names another one."""
    found = os.environ.get("JOTSAM_TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium: on Debian, apt-get install chromium; or name one by JOTSAM_TEST_CHROMIUM"
    return found


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS])


@contextmanager
def visiting(browser: Browser, site: Site, *, strict: bool = True, **options: Any) -> Iterator[Page]:
    """A tab of a browser that is signed in as the visitor `site`.

    An error of a script or the policy fails the test, unless it is not `strict`: an error page is one for the browser.
    """
    with browser_context(browser, site, **options) as context:
        page, wrong = context.new_page(), []
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
        page.on("console", lambda said: wrong.append(f"{page.url}: {said.text}") if said.type == "error" else None)
        page.on("dialog", lambda dialog: wrong.append(f"{page.url}: a dialog: {dialog.message}"))
        yield page
        assert not (strict and wrong), "\n".join(wrong)


@contextmanager
def browser_context(browser: Browser, site: Site, **options: Any) -> Iterator[BrowserContext]:
    """A profile of its own with the cookies of the visitor."""
    context = browser.new_context(base_url=site.server.url, **options)
    host = urlsplit(site.server.url).hostname
    context.add_cookies(
        [
            {"name": name, "value": value, "domain": host, "path": "/ui", "httpOnly": True, "sameSite": "Strict"}
            for name, value in site.cookies.items()
        ]
    )
    try:
        yield context
    finally:
        context.close()


def violations(page: Page, *, rules: Collection[str] = ()) -> list[str]:
    """What axe-core finds on the page: a line for each element that some people cannot use. `rules`: only these."""
    wanted = {"type": "rule", "values": [*rules]} if rules else {"type": "tag", "values": RULES}
    found = Axe().run(page, options={"runOnly": wanted, "resultTypes": ["violations"]}).response["violations"]
    return [
        f"{page.url}: {one['id']} ({one['impact']}): {one['help']}: {' '.join(node['html'].split())[:300]}"
        for one in found
        for node in one["nodes"]
    ]
