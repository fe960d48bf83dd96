"""Relative dates made absolute: runs the public rod `temporal.py` of a folder with our adapter.

    python -m benchmarks.enrichment.temporal --rod FOLDER --data locomo.json [--named]

The rod counts a question as resolved when one of the ranges found in its evidence equals the gold range. LoCoMo is
CC BY-NC 4.0: it is measured with, and never copied here. `--named` leaves the day and the month of saying out.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.enrichment.adapter import days_named, days_spoken_of


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rod", type=Path, required=True, help="the folder that holds temporal.py and recall.py")
    parser.add_argument("--data", required=True)
    parser.add_argument("--split", default="open")
    parser.add_argument("--named", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(options.rod))
    figures, _ = import_module("temporal").run(
        options.data, options.split, days_named if options.named else days_spoken_of
    )
    print(figures)


if __name__ == "__main__":
    main()
