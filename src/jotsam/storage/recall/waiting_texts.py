"""Texts that the text index of a file does not have yet, in an index in memory that lasts as long as the transaction.

It has the definition of the text index, so the same queries find the same. Nothing is written to the file, so a search
works while the file is read-only, full or locked by another process.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.storage.database import Transaction


def load(tx: Transaction, texts: Mapping[int, Mapping[str, str]]) -> None:
    """Index the fields of texts by their references. From then on the queries of `tx` find them."""
    made = tx.in_memory()
    made.execute("begin")
    for definition in tx.all("text_index.definition"):
        made.execute(definition["sql"])
    for ref, fields in texts.items():
        made.run("search.index", ref=ref, **fields)
    made.execute("commit")
    # The number of texts and their lengths count in a score, so both are those of all texts.
    made.run("text_index.set_totals", totals=_record(map(sum, zip_longest(_totals(made), _totals(tx), fillvalue=0))))
    tx.waiting = made


def matches(tx: Transaction, waiting: Transaction, *, terms: str) -> tuple[dict[int, float], dict[int, int]]:
    """The scores by reference, as if these texts were indexed, and how many of them have each term, by its place."""
    rows = waiting.all("text_index.term_scores", terms=terms)
    with_term = Counter(row["place"] for row in rows)
    every = _totals(waiting)[0]
    weights = {}
    for term in tx.all("text_index.term_counts", terms=terms) if rows else ():
        place, few = term["place"], with_term[term["place"]]
        if term["own_texts"] is None:
            wanted = _rarity(every, term["texts"] + few)
        else:
            own = term["own"] + few
            wanted = log(1 + (term["own_texts"] - own + 0.5) / (own + 0.5))
        weights[place] = wanted / _rarity(every, few)  # Its index counts all texts, but the term only in its own.
    scores: dict[int, float] = {}
    for row in rows:
        scores[row["ref"]] = scores.get(row["ref"], 0.0) + row["score"] * weights[row["place"]]
    return {ref: round(score, 9) for ref, score in scores.items()}, with_term


def _rarity(texts: int, with_term: int) -> float:
    """The weight that bm25 of FTS5 gives a term."""
    return max(1e-6, log((texts - with_term + 0.5) / (with_term + 0.5)))


def _totals(tx: Transaction) -> list[int]:
    """The number of texts and the words of each column: seven bits a byte, and the last byte of each is below 128."""
    numbers, number = [], 0
    row = tx.one("text_index.totals")
    for byte in row["totals"] if row else b"":
        number = number << 7 | byte & 127
        if byte < 128:
            numbers.append(number)
            number = 0
    return numbers


def _record(numbers: Iterable[int]) -> bytes:
    """The record that `_totals` reads."""
    record = bytearray()
    for number in numbers:
        digits = [number & 127]
        while number := number >> 7:
            digits.append(number & 127 | 128)
        record += bytes(reversed(digits))
    return bytes(record)
