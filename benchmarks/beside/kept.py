"""The results that are kept: written after each system, so that a run that is stopped loses one system at most.

Each row names the commit that measured it. A later run can go on with the systems that have no rows, or whose rows were
measured by other code than there is now.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.child import ROOT

RESULTS = Path(__file__).parent / "results.json"
DIRTY = " and what was not committed"
MEASURING = (
    "src/jotsam/models/local_embedder.py",
    "benchmarks/child.py",
    *(f"benchmarks/beside/{name}.py" for name in ("embedding", "measure", "side")),
)
MORE = {"jotsam": ("src",)}  # by the name of a system; texts and questions are compared by their digest


def begun(*, machine: Mapping[str, str], sets: Mapping[str, Any]) -> dict[str, Any]:
    """Results without a row."""
    return {"date": datetime.now(UTC).date().isoformat(), "machine": machine, "minutes": 0.0, "sets": sets, "rows": []}


def continued(new: Mapping[str, Any], *, peers: Mapping[str, Sequence[str]], path: Path = RESULTS) -> dict[str, Any]:
    """`new` with the rows of the results that were kept, as far as the same code would measure the same.

    `peers`: the names of the rows of each system.
    """
    old = json.loads(path.read_text())
    if old["sets"] != new["sets"]:
        raise SystemExit(
            f"{path} is of other texts: {old['sets']}, not {new['sets']}. Give it the same --locomo and --documents,"
            " or measure all systems, without --continue."
        )
    names = [name for peer, own in peers.items() if _valid(old, peer, own) for name in own]
    return {**new, "minutes": old["minutes"], "rows": [row for row in old["rows"] if row["name"] in names]}


def _valid(old: Mapping[str, Any], peer: str, names: Sequence[str]) -> bool:
    rows = [row for row in old["rows"] if row["name"] in names and "reason" not in row]
    return len(rows) == len(names) and all(_of_this_code(row["commit"], peer) for row in rows)


def _of_this_code(commit: str, peer: str) -> bool:
    read = (*MEASURING, f"benchmarks/beside/peers/{peer}.py", *MORE.get(peer, ()))
    return DIRTY not in commit and not git("diff", "--name-only", commit, "--", *read)


def write(results: Mapping[str, Any], *, order: Sequence[str], path: Path = RESULTS) -> None:
    """Replace the results as a whole. `order`: of the rows, by name; those that are not there yet are named."""
    rows = sorted(results["rows"], key=lambda row: order.index(row["name"]))
    missing = [name for name in order if name not in {row["name"] for row in rows}]
    half = path.with_suffix(".new")
    half.write_text(json.dumps({**results, "missing": missing, "rows": rows}, indent=1, ensure_ascii=False) + "\n")
    os.replace(half, path)


def commit() -> str:
    """The commit of the code, and whether it is all of it."""
    changed = git("status", "--porcelain", "--", ".", ":!benchmarks/beside/results.json", ":!docs/comparison.md")
    return git("rev-parse", "HEAD") + (DIRTY if changed else "")


def git(*arguments: str) -> str:
    ended = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return ended.stdout.strip() if not ended.returncode else f"git: {ended.stderr.strip()}"
