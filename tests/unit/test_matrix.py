"""The matrix of vectors returns what comparing each vector would return, after any sequence of changes."""

from __future__ import annotations

import struct
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.storage.recall.vector_index import between, cosines
from jotsam.storage.recall.vector_matrix import INITIAL_ROWS, Matrix

VECTORS = {
    name: struct.pack("<3f", *values)
    for name, values in enumerate(
        [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.8, 0), (0.8, 0.6, 0), (0, 0.6, 0.8), (-1, 0, 0)]
    )
}
NUMBERS = st.integers(1, 30)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.lists(st.tuples(NUMBERS, st.sampled_from(sorted(VECTORS))), max_size=8)),
        st.tuples(st.just("drop"), st.lists(NUMBERS, max_size=8)),
    ),
    max_size=12,
)


def cosine(one: bytes, two: bytes) -> float:
    return sum(a * b for a, b in zip(struct.unpack("<3f", one), struct.unpack("<3f", two), strict=True))


@given(steps=STEPS, asked=st.sampled_from(sorted(VECTORS)), limit=st.integers(1, 40))
def test_it_returns_what_comparing_each_vector_would(steps, asked: int, limit: int):
    matrix, known = Matrix(3), {}
    for verb, what in steps:
        if verb == "put":
            matrix.put([(number, VECTORS[name]) for number, name in what])
            known |= {number: VECTORS[name] for number, name in what}
        else:
            matrix.drop(what)
            known = {number: vector for number, vector in known.items() if number not in what}
    assert len(matrix) == len(known)
    expected = {number: cosine(VECTORS[asked], vector) for number, vector in known.items()}
    (found,) = matrix.nearest([VECTORS[asked]], limit=limit)
    assert len(found) == min(limit, len(known))
    assert all(abs(expected[number] - score) < 1e-6 for number, score in found.items())
    assert sorted(found.values(), reverse=True) == list(found.values())
    best = sorted(expected.values(), reverse=True)[:limit]
    assert all(abs(one - two) < 1e-6 for one, two in zip(best, found.values(), strict=True))
    (close,) = matrix.nearest([VECTORS[asked]], limit=40, least=0.5)
    assert close.keys() == {number for number, score in expected.items() if score >= 0.5 - 1e-6}
    every = matrix.cosines(VECTORS[asked], range(40))
    assert every.keys() == known.keys()


def test_it_grows_beyond_its_initial_size():
    matrix = Matrix(3)
    for start in range(0, 3 * INITIAL_ROWS, 100):
        matrix.put([(number, VECTORS[number % 7]) for number in range(start, start + 100)])
    assert len(matrix) == 3_100
    assert matrix.cosines(VECTORS[0], [0, 1, 3_099]) == {0: 1.0, 1: 0.0, 3_099: cosine(VECTORS[0], VECTORS[3_099 % 7])}


def test_the_last_vector_of_an_id_counts():
    matrix = Matrix(3)
    matrix.put([(1, VECTORS[0]), (1, VECTORS[1])])
    assert matrix.cosines(VECTORS[1], [1]) == {1: 1.0}


def test_a_few_vectors_are_compared_directly():
    found = between([VECTORS[0], VECTORS[1]], [(7, VECTORS[0]), (8, VECTORS[1])])
    assert found == [{7: 1.0, 8: 0.0}, {8: 1.0, 7: 0.0}]
    assert between([VECTORS[0]], []) == [{}]
    assert between([], [(7, VECTORS[0])]) == []


@pytest.mark.parametrize("module", ["numpy", None])
def test_some_are_compared_in_their_order_with_numpy_and_without(monkeypatch: pytest.MonkeyPatch, module: str | None):
    if module is None:
        monkeypatch.setitem(sys.modules, "jotsam.storage.recall.vector_matrix", None)
    every = [VECTORS[name] for name in (3, 0, 6, 0)]
    assert cosines(VECTORS[0], every) == pytest.approx([0.6, 1.0, -1.0, 1.0])
    numbered = [*enumerate(every)]
    assert between([VECTORS[0]], numbered)[0] == pytest.approx({0: 0.6, 1: 1.0, 2: -1.0, 3: 1.0})
