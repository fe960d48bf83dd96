"""A search of the text index finds and counts exactly what may be shown, in the same order with every scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.answers import Terms
from jotsam.ingest import late_index
from jotsam.storage.recall import search
from jotsam.storage.recall.search import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import Jotsam

    Names = dict[int, str]

PAST, FUTURE = "2020-01-01", "2999-01-01"
ALWAYS = {"plain", "ours", "by Ann", "from the past", "until the future", "with tags", "newer", "next"}
PENDING = {"pending", "our pending", "pending by Ann", "newer pending"}


@pytest.fixture
def names(jot: Jotsam, open_jot: Callable[..., Jotsam]) -> Names:
    """Texts of every kind, by their references; all have the word `kangaroo`, some more often than others."""
    superseded = jot.remember("kangaroo superseded").id
    jot.supersede(superseded, jot.remember("kangaroo, a kangaroo newer").id)
    jot.remember("kangaroo plain")
    jot.remember("a kangaroo and a kangaroo and a kangaroo ours", project="ours")
    jot.remember("kangaroo by Ann", actor="Ann")
    jot.remember("kangaroo from the past", valid_from=PAST)
    jot.remember("kangaroo kangaroo until the future", valid_until=FUTURE)
    jot.remember("kangaroo from the future", valid_from=FUTURE)
    jot.remember("kangaroo expired", valid_until=PAST)
    jot.remember("kangaroo with tags", tags=["zoo"], type="Decision")
    jot.remember("kangaroo that is gone, a kangaroo", valid_until=PAST, project="ours", actor="Ann", tags=["zoo"])
    jot.remember("no such animal")
    chunked = jot.add("kangaroo next")
    jot.work()
    assert chunked.id
    old = jot.add("kangaroo superseded pending").id
    jot.supersede(old, jot.add("kangaroo newer pending, kangaroo").id)
    jot.add("kangaroo pending")
    jot.add("kangaroo our pending", project="ours")
    jot.add("kangaroo pending by Ann", actor="Ann")
    other = open_jot(tenant="other")
    other.remember("kangaroo of another tenant")
    other.add("kangaroo of another tenant, pending")
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        rows = tx.execute("select id, body from memory where tenant = :tenant")
        rows += tx.execute("select -id as id, body from document where tenant = :tenant and cut_at is null")
    return {row["id"]: row["body"] for row in rows}


def found(jot: Jotsam, names: Names, *, limit: int = 100, **scope: object) -> list[tuple[str, float, int]]:
    """Text, score and total of what a search finds."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        late_index.load_waiting(tx)
        asked = search.expression(tx, Terms(words=("kangaroo",)))
        where = Scope(tenant=jot.settings.tenant, at=tx.now).replace(**scope)
        rows = search.match_text(tx, where, asked=asked, limit=limit)
    return [(names[row["ref"]].replace(",", ""), row["score"], row["total"]) for row in rows]


def kinds(rows: list[tuple[str, float, int]]) -> set[str]:
    """What is said of each kangaroo; fails unless the totals are right and the scores sorted."""
    assert {total for _, _, total in rows} <= {len(rows)}
    assert [score for _, score, _ in rows] == sorted((score for _, score, _ in rows), reverse=True)
    told = [" ".join(word for word in text.split() if word not in ("kangaroo", "a", "and")) for text, _, _ in rows]
    assert len(told) == len({*told})
    return {*told}


HIDDEN = {"superseded", "from the future", "expired", "that is gone", "superseded pending"}
SCOPES: list[tuple[dict[str, object], set[str]]] = [
    ({}, ALWAYS | PENDING),
    ({"history": 1}, ALWAYS | PENDING | HIDDEN),
    ({"project": "ours"}, {"ours", "our pending"}),
    ({"project": "ours", "history": 1}, {"ours", "our pending", "that is gone"}),
    ({"actor": "Ann"}, {"by Ann", "pending by Ann"}),
    ({"project": "ours", "actor": "Ann"}, set()),
    ({"at": 1_500_000_000_000, "past": 1}, set()),
    ({"at": 1_590_000_000_000, "past": 1}, {"from the past"}),
    ({"at": 1_500_000_000_000}, (ALWAYS | PENDING | HIDDEN) - {"from the past", "from the future"}),
]


def test_a_search_finds_and_counts_what_may_be_shown(jot: Jotsam, names: Names) -> None:
    assert {str(scope): kinds(found(jot, names, **scope)) for scope, _ in SCOPES} == {
        str(scope): wanted for scope, wanted in SCOPES
    }


def test_a_filter_that_every_text_matches_changes_no_score_and_no_total(jot: Jotsam, names: Names) -> None:
    everything = search.json_list(names)
    assert len(found(jot, names)) == len(ALWAYS | PENDING)
    for scope in ({}, {"history": 1}, {"at": 1_500_000_000_000}):
        for limit in (3, 100):
            assert found(jot, names, limit=limit, narrowed=everything, **scope) == found(
                jot, names, limit=limit, **scope
            )


def test_the_total_counts_what_is_not_returned(jot: Jotsam, names: Names) -> None:
    every = found(jot, names)
    assert found(jot, names, limit=2) == every[:2]
    assert {total for _, _, total in every} == {len(every)}
    tagged = [ref for ref, text in names.items() if "tags" in text or "gone" in text or "superseded" in text]
    assert kinds(found(jot, names, narrowed=search.json_list(tagged))) == {"with tags"}


def test_an_answer_counts_the_same(jot: Jotsam, names: Names) -> None:
    asked: list[dict[str, object]] = [
        {},
        {"project": "ours"},
        {"actor": "Ann"},
        {"tags": ["zoo"]},
        {"types": ["Decision"]},
    ]
    totals = [jot.recall("kangaroo", **fields).coverage.total for fields in asked]
    assert totals == [len(ALWAYS | PENDING), 2, 2, 1, 1]
