"""Evidence found in public conversations: what share of the turns that hold the answer is among the first results.

    python -m benchmarks.recall.published locomo locomo10.json
    python -m benchmarks.recall.published longmemeval longmemeval_s.json --first 50
    python -m benchmarks.recall.published realtalk REALTALK/data
    python -m benchmarks.recall.published beam BEAM/chats/100K

The data are your own copy. No language model answers or judges: each turn is one memory, and a question is asked of the
memory of its conversation. The turns count that are among the first 5, 10 and 25, or whole within 500, 1,000 and
2,000 tokens.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.beside.sets import FIRST, Asked, score, tokens_of
from benchmarks.recall.adapter import Adapter
from benchmarks.recall.data_sets import LOADERS, Conversation
from benchmarks.report import grid

Figures = Mapping[str, Sequence[Mapping[str, float]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=LOADERS, help="which set it is")
    parser.add_argument("data", type=Path, help="its file or folder")
    parser.add_argument("--first", type=int, metavar="N", help="take N conversations (default: all)")
    given = parser.parse_args()
    print(table(measured(islice(LOADERS[given.set](given.data), given.first))))


def measured(conversations: Iterable[Conversation]) -> Figures:
    """The shares of each question, by group of conversations and by kind of question."""
    figures: dict[str, list[Mapping[str, float]]] = {}
    for conversation in conversations:
        with tempfile.TemporaryDirectory(prefix="jotsam-benchmark-") as folder:
            product = Adapter(folder=Path(folder))
            search = product.open_index(conversation.turns)
            turns = conversation.turns
            tokens = tokens_of({"id": turn.id, "text": turn.speaker + turn.text + turn.caption} for turn in turns)
            for question in conversation.questions:
                asked = Asked(text=question.text, parts=[frozenset([id]) for id in question.evidence])
                found = score(asked, search(question.text, FIRST), tokens)
                for name in (f"conversations: {conversation.group}", f"questions: {question.kind}"):
                    figures.setdefault(name, []).append(found)
            product.close()
    return figures


def table(figures: Figures) -> str:
    if not figures:
        return "No question has a turn that answers it."
    columns = list(next(iter(figures.values()))[0])
    rows = [
        (name, str(len(found)), *(f"{100 * sum(one[column] for one in found) / len(found):.1f}" for column in columns))
        for name, found in sorted(figures.items())
    ]
    return grid(("", "questions", *columns), rows)


if __name__ == "__main__":
    main()
