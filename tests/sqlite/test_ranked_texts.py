"""In a large file bm25 ranks only the texts of a question's rarest words: the same best hits, and the same total."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from jotsam.core.answers import Terms
from jotsam.core.records import Document, Memory
from jotsam.ingest import accept, late_index
from jotsam.storage.recall import search

if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

TEXTS = 2_100  # above 2,000 the index of all tenants is ranked as one
LIMIT = 20
EVERY, FEW = 1_000_000, 120
WORDS = ("common", "frequent", "rare", "seldom")


def matched(tx: Transaction, budget: int, **options: object) -> list[Row]:
    asked = search.expression(tx, Terms(words=WORDS))
    scope = search.Scope(**({"tenant": tx.tenant, "at": tx.now} | options))  # type: ignore[arg-type]
    more: dict[str, int | None] = {
        "whole": int(scope.project is None),
        "budget": budget,
        "limit": LIMIT,
        "with_archived": 0,
    }
    more |= {"waiting": None, "with_term": None}
    rows = tx.all("search.match_text", **asked, **scope._values(), **more)
    return [{**row, "score": round(row["score"], 9)} for row in rows]


@pytest.fixture
def filled(tx: Transaction) -> Transaction:
    dice = random.Random(3)
    tx.set_tenant("default")
    for number in range(TEXTS):
        words = [
            f"n{number}",
            *(word for word, share in zip(WORDS, (0.6, 0.4, 0.03, 0.01), strict=True) if dice.random() < share),
        ]
        words += dice.choices(("oak", "elm", "ash"), k=dice.randint(1, 20))
        accept.remember(tx, Memory(text=" ".join(words), project="a" if number % 2 else None))
    return tx


def test_the_best_and_the_total_are_the_same_as_if_all_were_ranked(filled):
    few, every = matched(filled, FEW), matched(filled, EVERY)
    assert few == every
    assert every[0]["total"] > TEXTS / 2


def test_what_is_superseded_is_neither_ranked_nor_counted(filled):
    before = matched(filled, FEW)
    best = before[0]["ref"]
    filled.execute(f"update memory set superseded_at = 1 where id in ({best}, {TEXTS + 1 - best})")
    after = matched(filled, FEW)
    assert best not in {row["ref"] for row in after}
    assert after == matched(filled, EVERY)
    assert before[0]["total"] - 2 <= after[0]["total"] < before[0]["total"]


def test_a_project_and_a_second_tenant_rank_every_match(filled):
    assert matched(filled, FEW, project="a") == matched(filled, EVERY, project="a")
    accept.remember(filled, Memory(text="rare seldom", tenant="another"))
    filled.set_tenant("default")
    assert matched(filled, FEW) == matched(filled, EVERY)


def test_a_text_that_waits_for_the_index_is_ranked_and_counted_with_the_others(filled, monkeypatch):
    total = matched(filled, FEW)[0]["total"]
    accept.add(filled, Document(text="rare seldom, rare seldom"))
    late_index.load_waiting(filled)
    asked, scope = search.expression(filled, Terms(words=WORDS)), search.Scope(tenant=filled.tenant, at=filled.now)
    found = []
    for budget in (FEW, EVERY):
        monkeypatch.setattr(search, "RANKED", budget)
        rows = search.match_text(filled, scope, asked=asked, limit=LIMIT)
        found.append([(row["ref"], round(row["score"], 9), row["total"]) for row in rows])
    assert found[0] == found[1]
    assert found[0][0][0] < 0
    assert found[0][0][2] == total + 1
