"""Precision of entities and facts: prints a sample with context for a person to judge.

    python -m benchmarks.enrichment.precision --documents FOLDER [--count 100] [--seed 7]
    python -m benchmarks.enrichment.precision --conversations locomo.json [--count 100] [--seed 7]

The same texts, count and seed give the same sample. LoCoMo is CC BY-NC 4.0: it is used for measuring, and not copied
into this repository.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.enrichment.adapter import TAGGER
from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.extraction.extract import extract
from jotsam.pipeline.text.words import normalise_newlines

Pieces = Iterable[tuple[str, str, str | None]]
WHEN = 1_772_323_200_000  # 2026-03-01


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    texts = parser.add_mutually_exclusive_group(required=True)
    texts.add_argument("--documents", type=Path, help="folder of Markdown documents")
    texts.add_argument("--conversations", type=Path, help="file in the format of LoCoMo")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    pieces = _turns(options.conversations) if options.conversations else _pieces(options.documents)
    _sample(pieces, count=options.count, seed=options.seed)


def _sample(pieces: Pieces, *, count: int, seed: int) -> None:
    found: dict[str, list[str]] = {"entities": [], "facts": []}
    predicates: Counter[str] = Counter()
    for name, text, actor in pieces:
        read = extract(text, said_at=WHEN, actor=actor, tagger=TAGGER)
        for entity in read.entities:
            found["entities"].append(f"{name}: {entity.category}:{entity.slug}   …{_around(text, entity.name)}…")
        for fact in read.facts:
            words = f"{fact.subject} | {fact.predicate} | {fact.object}"
            predicates[fact.predicate] += 1
            found["facts"].append(f"{name}: {words}   …{_around(text, fact.object, fact.subject)}…")
    for kind, lines in found.items():
        print(f"\n{kind}: {len(lines)} found, a sample of {min(count, len(lines))}")
        for line in random.Random(seed).sample(lines, min(count, len(lines))):
            print("  " + line)
    print("\npredicates: " + ", ".join(f"{name} {count}" for name, count in predicates.most_common()))


def _pieces(folder: Path) -> Iterator[tuple[str, str, None]]:
    """File name and text of each chunk of each document."""
    for path in sorted(folder.rglob("*.md")):
        for piece in chunk(normalise_newlines(path.read_text(encoding="utf8", errors="replace"))):
            yield path.name, piece.text, None


def _turns(file: Path) -> Iterator[tuple[str, str, str]]:
    """Id, text and speaker of each turn."""
    for sample in json.loads(file.read_text(encoding="utf8")):
        for turns in sample["conversation"].values():
            for turn in turns if isinstance(turns, list) else ():
                yield turn["dia_id"], turn["text"], turn["speaker"]


def _around(text: str, words: str, before: str = "") -> str:
    """The text around `words`, at their first occurrence after `before` if there is one."""
    at = max(text.find(words, max(text.find(before), 0)), text.find(words), text.find(words.split()[0]), 0)
    return " ".join(text[max(0, at - 90) : at + 90].split())


if __name__ == "__main__":
    main()
