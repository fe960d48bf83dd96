"""Words that lead to a memory and are not shown: of questions that it answers, and broader ones."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.search import Scope


def replace(tx: Transaction, *, number: int, words: Iterable[str]) -> None:
    """Replace the words that lead to a memory."""
    tx.run("hints.clear", memory_id=number)
    tx.run_many("hints.add", [{"memory_id": number, "word": word} for word in sorted(set(words))])


def match(tx: Transaction, scope: Scope, *, words: Collection[str], least: int, limit: int) -> list[Row]:
    """Memories in scope that at least `least` of these words lead to: `ref` and the number of `words`, most first."""
    return tx.all("hints.match", **scope._values(), words=json.dumps(sorted(words)), least=least, limit=limit)
