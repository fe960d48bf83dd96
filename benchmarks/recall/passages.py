"""Passage recall of multi-hop questions: HotpotQA and MuSiQue, by the scorer `multihop.py`.

    python -m benchmarks.recall.passages --scorer FOLDER --data FOLDER
    python -m benchmarks.recall.passages --scorer FOLDER --data FOLDER --set shared_entity=0
    python -m benchmarks.recall.passages --scorer FOLDER --data FOLDER --row "recall"

`--data` is the folder of both sets; a passage's title stands where a turn has its speaker.
"""

from __future__ import annotations

from benchmarks.recall.scorers import adapter, keep_row, options, scorer

SETS = ("hotpotqa", "musique")
COLUMNS = ("", "HotpotQA R@5", "R@10", "full@10", "MuSiQue R@5", "R@10", "full@10")


def main() -> None:
    given = options(__doc__).parse_args()
    program = scorer(given.scorer, "multihop")
    row = [given.row]
    for name in SETS:
        with adapter(given) as product:
            found = program.run(program.load(given.data, name), product.open_index)
        print(name, found)
        row += [f"{found['recall@5']:.1f}", f"{found['recall@10']:.1f}", f"{found['full@10']:.0f}"]
    if given.row:
        keep_row("recall.passages", COLUMNS, row, remark=f"{found['n']} questions of each set")


if __name__ == "__main__":
    main()
