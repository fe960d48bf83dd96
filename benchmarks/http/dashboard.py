"""How fast the first page of the dashboard appears with 100,000 jobs, against a page that reads nothing.

Both are opened in a real browser, Debian's Chromium, driven by Playwright; the figure is the First Contentful Paint
that the browser reports. The page that reads nothing is the sign-in of the same server: the same layout, style and
scripts. The CPU time is that of the server's process for a request, without a browser. No worker runs.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from playwright.sync_api import Page, sync_playwright

from benchmarks.http.server import Served, served
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns
from jotsam import Jotsam
from jotsam.core.job_records import JobSpec
from jotsam.memory.access.sign_ins import create_link
from jotsam.storage import queue

JOBS, MEMORIES = 100_000, 500
REQUESTS = 20  # of a turn that measures CPU time
LIMIT = 5
EMPTY, HOME, OPERATE, COST = "sign-in", "Today", "Operate", "cost"
PATHS = {EMPTY: "/ui/sign-in", HOME: "/ui/", OPERATE: "/ui/operate", COST: "/ui/cost"}
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def measure(plan: Plan) -> Report:
    db, jobs = str(plan.folder / "jotsam.db"), plan.of(full=JOBS, quick=1_000)
    rounds = plan.of(full=25, quick=1)
    with Jotsam(db, worker="off") as jot:
        _fill(jot, jobs)
        link = create_link(jot.database, tenant="default", scope="read")
        with served(db) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox", "--disable-gpu"])
            context = browser.new_context(base_url=server.url)
            page = context.new_page()
            page.goto(f"/ui/sign-in?link={link}")
            cookies = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies())
            paints = take_turns(PATHS, rounds, lambda path: _paint_ns(page, path))
            cpu = take_turns(PATHS, rounds, lambda path: _cpu_ns(server, path, cookies))
            browser.close()
    tables = [
        _table(f"First Contentful Paint in a browser, with {jobs:,} jobs.", paints),
        _table(f"CPU time of the server for a request, with {jobs:,} jobs.", cpu),
    ]
    promise = f"the dashboard's first page with {jobs:,} jobs, against a page that reads nothing"
    bounds = [Bound(promise=promise, measured=ratio(paints[HOME], paints[EMPTY]), limit=LIMIT)]
    conditions = (f"{rounds} rounds", f"{REQUESTS} requests in a turn of CPU time", "style and scripts cached")
    return Report(tables=tables, bounds=bounds, conditions=conditions)


def _fill(jot: Jotsam, jobs: int) -> None:
    """Memories with entities and facts, and jobs of which some were retried and some are dead."""
    jot.remember_many([f"Ana Lima chose PostgreSQL for service {number}." for number in range(MEMORIES)])
    jot.work()
    with jot.database.transaction() as tx:
        for _ in range(jobs):
            queue.send(tx, JobSpec(queue="enrich", kind="enrich"))
        leased = queue.receive(tx, queue="enrich", owner="benchmark", limit=jobs // 10)
        for place, job in enumerate(leased):
            if place % 2:
                queue.release(tx, job, error="TimeoutError: no answer", delay_ms=3_600_000)
            else:
                queue.bury(tx, job, error="ValueError: wrong")


def _paint_ns(page: Page, path: str) -> float:
    page.goto(path)
    page.wait_for_function(PAINTED)
    return float(page.evaluate(PAINT)) * 1e6


def _cpu_ns(server: Served, path: str, cookies: str) -> float:
    """CPU time of the server's process for one request."""
    before = _used_ns(server.process.pid)
    for _ in range(REQUESTS):
        request = Request(f"http://{urlsplit(server.url).netloc}{path}", headers={"Cookie": cookies})
        with urlopen(request) as response:
            assert response.status == 200
            response.read()
    return (_used_ns(server.process.pid) - before) / REQUESTS


def _used_ns(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1e9 / os.sysconf("SC_CLK_TCK")


def _table(caption: str, rounds: dict[str, list[float]]) -> Table:
    rows = [(name, duration(middle(times)), number(ratio(times, rounds[EMPTY]))) for name, times in rounds.items()]
    return Table(caption=caption, columns=("page", "p50", "against the sign-in"), rows=rows)


def _chromium() -> str:
    found = os.environ.get("JOTSAM_TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        raise SystemExit("this benchmark needs Chromium: on Debian, apt-get install chromium")
    return found


if __name__ == "__main__":
    main(measure, __doc__)
