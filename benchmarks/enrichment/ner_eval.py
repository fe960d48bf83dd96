"""Names found in public gold data: F1 over the sets of names of each sentence, case folded.

    python -m benchmarks.enrichment.ner_eval --data FOLDER [--tier rules]

The folder holds `emerging.dev.conll` (WNUT 2017), `wikigold.open.conll` and `BTC/a.conll`, all CC BY 4.0. Gold is read
as the rod reads it: handles of Twitter are no names. WikiGold is among what the shipped tagger learned from, so its
own line here flatters; the honest figure is that of `tools/train_tagger.py --folds`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tools.train_tagger import read

from benchmarks.enrichment.adapter import entity_names, entity_names_by_rules

FILES = ("emerging.dev.conll", "wikigold.open.conll", "BTC/a.conll")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tier", choices=("all", "rules"), default="all")
    options = parser.parse_args()
    find = entity_names if options.tier == "all" else entity_names_by_rules
    for name in FILES:
        right = found = wanted = 0
        took = []
        for text, spans in read(options.data / name):
            gold = {text[start:end].lower() for start, end, _ in spans}
            begin = time.perf_counter()
            got = {one.lower() for one in find(text)}
            took.append(time.perf_counter() - begin)
            right, found, wanted = right + len(gold & got), found + len(got), wanted + len(gold)
        middle = 1_000 * sorted(took)[len(took) // 2]
        precision, recall = right / max(found, 1), right / max(wanted, 1)
        f1 = 2 * right / max(found + wanted, 1)
        print(f"{name:22} P {precision:6.1%} R {recall:6.1%} F1 {f1:6.1%}   p50 {middle:.2f} ms a text")


if __name__ == "__main__":
    main()
