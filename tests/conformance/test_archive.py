"""Archived memories: hidden from recall until they are restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.storage import memories
from jotsam.worker.lifecycle.actions import ACTIONS

if TYPE_CHECKING:
    from jotsam import Jotsam
    from jotsam.storage.database import Transaction


def number(tx: Transaction, uuid: str) -> int:
    row = memories.get(tx, uuid=uuid)
    assert row is not None
    return int(row["id"])


def archive(jot: Jotsam, uuid: str, into: str | None = None) -> object:
    """Archive a memory as a step does. Returns what `revert` needs."""
    with jot.database.transaction(tenant="default") as tx:
        data = {"memory": number(tx, uuid), "into": number(tx, into) if into else None}
        return ACTIONS["archive"].apply(tx, data)


def texts(jot: Jotsam, question: str, **options: object) -> list[str]:
    return [hit.text for hit in jot.recall(question, **options).hits]  # type: ignore[arg-type]


@pytest.fixture
def two(jot: Jotsam) -> tuple[str, str]:
    return jot.remember("The bakery opens at six.").id, jot.remember("The bakery of Anna opens at six.").id


def test_an_archived_memory_is_hidden_until_the_change_is_reverted(jot: Jotsam, two: tuple[str, str]) -> None:
    undo = archive(jot, two[0], into=two[1])
    assert texts(jot, "bakery") == ["The bakery of Anna opens at six."]
    with jot.database.transaction(tenant="default") as tx:
        assert ACTIONS["archive"].revert(tx, undo) == (1, 0)  # type: ignore[arg-type]
        assert ACTIONS["archive"].revert(tx, undo) == (0, 1)  # type: ignore[arg-type]
    assert len(texts(jot, "bakery")) == 2


def test_a_memory_is_merged_only_into_a_current_one_of_its_project(jot: Jotsam, two: tuple[str, str]) -> None:
    other = jot.remember("The bakery opens late.", project="elsewhere").id
    assert archive(jot, two[0], into=other) is None
    assert archive(jot, two[0], into=two[0]) is None
    assert archive(jot, two[1]) is not None
    assert archive(jot, two[0], into=two[1]) is None
    assert archive(jot, two[1]) is None
    assert sorted(texts(jot, "bakery")) == ["The bakery opens at six.", "The bakery opens late."]
