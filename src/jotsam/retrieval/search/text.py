"""Text retriever: matches in the full-text index, quoted phrases, and the newest memories if there are no words.

A retriever is a function from a transaction to scores by reference: the number of a memory, or minus the number of a
pending document. Its scores have a scale of their own; it must not rank against another retriever.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.core.answers import Terms
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.search import Scope


MAX_CHECKED = 8  # references of other retrievers looked up in the text index


class Matches(Record):
    """The best matches, and how many there are in all."""

    scores: Mapping[int, float]
    total: int
    archived: frozenset[int] = frozenset()  # those in `scores` that are not results, and not in `total`


def by_text(tx: Transaction, query: Row, scope: Scope, *, limit: int, with_archived: bool = False) -> Matches:
    """The best text matches. `query` is the `search.expression` of the question."""
    return _matches(search.match_text(tx, scope, asked=query, limit=limit, with_archived=with_archived))


def newest(tx: Transaction, scope: Scope, *, limit: int) -> Matches:
    """The newest memories by date, with equal scores."""
    return _matches(search.newest(tx, scope, limit=limit))


def newest_of_type(tx: Transaction, word: str, scope: Scope, *, limit: int) -> Matches:
    """The newest memories of the type that a word names, in singular or plural, with equal scores."""
    singular = f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")
    return _matches(search.newest_of_types(tx, scope, types=(word, singular), limit=limit))


def by_phrases(tx: Transaction, phrases: Sequence[Terms], scope: Scope, *, limit: int) -> dict[int, float]:
    """Matches of quoted phrases: 1 for a match of all phrases, a part of it for fewer."""
    scores: dict[int, float] = {}
    for phrase in phrases:
        for ref in by_text(tx, search.expression(tx, phrase), scope, limit=limit).scores:
            scores[ref] = scores.get(ref, 0.0) + 1 / len(phrases)
    return scores


def count(tx: Transaction, query: Row | None, matches: Matches, *, shown: Iterable[int], others: Iterable[int]) -> int:
    """How many results there are: all text matches, what other retrievers found, and what else is shown.

    If there are more text matches than were read, some `others` may be among them; only the first few are checked.
    """
    read = matches.scores.keys() - matches.archived
    if matches.total <= len(read):
        return matches.total + len({*shown, *others} - read)
    unread = [ref for ref in others if ref not in read][:MAX_CHECKED]
    unmatched = search.unmatched(tx, asked=query, refs=unread) if unread and query else unread
    return matches.total + len([*unmatched])


def count_archived(tx: Transaction, query: Row, scope: Scope) -> int:
    """How many of the best matches are hidden because they are archived."""
    found = search.match_text(tx, scope.replace(archived=1), asked=query, limit=MAX_CHECKED)
    return len(found) - len(search.ranking_fields(tx, scope, refs=[row["ref"] for row in found]))


def _matches(rows: Sequence[Row]) -> Matches:
    archived = frozenset([row["ref"] for row in rows if row.get("is_archived")])
    scores = {row["ref"]: row["score"] for row in rows}
    return Matches(scores=scores, total=rows[0]["total"] if rows else 0, archived=archived)
