"""Runs the benchmarks and writes docs/benchmarks.md.

    python -m benchmarks.run --peers .venv-peers --documents FOLDER      all of them; takes about an hour
    python -m benchmarks.run accept queue.cost                           only these; the others keep their figures
    python -m benchmarks.run --quick                                     a smoke run that writes nothing

The figures are in benchmarks/results.json, and the page is made from that and from benchmarks/page.md.
"""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path

from benchmarks import plan
from benchmarks.child import ROOT
from benchmarks.report import Report, grid

NAMES = (
    "accept",
    "redaction",
    "batches",
    "listing",
    "forgetting",
    "exporting",
    "size",
    "maintain",
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
    for name in given.names or NAMES:
        print(f"\n## {name}\n", flush=True)
        report = plan.run(import_module(f"benchmarks.{name}").measure, given)
        print(report.markdown(), flush=True)
        if not given.quick:
            keep(name, report)
            write_page(PAGE)


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
    results = kept() | {name: report.as_dict()}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def _section(name: str, report: Report | None) -> str:
    """The docstring of a benchmark says what is compared and why that is fair; its report says what came out."""
    prose = (import_module(f"benchmarks.{name}").__doc__ or "").strip()
    outcome = report.markdown() if report else "Not measured yet."
    command = f"{NOT_RUN}\n```bash\npython -m benchmarks.run {name}\n```\n\n" if name in NAMES else ""
    return f"{prose}\n\n{command}{outcome}"


def _bounds(reports: dict[str, Report]) -> str:
    rows = [bound.row() for name in (*NAMES, *SCORED) if name in reports for bound in reports[name].bounds]
    return grid(("figure", "measured", "target", ""), rows)


if __name__ == "__main__":
    main()
