"""A sample of entities and facts from a folder of documents, with what stands around them, for somebody to judge.

    python -m benchmarks.enrichment.precision --documents FOLDER [--count 100] [--seed 7]

The same folder, count and seed give the same sample. It judges nothing itself: what is right takes a reader.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.enrichment.adapter import NAMING
from jotsam.pipeline.chunk import chunk
from jotsam.pipeline.rules import findings
from jotsam.pipeline.words import normalise_newlines

WHEN = 1_772_323_200_000  # 2026-03-01


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    found: dict[str, list[str]] = {"entities": [], "facts": []}
    for kind, line in _everything(options.documents):
        found[kind].append(line)
    for kind, lines in found.items():
        print(f"\n{kind}: {len(lines)} found, a sample of {min(options.count, len(lines))}")
        for line in random.Random(options.seed).sample(lines, min(options.count, len(lines))):
            print("  " + line)


def _everything(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for piece in chunk(normalise_newlines(path.read_text(encoding="utf8", errors="replace"))):
            read = findings(piece.text, said_at=WHEN, namer=NAMING)
            for entity in read.entities:
                yield "entities", f"{path.name}: {entity.category}:{entity.slug}   …{_around(piece.text, entity.name)}…"
            for fact in read.facts:
                words = f"{fact.subject} | {fact.predicate} | {fact.object}"
                yield "facts", f"{path.name}: {words}   …{_around(piece.text, fact.object)}…"


def _around(text: str, words: str) -> str:
    at = max(text.find(words.split()[0]), 0)
    return " ".join(text[max(0, at - 60) : at + 60].split())


if __name__ == "__main__":
    main()
