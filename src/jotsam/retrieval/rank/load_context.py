"""Read what ranking needs from the database: the context of the candidates, and the words of a question.

It scores nothing. The context takes three queries. Archived turns are read too, as context of the turns around them.
Words are counted in the store.
"""

from __future__ import annotations

from heapq import nlargest
from itertools import chain

from jotsam.retrieval.rank.context import build_context, is_turn
from jotsam.retrieval.rank.evidence import TIMES, question_words
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from jotsam.retrieval.question.parse import ParsedQuestion
    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.retrieval.rank.evidence import Word
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope


STEPS = (("second_before", -2), ("before", -1), ("after", 1), ("second_after", 2))
MAX_WORDS = 24
MAX_COUNTED = 1_000  # texts per word; a word in more is not rare


def load_context(
    tx: Transaction, scope: Scope, candidates: Mapping[str, Mapping[int, float]], *, with_neighbours: int
) -> Context:
    """Read all candidates, and the turns around the best `with_neighbours` of each retriever."""
    rows = _rows(tx, scope, {ref for scores in candidates.values() for ref in scores})
    best = {ref for scores in candidates.values() for ref in nlargest(with_neighbours, scores, key=scores.__getitem__)}
    turns = {ref for ref in best & rows.keys() if is_turn(rows[ref])}
    neighbours: dict[int, dict[int, int]] = {}
    for row in search.sequence_neighbours(tx, refs=turns) if turns else ():
        steps = {step: row[name] for name, step in STEPS if row[name] is not None}
        neighbours[row["ref"]] = steps | neighbours.get(row["ref"], {})
    rows |= _rows(tx, scope, {*chain(*(steps.values() for steps in neighbours.values()))} - rows.keys())
    return build_context(rows, neighbours, alone=turns - neighbours.keys())


def _rows(tx: Transaction, scope: Scope, refs: Collection[int]) -> dict[int, Row]:
    found = search.ranking_fields(tx, scope, refs=refs, with_archived=True) if refs else []
    return {row["ref"]: row for row in found}


def load_words(tx: Transaction, parsed: ParsedQuestion, *, limit: int = MAX_COUNTED) -> tuple[Word, ...]:
    """The words of the question with their rarity.

    Words that name a time are left out: a memory of that time need not contain them.
    """
    has_time = bool(parsed.intent.periods) or parsed.intent.as_of is not None
    words = [word for word in dict.fromkeys(parsed.words) if not (has_time and _is_of_time(word))][:MAX_WORDS]
    if not words:
        return ()
    counts, number = search.count_words(tx, words, limit=limit)
    return question_words(parsed.text, words, dict(zip(words, counts, strict=True)), number)


def _is_of_time(word: str) -> bool:
    return word in TIMES or word[0].isdigit()


def rarities(words: Sequence[Word], stems: Sequence[str]) -> dict[str, float]:
    """The rarity of each stem of a question."""
    rarity = {stem: word.rarity for word in words for stem in word.stems}
    return {stem: rarity.get(stem, 1.0) for stem in stems}
