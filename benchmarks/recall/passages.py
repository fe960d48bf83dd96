"""Are all passages found that a question of several steps needs? HotpotQA and MuSiQue, by the rod `multihop.py`.

    python -m benchmarks.recall.passages --rod FOLDER --data FOLDER
    python -m benchmarks.recall.passages --rod FOLDER --data FOLDER --set hop=0

`--data` is the folder of both sets; a passage's title stands where a turn has its speaker.
"""

from __future__ import annotations

from benchmarks.recall.rods import adapter, options, rod

SETS = ("hotpotqa", "musique")


def main() -> None:
    given = options(__doc__).parse_args()
    program = rod(given.rod, "multihop")
    for name in SETS:
        with adapter(given) as product:
            print(name, program.run(program.load(given.data, name), product.open_index))


if __name__ == "__main__":
    main()
