"""Runs the benchmarks and writes docs/benchmarks.md.

    python -m benchmarks.run --peers .venv-peers --documents FOLDER      all of them; takes about an hour
    python -m benchmarks.run accept queue.cost                           only these; the others keep their figures
    python -m benchmarks.run --quick                                     a smoke run that writes nothing

The figures are in benchmarks/results.json, and the page is made from that and from benchmarks/page.md. At its end a run
prints each figure that has a target beside that of the latest release (of the last commit, as long as there is none),
and it exits with 1 if one is worse by more than a tenth.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from benchmarks import plan
from benchmarks.child import ROOT
from benchmarks.report import TARGETS, Bound, Report, grid, number

NAMES = (
    "accept",
    "redaction",
    "batches",
    "listing",
    "forgetting",
    "exporting",
    "size",
    "maintain",
    "growth",
    "commands",
    "mcp_server",
    "http.requests",
    "http.load",
    "http.dashboard",
    "drain",
    "recall.answering",
    "enrichment.stages",
    "enrichment.linking",
    "enrichment.drain",
    "recall.latency",
    "recall.meaning",
    "recall.mixed",
    "queue.cost",
    "queue.backlog",
    "queue.processor",
    "queue.crowd",
    "queue.wake",
    "queue.options",
    "queue.outage",
    "postgres.drain",
    "postgres.backlog",
    "postgres.pinned",
    "postgres.batches",
    "postgres.enqueue",
    "postgres.wake",
    "postgres.recall",
    "postgres.vectors",
    "engines.falkordb",
    "postgres.partitions",
)
SCORED = ("recall.year",)  # on questions from outside this project, by commands of their own
RESULTS = ROOT / "benchmarks" / "results.json"
NOT_RUN = "<!-- not run: it measures for minutes -->"
TEMPLATE = ROOT / "benchmarks" / "page.md"
PAGE = ROOT / "docs" / "benchmarks.md"


def main() -> None:
    given = _given()
    unknown = [name for name in given.names if name not in NAMES]
    if unknown:
        raise SystemExit(f"there is no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}")
    bounds: list[Bound] = []
    for name in given.names or NAMES:
        print(f"\n## {name}\n", flush=True)
        report = plan.run(import_module(f"benchmarks.{name}").measure, given)
        print(report.markdown(), flush=True)
        bounds += report.bounds
        if not given.quick:
            keep(name, report)
            write_page(PAGE)
    if not given.quick:
        sys.exit(compare(bounds, earlier()))


def compare(bounds: Sequence[Bound], before: Mapping[str, float]) -> int:
    """Print the figures beside those of before, by their promise. Returns 1 if one got worse, and 0 otherwise."""
    worse = [bound for bound in bounds if bound.promise in before and bound.got_worse(before[bound.promise])]
    if bounds:
        rows = [(*bound.row(), number(before[bound.promise]) if bound.promise in before else "") for bound in bounds]
        print("\n" + grid((*TARGETS, "before"), rows))
    for bound in worse:
        print(f"worse: {bound.promise}: {number(bound.measured)}, before {number(before[bound.promise])} {bound.unit}")
    return int(bool(worse))


def earlier() -> dict[str, float]:
    """The figures of the latest release, or of the last commit as long as there is none, by their promise."""
    tag = _git("describe", "--tags", "--abbrev=0", "--match", "v*") or "HEAD"
    kept_then = json.loads(_git("show", f"{tag.strip()}:{RESULTS.relative_to(ROOT)}") or "{}")
    bounds = (bound for values in kept_then.values() for bound in Report.of(values).bounds)
    return {bound.promise: bound.measured for bound in bounds}


def _git(*arguments: str) -> str:
    """What git prints, or nothing if it fails."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout


def write_page(path: Path) -> None:
    """Make the page of all figures that were ever kept."""
    reports = {name: Report.of(values) for name, values in kept().items()}
    page = TEMPLATE.read_text().replace("{bounds}", _bounds(reports))
    for name in (*NAMES, *SCORED):
        page = page.replace("{" + name + "}", _section(name, reports.get(name)))
    path.parent.mkdir(exist_ok=True)
    path.write_text(page)


def _given() -> argparse.Namespace:
    parser = plan.options(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(NAMES)} (default: all)")
    return parser.parse_args()


def kept() -> dict[str, dict[str, object]]:
    """What was ever measured and kept, by the name of its benchmark."""
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def keep(name: str, report: Report) -> None:
    today = f"{datetime.now(UTC).date()} at commit {_git('rev-parse', '--short', 'HEAD').strip() or 'unknown'}"
    results = kept() | {name: report.as_dict() | {"measured": today}}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def _section(name: str, report: Report | None) -> str:
    """The docstring of a benchmark says what is compared and why that is fair; its report says what came out."""
    prose = (import_module(f"benchmarks.{name}").__doc__ or "").strip()
    outcome = report.markdown() if report else "Not measured yet."
    command = f"{NOT_RUN}\n```bash\npython -m benchmarks.run {name}\n```\n\n" if name in NAMES else ""
    return f"{prose}\n\n{command}{outcome}"


def _bounds(reports: dict[str, Report]) -> str:
    rows = [bound.row() for name in (*NAMES, *SCORED) if name in reports for bound in reports[name].bounds]
    return grid(TARGETS, rows)


if __name__ == "__main__":
    main()
