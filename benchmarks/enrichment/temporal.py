"""Resolution of relative dates: runs the public evaluation script `temporal.py` with our adapter.

    python -m benchmarks.enrichment.temporal --scorer FOLDER --data locomo.json [--named]
    python -m benchmarks.enrichment.temporal --scorer FOLDER --data locomo.json --keep   both, saved in results.json

The script counts a question as resolved if one of the ranges in its evidence equals the gold range. LoCoMo is CC BY-NC
4.0: it is used for measuring, and not copied into this repository. `--named` excludes the day and month of the turn.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.enrichment.adapter import days_named, days_spoken_of
from benchmarks.report import Report, Table
from benchmarks.run import keep

KEPT, NAMED = "as they are kept", "only those that the text names"
WAYS = {KEPT: days_spoken_of, NAMED: days_named}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scorer", type=Path, required=True, help="folder with temporal.py and recall.py")
    parser.add_argument("--data", required=True)
    parser.add_argument("--split", default="open")
    parser.add_argument("--named", action="store_true")
    parser.add_argument("--keep", action="store_true", help="save both results in benchmarks/results.json")
    options = parser.parse_args()
    sys.path.insert(0, str(options.scorer))
    rows = []
    for name in WAYS if options.keep else (NAMED if options.named else KEPT,):
        figures, _ = import_module("temporal").run(options.data, options.split, WAYS[name])
        print(name, figures)
        rows.append((name, str(figures["questions"]), f"{figures['resolved']}", f"{figures['ranges_per_turn']}"))
    if options.keep:
        columns = ("periods", "questions", "resolved, percent", "periods a turn")
        keep("enrichment.temporal", Report(tables=[Table(caption="LoCoMo, open half.", columns=columns, rows=rows)]))


if __name__ == "__main__":
    main()
