"""Write the tables of words by which a prompt finds notes.

    python -m tools.prompt_words

`alike.txt` is made of the table of `word_vectors.py`: the stem of a word, and of at most `MOST` words whose vectors are
close to its vector, the closest first. Forms of the word itself are left out, because stems find these.

`usual.txt` is made of what users say in `tools/sentences`: stems that are usual there, whatever the project, each with
how much it says in percent of what a rare word says. "File" is in every second project and tells little of any.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log
from pathlib import Path

import numpy as np

from jotsam.pipeline.notes.prompt_model import WORLD
from jotsam.pipeline.notes.sentence_model import ORDERS
from jotsam.pipeline.notes.word_vectors import DIMENSIONS
from jotsam.pipeline.notes.words import EMPTY, stem, words
from tools.train_sentences import examples

NOTES = Path(__file__).parents[1] / "src" / "jotsam" / "pipeline" / "notes"
LEAST, MOST, SHORTEST = 0.58, 6, 3  # cosine; stems of a line; letters of a word
ROWS = 2_000  # of the matrix that are compared at once
RARE, FEWEST = 3, 6  # sentences of a word that says most, and of one that is listed


def alike() -> list[str]:
    every, vectors = _words()
    stems = [*map(stem, every)]
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for first in range(0, len(every), ROWS):
        close = vectors[first : first + ROWS] @ vectors.T
        for row, other in np.argwhere(close >= LEAST):
            one, its = stems[first + row], stems[other]
            if not (one.startswith(its) or its.startswith(one)):
                found[one][its] = max(found[one].get(its, 0.0), round(float(close[row, other]), 4))
    best = {one: sorted(others, key=lambda other: (-others[other], other))[:MOST] for one, others in found.items()}
    return [" ".join((one, *best[one])) for one in sorted(best)]


def _words() -> tuple[list[str], np.ndarray]:
    """The whole words of the table, and the directions of their vectors."""
    pieces, _, numbers = (NOTES / "word_vectors.bin").read_bytes().partition(b"\0")
    every = pieces.decode().split("\n")
    kept = [at for at, word in enumerate(every) if word.isalpha() and len(word) >= SHORTEST and word not in EMPTY]
    rows = np.frombuffer(numbers, dtype=np.int8).reshape(len(every), DIMENSIONS)[kept].astype(np.float64)
    return [every[at] for at in kept], rows / np.linalg.norm(rows, axis=1, keepdims=True)


def usual() -> list[str]:
    said = dict.fromkeys(one.sentence for model in (ORDERS, WORLD) for one in examples(model))
    often = Counter(found for sentence in said for found in {*map(stem, words(sentence))})
    most = log(len(said) / RARE)
    return [f"{one} {round(100 * log(len(said) / often[one]) / most)}" for one in sorted(often) if often[one] >= FEWEST]


def main() -> None:
    for name, lines in (("alike.txt", alike()), ("usual.txt", usual())):
        (NOTES / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(lines):,} lines, {(NOTES / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
