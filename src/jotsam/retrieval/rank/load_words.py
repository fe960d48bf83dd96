"""Count the words of a question in the store, and look for them in the candidates. It scores nothing."""

from __future__ import annotations

from jotsam.retrieval.rank.evidence import TIMES, known, question_words
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.retrieval.question.parse import ParsedQuestion
    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.evidence import Word
    from jotsam.storage.database import Transaction

MAX_WORDS = 24
MAX_COUNTED = 1_000  # texts per word; a word in more is not rare


def load_words(
    tx: Transaction, parsed: ParsedQuestion, context: Context, *, limit: int = MAX_COUNTED
) -> tuple[Word, ...]:
    """The words of the question with their rarity, each with whether a candidate contains it.

    Words that name a time are left out: a memory of that time need not contain them.
    """
    words = [word for word in dict.fromkeys(parsed.words) if not (parsed.intent.periods and word in TIMES)][:MAX_WORDS]
    if not words:
        return ()
    counts, number = search.count_words(tx, words, limit=limit)
    found = question_words(parsed.text, words, dict(zip(words, counts, strict=True)), number)
    return known(found, _texts(context))


def _texts(context: Context) -> Iterator[str]:
    for row in context.rows.values():
        if row["body"]:
            yield f"{row['actor'] or ''} {row['body']}"


def rarities(words: Sequence[Word], stems: Sequence[str]) -> dict[str, float]:
    """The rarity of each stem of a question."""
    rarity = {stem: word.rarity for word in words for stem in word.stems}
    return {stem: rarity.get(stem, 1.0) for stem in stems}
