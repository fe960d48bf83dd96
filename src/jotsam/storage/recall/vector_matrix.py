"""The vectors of one tenant and one embedder in memory, as a numpy matrix. It never reads the database."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Numbers = np.ndarray[Any, np.dtype[np.float32]]
    Ids = np.ndarray[Any, np.dtype[np.int64]]

INITIAL_ROWS = 1_024
GROWTH = 1.5


def products(query: bytes, others: Sequence[bytes]) -> list[float]:
    """The products of a vector and others of its length, in their order."""
    rows = np.frombuffer(b"".join(others), "<f4").reshape(len(others), -1)
    found: list[float] = (rows @ np.frombuffer(query, "<f4")).tolist()
    return found


class Matrix:
    """Unit vectors by the id of their memory. `version` is the version of the embedder up to which it was updated."""

    def __init__(self, dimension: int) -> None:
        self.version = 0
        self._rows: Numbers = np.empty((INITIAL_ROWS, dimension), np.float32)
        self._ids: Ids = np.empty(INITIAL_ROWS, np.int64)
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def put(self, vectors: Sequence[tuple[int, bytes]]) -> None:
        """Add vectors, or replace existing ones."""
        if not vectors:
            return
        self._grow(len(self) + len(vectors))
        for number, _ in vectors:
            place = self._places.setdefault(number, len(self._places))
            self._ids[place] = number
        places = [self._places[number] for number, _ in vectors]
        flat = np.frombuffer(b"".join(vector for _, vector in vectors), "<f4")
        self._rows[places] = flat.reshape(len(vectors), -1)

    def drop(self, numbers: Iterable[int]) -> None:
        """Remove vectors. The last row moves to the place of a removed one."""
        for number in numbers:
            place = self._places.pop(number, None)
            last = len(self._places)
            if place is None or place == last:
                continue
            self._rows[place], self._ids[place] = self._rows[last], self._ids[last]
            self._places[int(self._ids[place])] = place

    def nearest(self, queries: Sequence[bytes], *, limit: int, least: float = -2.0) -> list[dict[int, float]]:
        """For each query the cosines of the `limit` nearest memories, those of at least `least`, best first."""
        whole = len(self)
        asked = np.frombuffer(b"".join(queries), "<f4").reshape(len(queries), -1)
        rows = self._rows[:whole]
        scores = asked @ rows.T if len(queries) > 1 else (rows @ asked[0])[None]  # Faster for a single query.
        found = []
        for line in scores:
            near = np.flatnonzero(line >= least)  # Sorts only the candidates.
            best = near[np.argpartition(line[near], -limit)[-limit:]] if limit < len(near) else near
            best = best[np.lexsort((-self._ids[best], -line[best]))]
            found.append(dict(zip(self._ids[best].tolist(), line[best].tolist(), strict=True)))
        return found

    def cosines(self, query: bytes, numbers: Iterable[int]) -> dict[int, float]:
        """The cosines of those memories that have a vector."""
        there = [number for number in numbers if number in self._places]
        if not there:
            return {}
        rows = self._rows[[self._places[number] for number in there]]
        return dict(zip(there, (rows @ np.frombuffer(query, "<f4")).tolist(), strict=True))

    def _grow(self, rows: int) -> None:
        if rows <= len(self._ids):
            return
        new = max(rows, int(len(self._ids) * GROWTH))
        grown: Numbers = np.empty((new, self._rows.shape[1]), np.float32)
        grown[: len(self)] = self._rows[: len(self)]
        ids: Ids = np.empty(new, np.int64)
        ids[: len(self)] = self._ids[: len(self)]
        self._rows, self._ids = grown, ids
