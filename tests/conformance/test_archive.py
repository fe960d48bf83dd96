"""Archived memories: hidden from recall until they are restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam import Selection
from jotsam.memory.graph.timeline import known_at
from jotsam.memory.transfer.export_markdown import export_markdown
from jotsam.storage.memories import memories
from jotsam.worker.lifecycle.actions import ACTIONS
from jotsam.worker.lifecycle.run import wanted
from jotsam.worker.lifecycle.step import Change

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import StandingClock
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


def test_only_who_asks_for_archived_memories_gets_them(jot: Jotsam) -> None:
    old = jot.remember("Ana Lima works at Acme.", tags=["team"]).id
    jot.work()
    other = jot.remember("Ana Lima founded the choir.", tags=["team"]).id
    jot.archive(old)
    assert [one.id for one in jot.list().memories] == [other]
    assert [one.archived_at is not None for one in jot.list(archived=True).memories] == [False, True]
    assert not jot.knowledge.facts()
    assert len(jot.knowledge.facts(archived=True)) == 1
    assert not jot.knowledge.overview(tags=["team"]).links
    assert len(jot.knowledge.overview().memories) == 1
    assert not jot.recall("where does Ana Lima work?").facts
    hit = jot.recall("where does Ana Lima work?", archived=True).hits[0]
    assert hit.id == old
    assert hit.archived_at is not None
    assert f"archived {'2025-06-15'}" in str(jot.recall("Acme", archived=True))
    assert jot.recall("", pinned=[old]).coverage.unavailable == (f"pinned {old} (archived: use archived to show it)",)
    assert jot.status().archived == 1
    assert jot.show(old).memory.archived_at is not None


def test_a_memory_restored_by_hand_is_not_archived_for_the_same_reason_again(jot: Jotsam, two: tuple[str, str]) -> None:
    old, new = two
    archive(jot, old, into=new)
    assert jot.show(new).merged == (old,)
    assert jot.archive(old).archived_by == new  # It is archived already.
    assert jot.unarchive(old).archived_at is None
    assert jot.unarchive(old).archived_by is None
    changes = [Change(kind="archive", ids=ids, why="", data={}) for ids in ((old,), (old, new), (new,))]
    with jot.database.transaction(tenant="default") as tx:
        assert wanted(tx, changes, ACTIONS) == changes[2:]
    assert jot.archive(old).archived_at == jot.get(old).archived_at is not None


def test_a_new_text_shows_an_archived_memory_again_and_a_new_tag_does_not(jot: Jotsam, two: tuple[str, str]) -> None:
    jot.archive(two[0])
    jot.update(two[0], add_tags=["food"])
    assert jot.get(two[0]).archived_at is not None
    jot.update(two[0], text="The bakery opens at seven.")
    assert jot.get(two[0]).archived_at is None
    jot.work()
    assert "The bakery opens at seven." in texts(jot, "bakery")


@pytest.mark.needs_server
def test_forgetting_a_memory_shows_again_what_was_merged_into_it(jot: Jotsam, two: tuple[str, str]) -> None:
    old, new = two
    archive(jot, old, into=new)
    receipt = jot.forget(jot.plan_forget(ids=[new]), trash=True)
    assert receipt.revived == (old,)
    assert texts(jot, "bakery") == ["The bakery opens at six."]
    assert receipt.trash
    jot.admin.restore_forgotten(receipt.trash)
    assert jot.get(old).archived_by == new
    assert texts(jot, "bakery") == ["The bakery of Anna opens at six."]


def test_what_was_merged_into_a_superseded_memory_stays_archived_without_it(jot: Jotsam, two: tuple[str, str]) -> None:
    archive(jot, two[0], into=two[1])
    jot.supersede(two[1], jot.remember("The bakery closed.").id)
    assert jot.forget(jot.plan_forget(ids=[two[1]])).revived == ()
    assert jot.get(two[0]).archived_at is not None
    assert jot.get(two[0]).archived_by is None


def test_the_trash_keeps_what_is_archived(jot: Jotsam, two: tuple[str, str]) -> None:
    old, new = two
    archive(jot, old, into=new)
    first = jot.forget(jot.plan_forget(ids=[old]), trash=True).trash
    assert first
    jot.admin.restore_forgotten(first)
    assert jot.get(old).archived_by == new
    first = jot.forget(jot.plan_forget(ids=[old]), trash=True).trash
    assert first
    jot.forget(jot.plan_forget(ids=[new]))
    jot.admin.restore_forgotten(first)
    assert jot.get(old).archived_at is None  # What it was merged into was forgotten meanwhile.


def test_an_export_keeps_what_is_archived(jot: Jotsam, two: tuple[str, str], tmp_path: Path) -> None:
    archive(jot, two[0], into=two[1])
    jot.archive(two[1])
    jot.work()
    before = [jot.get(id) for id in two]
    jot.export(tmp_path / "all.jsonl")
    jot.admin.forget_tenant()
    jot.import_memories(tmp_path / "all.jsonl")
    assert [jot.get(id) for id in two] == before
    export_markdown(jot.database, tmp_path / "all.md", Selection(), tenant="default")
    assert "bakery" not in (tmp_path / "all.md").read_text()


def test_an_answer_that_finds_nothing_says_how_many_archived_memories_match(jot: Jotsam, two: tuple[str, str]) -> None:
    jot.archive(two[0])
    assert jot.recall("bakery").coverage.archived == 0  # The other one answers.
    jot.archive(two[1])
    jot.work()
    answer = jot.recall("When does the bakery open?")
    assert answer.coverage.archived == 2
    assert str(answer).endswith("(nothing found; 2 archived memories match: use archived to see more)")
    assert jot.recall("When does the bakery open?", archived=True).coverage.archived == 0
    assert jot.recall("zebra").coverage.archived == 0


@pytest.mark.needs_server
def test_storing_it_again_by_its_key_shows_it_and_the_timeline_hides_its_facts_meanwhile(
    jot: Jotsam, clock: StandingClock
) -> None:
    id = jot.upsert("job", "Ana Lima works at Acme.").id
    jot.work()
    assert len(known_at(jot.database, tenant="default", at=clock.now).facts) == 1
    jot.archive(id)
    assert known_at(jot.database, tenant="default", at=clock.now).facts == ()
    jot.upsert("job", "Ana Lima works at Acme.")
    assert jot.get(id).archived_at is None
