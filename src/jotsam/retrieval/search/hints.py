"""Hint retriever: memories that a model described by the words of the question, which they need not have themselves.

A model wrote questions that a memory answers, and broader words, when it read it. Half of the content words of the
question must be among them, and at least two: broader words alone would lead everywhere.
"""

from __future__ import annotations

from jotsam.pipeline.notes.words import terms
from jotsam.storage.recall import hints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope

MIN_WORDS, MIN_SHARE = 2, 0.5
MAX_WORDS = 64  # of a question; a longer text is no question


def by_hints(tx: Transaction, question: str, scope: Scope, *, limit: int) -> dict[int, float]:
    """The part of the question's content words that lead to each memory."""
    asked = terms(question)
    if not MIN_WORDS <= len(asked) <= MAX_WORDS:
        return {}
    least = max(MIN_WORDS, round(MIN_SHARE * len(asked)))
    return {
        row["ref"]: row["words"] / len(asked) for row in hints.match(tx, scope, words=asked, least=least, limit=limit)
    }
