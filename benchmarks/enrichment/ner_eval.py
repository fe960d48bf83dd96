"""NER quality on public gold data: F1 over the sets of names of each sentence, case folded.

    python -m benchmarks.enrichment.ner_eval --data FOLDER [--tier rules]
    python -m benchmarks.enrichment.ner_eval --data FOLDER --keep      both tiers, saved in benchmarks/results.json

The folder has `emerging.dev.conll` (WNUT 2017), `wikigold.open.conll` and `BTC/a.conll`, all CC BY 4.0. Twitter handles
are not names. The bundled tagger was trained on WikiGold too, so its figure here is too high; use the one of
`tools/train_tagger.py --folds`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tools.train_tagger import read

from benchmarks.enrichment.adapter import entity_names, entity_names_by_rules
from benchmarks.plan import machine
from benchmarks.report import Report, Table, duration
from benchmarks.run import keep

FILES = ("emerging.dev.conll", "wikigold.open.conll", "BTC/a.conll")
TIERS = {"rules": entity_names_by_rules, "all": entity_names}
COLUMNS = ("texts and tier", "precision", "recall", "F1", "p50 of a text")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tier", choices=tuple(TIERS), help="only this tier (default: both)")
    parser.add_argument("--keep", action="store_true", help="save the results of both tiers in benchmarks/results.json")
    options = parser.parse_args()
    tiers = [options.tier] if options.tier and not options.keep else TIERS
    rows = [_row(options.data, file, tier) for tier in tiers for file in FILES]
    table = Table(caption="Percent, over the sets of names of each sentence.", columns=COLUMNS, rows=rows)
    print(table.markdown())
    if options.keep:
        keep("enrichment.ner_eval", Report(tables=[table], conditions=machine()))


def _row(data: Path, file: str, tier: str) -> tuple[str, ...]:
    right = found = wanted = 0
    took = []
    for text, spans in read(data / file):
        gold = {text[start:end].lower() for start, end, _ in spans}
        begin = time.perf_counter_ns()
        got = {one.lower() for one in TIERS[tier](text)}
        took.append(time.perf_counter_ns() - begin)
        right, found, wanted = right + len(gold & got), found + len(got), wanted + len(gold)
    shares = (right / max(found, 1), right / max(wanted, 1), 2 * right / max(found + wanted, 1))
    return f"{file}, {tier}", *(f"{100 * share:.1f}" for share in shares), duration(sorted(took)[len(took) // 2])


if __name__ == "__main__":
    main()
