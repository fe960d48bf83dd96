"""Nearest memories to a vector, from a matrix in memory or from the database.

The database answers the first query of a process, because loading the matrix would read every vector too. Later queries
use a matrix if numpy is installed: loaded once per tenant and embedder, then updated with the vectors saved since.
Vectors that were removed from the database are dropped when a query would return them.

Without numpy the database answers every query. If it cannot compare vectors either, the result is None.
"""

from __future__ import annotations

import json
import threading
from array import array
from collections import OrderedDict
from operator import mul

from jotsam.storage.recall import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.vector_matrix import Matrix
    from jotsam.storage.recall.vectors import Maker, Within

# Candidates per result, because some of them may be out of scope.
MORE = 4

# Numbers in all matrices of a process (600 MB); the least recently used matrix is removed first.
MAX_NUMBERS = 150_000_000


class Nearest:
    """Thread-safe. Transactions may be of any age."""

    def __init__(self) -> None:
        self._turn = threading.RLock()
        self._asked = 0
        self._matrices: OrderedDict[tuple[str, int], Matrix] = OrderedDict()

    def nearest(
        self, tx: Transaction, query: bytes, *, maker: Maker, within: Within, limit: int
    ) -> dict[int, float] | None:
        """The `limit` nearest memories in scope by cosine, best first. None if vectors cannot be compared."""
        with self._turn:
            matrix = self._matrix(tx, maker)
            if matrix is None:
                if not tx.compares_vectors():
                    return None
                return vectors.nearest(tx, query, maker=maker, within=within, limit=limit)
            (found,) = matrix.nearest([query], limit=limit * MORE)
            refs, shown = [*found], dict[int, float]()
            while refs and len(shown) < limit:
                some, refs = refs[:limit], refs[limit:]
                there = self._standing(tx, matrix, some, maker, within)
                shown |= {ref: found[ref] for ref in some if there.get(ref)}
            if len(shown) < limit and len(found) == limit * MORE:
                cosines = matrix.cosines(query, vectors.all_visible(tx, maker=maker, within=within))
                shown = dict(sorted(cosines.items(), key=lambda item: (-item[1], -item[0])))
            return dict(list(shown.items())[:limit])

    def cosines(self, tx: Transaction, query: bytes, *, maker: Maker, refs: Iterable[int]) -> dict[int, float]:
        """The cosines of those memories that have a vector of this embedder. It loads no matrix."""
        with self._turn:
            if (tx.tenant, maker.id) in self._matrices:
                matrix = self._matrix(tx, maker)
                assert matrix is not None
                return matrix.cosines(query, refs)
        some = json.dumps([*refs])
        if tx.compares_vectors():
            return vectors.cosines(tx, query, maker=maker, refs=some)
        (found,) = between([query], vectors.some(tx, maker=maker, refs=some))
        return found

    def among(
        self, tx: Transaction, query: bytes, *, maker: Maker, within: Within, refs: Collection[int], limit: int
    ) -> dict[int, float]:
        """The `limit` nearest of some memories, those in scope, best first. It loads no matrix."""
        there = vectors.visibility(tx, maker=maker, within=within, refs=json.dumps(sorted(refs)))
        cosines = self.cosines(tx, query, maker=maker, refs=[ref for ref, shown in there.items() if shown])
        return dict(sorted(cosines.items(), key=lambda item: (-item[1], -item[0]))[:limit])

    def alike(
        self, tx: Transaction, queries: Sequence[bytes], *, maker: Maker, limit: int, least: float
    ) -> list[dict[int, float]]:
        """For each vector the `limit` nearest current memories with a cosine of at least `least`."""
        within = vectors.whole_scope(tx)
        with self._turn:
            matrix = self._matrix(tx, maker, lasting=True)
            if matrix is None:
                every = [self.nearest(tx, query, maker=maker, within=within, limit=limit) for query in queries]
                return [one or {} for one in every]
            found = matrix.nearest(queries, limit=limit * MORE, least=least) if queries else []
            there = self._standing(tx, matrix, {ref for one in found for ref in one}, maker, within)
        return [dict([item for item in one.items() if there.get(item[0])][:limit]) for one in found]

    def _matrix(self, tx: Transaction, maker: Maker, *, lasting: bool = False) -> Matrix | None:
        """The matrix, updated to what this transaction sees; None if the database should be queried instead."""
        key = (tx.tenant, maker.id)
        self._asked += 1
        if key not in self._matrices:
            if self._asked < 2 and not lasting and tx.compares_vectors():
                return None
            new = _new_matrix(maker.dimension)
            if new is None:
                return None
            self._matrices[key] = new
        self._matrices.move_to_end(key)
        matrix = self._matrices[key]
        seen = vectors.newest_version(tx, maker=maker)
        if seen > matrix.version:
            rows = vectors.since(tx, maker=maker, version=matrix.version)
            matrix.put([(row["memory_id"], row["bytes"]) for row in rows])
            matrix.version = seen
            self._remove_least_recent(maker.dimension)
        return matrix

    def _standing(
        self, tx: Transaction, matrix: Matrix, refs: Collection[int], maker: Maker, within: Within
    ) -> dict[int, bool]:
        """Which memories still exist, and whether each is visible. Others are dropped from the matrix.

        A transaction older than the matrix drops nothing, because it may not see new memories.
        """
        there = vectors.visibility(tx, maker=maker, within=within, refs=json.dumps(sorted(refs)))
        gone = set(refs) - there.keys()
        if gone and vectors.newest_version(tx, maker=maker) >= matrix.version:
            matrix.drop(gone)
        return there

    def _remove_least_recent(self, dimension: int) -> None:
        while len(self._matrices) > 1 and sum(map(len, self._matrices.values())) * dimension > MAX_NUMBERS:
            self._matrices.popitem(last=False)


def between(queries: Sequence[bytes], others: Sequence[tuple[int, bytes]]) -> list[dict[int, float]]:
    """The cosines of each query to a few other vectors."""
    if not others or not queries:
        return [{} for _ in queries]
    matrix = _new_matrix(len(queries[0]) // 4)
    if matrix is None:
        numbers, rows = zip(*others, strict=True)
        return [dict(zip(numbers, cosines(query, rows), strict=True)) for query in queries]
    matrix.put(others)
    return matrix.nearest(queries, limit=len(others))


def cosines(query: bytes, others: Sequence[bytes]) -> list[float]:
    """The cosines of a vector to others of its length, in their order."""
    try:
        from jotsam.storage.recall.vector_matrix import products
    except ImportError:
        asked = array("f", query)
        return [sum(map(mul, asked, array("f", other))) for other in others]
    return products(query, others)


def _new_matrix(dimension: int) -> Matrix | None:
    try:
        from jotsam.storage.recall.vector_matrix import Matrix
    except ImportError:
        return None
    return Matrix(dimension)
