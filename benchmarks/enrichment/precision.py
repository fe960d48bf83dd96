"""A sample of entities and facts from documents or conversations, with what stands around them, for somebody to judge.

    python -m benchmarks.enrichment.precision --documents FOLDER [--count 100] [--seed 7]
    python -m benchmarks.enrichment.precision --conversations locomo.json [--count 100] [--seed 7]

The same texts, count and seed give the same sample. It judges nothing itself: what is right takes a reader. LoCoMo is
CC BY-NC 4.0: it is measured with, and never copied here.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.enrichment.adapter import NAMING
from jotsam.pipeline.chunk import chunk
from jotsam.pipeline.rules import findings
from jotsam.pipeline.words import normalise_newlines

WHEN = 1_772_323_200_000  # 2026-03-01


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    texts = parser.add_mutually_exclusive_group(required=True)
    texts.add_argument("--documents", type=Path, help="a folder of texts")
    texts.add_argument("--conversations", type=Path, help="a file in the form of LoCoMo")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    found: dict[str, list[str]] = {"entities": [], "facts": []}
    predicates: Counter[str] = Counter()
    for name, text, actor in _turns(options.conversations) if options.conversations else _pieces(options.documents):
        read = findings(text, said_at=WHEN, actor=actor, namer=NAMING)
        for entity in read.entities:
            found["entities"].append(f"{name}: {entity.category}:{entity.slug}   …{_around(text, entity.name)}…")
        for fact in read.facts:
            words = f"{fact.subject} | {fact.predicate} | {fact.object}"
            predicates[fact.predicate] += 1
            found["facts"].append(f"{name}: {words}   …{_around(text, fact.object, fact.subject)}…")
    for kind, lines in found.items():
        print(f"\n{kind}: {len(lines)} found, a sample of {min(options.count, len(lines))}")
        for line in random.Random(options.seed).sample(lines, min(options.count, len(lines))):
            print("  " + line)
    print("\npredicates: " + ", ".join(f"{name} {count}" for name, count in predicates.most_common()))


def _pieces(folder: Path) -> Iterator[tuple[str, str, None]]:
    """Every chunk of every document, with its file's name."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for piece in chunk(normalise_newlines(path.read_text(encoding="utf8", errors="replace"))):
            yield path.name, piece.text, None


def _turns(file: Path) -> Iterator[tuple[str, str, str]]:
    """Every turn with its id and its speaker."""
    for sample in json.loads(file.read_text(encoding="utf8")):
        for turns in sample["conversation"].values():
            for turn in turns if isinstance(turns, list) else ():
                yield turn["dia_id"], turn["text"], turn["speaker"]


def _around(text: str, words: str, before: str = "") -> str:
    """The place where some words stand, and what stands around it; behind other words, where these stand first."""
    at = max(text.find(words, max(text.find(before), 0)), text.find(words), text.find(words.split()[0]), 0)
    return " ".join(text[max(0, at - 90) : at + 90].split())


if __name__ == "__main__":
    main()
