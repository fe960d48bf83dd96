"""Takes a picture of every page of the dashboard, with memory as people have it: light, dark, and as wide as a phone.

    python -m tools.screenshots FOLDER [PAGE ...]      PAGE: a name of `PAGES`; all of them without one

    python -m tools.screenshots --docs                 writes the pictures of docs/dashboard.md

It starts a server on a temporary file, fills it, lets the worker work, and drives Debian's Chromium.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from browser import launch, visiting  # noqa: E402
from http_server import serving  # noqa: E402
from jotsam import Jotsam  # noqa: E402
from tools.example_jobs import done_job, failed_job, waiting_job  # noqa: E402
from tools.example_memory import fill  # noqa: E402
from web_site import Site, open_client  # noqa: E402

Address = str | Callable[[Jotsam], str]


def found(jot: Jotsam, question: str) -> str:
    return jot.recall(question).hits[0].id


def superseded(jot: Jotsam) -> str:
    return next(one.id for one in jot.list(history=True).memories if one.superseded_at is not None)


def document(jot: Jotsam) -> str:
    return next(one.document for one in jot.list().memories if one.document)


# The name of each picture, with the address of its page or a function that finds it in the memory.
PAGES: dict[str, Address] = {
    "sign-in": "/ui/sign-in",
    "today": "/ui/",
    "inbox": "/ui/inbox",
    "arriving": "/ui/arriving?since=1",
    "home": "/ui/operate",
    "next": "/ui/next?project=billing",
    "next-prompt": "/ui/next?project=billing&prompt=which+database+does+billing+use%3F",
    "sessions": "/ui/sessions",
    "session": "/ui/sessions/session-2",
    "cost": "/ui/cost",
    "entities": "/ui/entities",
    "entity": lambda jot: "/ui/entities/people:ana-lima",
    "entity-graph": "/ui/entities/people:ana-lima/graph?open=tools:postgresql",
    "timeline": "/ui/timeline?at=2026-03-10&q=where+does+Ana+live",
    "compared": "/ui/timeline?at=2026-03-01&to=2099-01-01",
    "settings": "/ui/settings",
    "agents": "/ui/agents",
    "tokens": "/ui/tokens",
    "token-create": "/ui/tokens/create",
    "audit": "/ui/audit",
    "jobs": "/ui/jobs",
    "jobs-dead": "/ui/jobs?state=dead&text=nothing",
    "jobs-failures": "/ui/jobs/failures",
    "jobs-discard": lambda jot: f"/ui/jobs/discard?id={failed_job(jot)}&id={waiting_job(jot)}",
    "job-dead": lambda jot: f"/ui/jobs/{failed_job(jot)}",
    "job-done": lambda jot: f"/ui/jobs/{done_job(jot)}",
    "not-found": "/ui/nowhere",
    "memories": "/ui/memories",
    "search": "/ui/memories?q=which+database+do+we+use+for+billing%3F",
    "answer": "/ui/memories?q=where+does+Ana+Lima+live%3F",
    "go": "/ui/go?q=billing",
    "memory": lambda jot: f"/ui/memories/{found(jot, 'PostgreSQL billing service Ana Lima proposed')}",
    "superseded": lambda jot: f"/ui/memories/{superseded(jot)}",
    "edit": lambda jot: f"/ui/memories/{superseded(jot)}/edit",
    "supersede": lambda jot: f"/ui/memories/{found(jot, 'nightly export')}/supersede",
    "forget-memory": lambda jot: f"/ui/memories/{found(jot, 'nightly export')}/forget",
    "documents": "/ui/documents",
    "document": lambda jot: f"/ui/documents/{document(jot)}",
    "lifecycle": "/ui/lifecycle",
    "lifecycle-plan": "/ui/lifecycle/plan/decay",
    "lifecycle-run": lambda jot: f"/ui/lifecycle/runs/{jot.lifecycle.runs()[0].id}",
    "forget": "/ui/forget",
    "forget-preview": lambda jot: "/ui/forget?entity=Ana+Lima",
    "trash": "/ui/trash",
}
LOOKS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 800}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 800}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 800}},
}
DOCS = ["today", "session", "timeline"]
DOCS_LOOK = {"docs": {"color_scheme": "light", "viewport": {"width": 840, "height": 520}}}
MAX_DOCS_BYTES = 80_000


def take(browser: Browser, site: Site, folder: Path, names: list[str], looks: dict[str, Any]) -> list[str]:
    """Take the pictures. Returns what is wrong: pages wider than the window, and pictures too large for the docs."""
    wrong = []
    for look, options in looks.items():
        for name in names:
            found = PAGES[name]
            visitor = Site(site.server, site.jot) if name == "sign-in" else site.sign_in()
            with visiting(browser, visitor, strict=name != "not-found", reduced_motion="reduce", **options) as page:
                address = found if isinstance(found, str) else found(site.jot)
                page.goto(address)
                path = folder / (f"{name}.png" if look == "docs" else f"{name}-{look}.png")
                page.screenshot(path=path, full_page=look != "docs")
                if look == "docs" and path.stat().st_size > MAX_DOCS_BYTES:
                    wrong.append(f"{path} has {path.stat().st_size:,} bytes: at most {MAX_DOCS_BYTES:,}")
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    wrong.append(f"{name} is wider than the window: {look}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("pages", nargs="*", choices=[[], *PAGES])
    parser.add_argument("--empty", action="store_true", help="on an empty memory, without pages of one thing")
    parser.add_argument("--docs", action="store_true", help="those of docs/dashboard.md")
    given = parser.parse_args()
    if given.docs == bool(given.folder):
        parser.error("name a folder, or --docs")
    folder = given.folder or ROOT / "docs" / "pictures"
    names, looks = (DOCS, DOCS_LOOK) if given.docs else (given.pages or [*PAGES], LOOKS)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        db = f"{temporary}/jotsam.db"
        with serving(db, worker=False) as server, open_client(db) as jot, sync_playwright() as playwright:
            if given.empty:
                names = [name for name in names if isinstance(PAGES[name], str)]
            else:
                fill(jot)
            browser = launch(playwright)
            wrong = take(browser, Site(server, jot), folder, names, looks)
            browser.close()
    print("\n".join(wrong) or f"pictures in {folder}")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
