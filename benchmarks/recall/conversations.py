"""Evidence recall on LoCoMo, by its scorer `recall.py`: is the turn that contains the answer found?

    python -m benchmarks.recall.conversations --scorer FOLDER --data locomo.json
    python -m benchmarks.recall.conversations --scorer FOLDER --data locomo.json --no-worker
    python -m benchmarks.recall.conversations --scorer FOLDER --data locomo.json --set adjacent=0 --set second=0
    python -m benchmarks.recall.conversations --scorer FOLDER --data locomo.json --row recall

LoCoMo is CC BY-NC 4.0: measured with, and no part of this project.
"""

from __future__ import annotations

from benchmarks.recall.scorers import adapter, keep_row, options, scorer

COLUMNS = ("", "R@5", "R@10", "R@25", "R@50", "MRR", "in 1,000 tokens")
KEYS = ("recall@5", "recall@10", "recall@25", "recall@50", "mrr", "tok@1000")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--pool", action="store_true", help="all conversations in one memory")
    given = parser.parse_args()
    program = scorer(given.scorer, "recall")
    with adapter(given) as product:
        rows, cost = program.run(program.load(given.data, pool=given.pool), product.open_index)
    summary, interval = program.summarize(rows), program.interval(rows)
    print(program.table(summary))
    print("cost", cost, "95 % interval of recall@10", interval)
    if given.row:
        figures = summary["answerable"]
        row = (given.row, *(f"{figures[key]:.1f}" for key in KEYS))
        low, high = interval
        remark = f"{figures['n']} questions, the 95 % interval of R@10 is {low:.1f} to {high:.1f}"
        keep_row("recall.conversations", COLUMNS, row, remark=remark)


if __name__ == "__main__":
    main()
