"""Is the turn found that holds the answer? Evidence recall on LoCoMo, by its rod `recall.py`.

    python -m benchmarks.recall.conversations --rod FOLDER --data locomo.json
    python -m benchmarks.recall.conversations --rod FOLDER --data locomo.json --no-worker
    python -m benchmarks.recall.conversations --rod FOLDER --data locomo.json --set neighbour=0

LoCoMo is CC BY-NC 4.0: measured with, and no part of this project.
"""

from __future__ import annotations

from benchmarks.recall.rods import adapter, options, rod


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--pool", action="store_true", help="all conversations in one memory")
    given = parser.parse_args()
    program = rod(given.rod, "recall")
    with adapter(given) as product:
        rows, cost = program.run(program.load(given.data, pool=given.pool), product.open_index)
    print(program.table(program.summarize(rows)))
    print("cost", cost, "95 % interval of recall@10", program.interval(rows))


if __name__ == "__main__":
    main()
