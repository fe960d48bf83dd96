"""Links that the lifecycle finds: which, how few, how they are shown, and that they are taken back exactly."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.core.names import CREATIVE
from jotsam.worker.lifecycle import actions, creative
from jotsam.worker.lifecycle.step import StepContext
from lifecycle_tables import memory_rows, plan, run, undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import Jotsam
    from jotsam.core.lifecycle_records import LifecyclePlan
    from jotsam.core.records import Link

DAY_MS = 86_400_000

INSIGHT = "We learned that the importer stalls when the warehouse export has duplicate customer rows."
PATTERN = "Every quarter the importer stalls again because the warehouse export has duplicate customer rows."
FIRST = "We chose Kestrel for the routing of parcels between the northern depots."
SECOND = "We decided that the invoices of Kestrel are paid by direct debit each month."
LUNCH = "The canteen moved lunch to half past eleven because the kitchen is being painted."


def filled(jot: Jotsam, *, project: str | None = "depot") -> list[str]:
    """Ids of memories, of which the first two and the next two belong together."""
    typed = ((INSIGHT, "Insight"), (PATTERN, "Pattern"), (FIRST, "Decision"), (SECOND, "Decision"), (LUNCH, "Context"))
    entities = {FIRST: ["tools:kestrel"], SECOND: ["tools:kestrel"]}
    ids = [
        jot.remember(
            text, type=type, project=project, importance=0.5, tags=[f"entity:{tag}" for tag in entities.get(text, ())]
        ).id
        for text, type in typed
    ]
    jot.work()
    return ids


def found_links(jot: Jotsam, ids: list[str]) -> list[Link]:
    links = [link for id in ids for link in jot.show(id).links]
    return sorted((one for one in links if one.extractor == "creative/1"), key=lambda one: one.type)


def test_an_insight_explains_a_pattern_and_decisions_about_one_thing_contrast(jot: Jotsam) -> None:
    ids = filled(jot)
    planned, before = plan(jot, CREATIVE), memory_rows(jot)
    done = run(jot, CREATIVE)
    assert (planned.changed, done.changed, planned.examined) == (2, 2, 5)
    contrast, explains = found_links(jot, ids)
    assert (contrast.type, {contrast.source, contrast.target}) == ("CONTRASTS_WITH", {ids[2], ids[3]})
    assert (explains.type, explains.source, explains.target) == ("DISCOVERED", ids[0], ids[1])
    assert (contrast.weight, explains.weight) == (0.6, 0.7)
    said = dict(explains.properties or {})
    assert (said.pop("kind"), said.pop("confidence"), said.pop("origin")) == ("explains", 0.6, "cosine of words")
    assert said.pop("similarity") > 0.2
    assert [*said] == ["shared"]
    undo(jot, done)
    assert memory_rows(jot) == before
    assert run(jot, CREATIVE).changed == 0, "what was taken back is not found again"


def test_memories_of_different_projects_or_tenants_are_not_linked(open_jot: Callable[..., Jotsam]) -> None:
    jot, other = open_jot(), open_jot(tenant="eve")
    jot.remember(INSIGHT, type="Insight", project="depot")
    jot.remember(PATTERN, type="Pattern", project="canteen")
    other.remember(PATTERN, type="Pattern", project="depot")
    jot.work()
    other.work()
    assert (plan(jot, CREATIVE).examined, plan(jot, CREATIVE).changed) == (2, 0)


def test_what_is_linked_superseded_or_no_longer_relevant_is_left_out(jot: Jotsam, clock) -> None:
    ids = filled(jot)
    jot.knowledge.link(ids[0], "RELATES_TO", ids[1])
    jot.supersede(ids[2], ids[3])
    assert plan(jot, CREATIVE).changed == 0
    jot.knowledge.unlink(ids[0], "RELATES_TO", ids[1])
    assert plan(jot, CREATIVE).changed == 1
    clock.tick(365 * DAY_MS)
    assert plan(jot, CREATIVE).examined == 0


def test_a_dry_run_and_the_run_see_the_same_sample_and_the_next_run_another(jot: Jotsam, monkeypatch) -> None:
    monkeypatch.setattr(creative, "SAMPLE", 12)
    monkeypatch.setattr(creative, "MAX_DRAWS", 1)
    for number in range(24):
        text = " ".join(
            f"{word}{number // 2}" for word in ("engine", "saddle", "lantern", "violin", "meadow", "anchor")
        )
        jot.remember(f"{text} comes {number}.", type=("Insight", "Pattern")[number % 2])
    jot.work()
    first = plan(jot, CREATIVE)
    assert first.changes == plan(jot, CREATIVE).changes
    done = run(jot, CREATIVE)
    assert (done.examined, done.changed) == (first.examined, first.changed)
    assert first.changed > 0
    seen = {first.changes, *(planned.changes for planned in _after_more_runs(jot, 5))}
    assert len(seen) > 3


def _after_more_runs(jot: Jotsam, number: int) -> list[LifecyclePlan]:
    found = []
    for _ in range(number):
        found.append(plan(jot, CREATIVE))
        run(jot, CREATIVE)
    return found


def test_a_memory_that_changes_meanwhile_is_not_linked(jot: Jotsam) -> None:
    ids = filled(jot)
    context = StepContext(database=jot.database, tenant="default", run="1", options={}, pairs=list)
    part = creative.Creative().plan(context, None)
    jot.update(ids[0], text="We learned nothing about the importer at all in this quarter.")
    jot.forget(jot.plan_forget(ids=[ids[2]]))
    with jot.database.transaction(tenant="default") as tx:
        assert [actions.apply_link(tx, one.data) for one in part.changes] == [None, None]


def test_callers_cannot_create_or_remove_found_links(jot: Jotsam) -> None:
    ids = filled(jot)
    run(jot, CREATIVE)
    for call in (jot.knowledge.link, jot.knowledge.unlink):
        with pytest.raises(InvalidInput, match="DISCOVERED"):
            call(ids[0], "DISCOVERED", ids[1])


def test_recall_does_not_follow_found_links_and_they_leave_with_their_memories(jot: Jotsam) -> None:
    ids = filled(jot)
    asked = {"expand": ["relations"], "min_weight": 0.1, "limit": 1}
    before = [hit.id for hit in jot.recall("invoices by direct debit", **asked).hits]
    run(jot, CREATIVE)
    assert [hit.id for hit in jot.recall("invoices by direct debit", **asked).hits] == before
    jot.forget(jot.plan_forget(ids=[ids[0]]))
    assert [one.type for one in found_links(jot, ids[1:])] == ["CONTRASTS_WITH"]


def test_vectors_are_compared_when_most_memories_have_one(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot(embed_model="hashing")
    ids = filled(jot)
    run(jot, CREATIVE)
    origins = {json.dumps((one.properties or {})["origin"]) for one in found_links(jot, ids)}
    assert origins == {'"cosine of hashing-512"'}


@pytest.mark.needs_server
def test_found_links_are_listed_and_removed_by_their_kind_for_good(jot: Jotsam) -> None:
    ids = filled(jot)
    run(jot, CREATIVE)
    assert [one.type for one in jot.lifecycle.links()] == ["DISCOVERED", "CONTRASTS_WITH"]
    assert [*jot.lifecycle.links(kind="explains")] == found_links(jot, ids)[1:]
    assert jot.scoped(tenant="eve").lifecycle.links() == ()
    assert jot.lifecycle.remove_links(kind="explains") == 1
    assert [one.type for one in found_links(jot, ids)] == ["CONTRASTS_WITH"]
    assert (plan(jot, CREATIVE).changed, run(jot, CREATIVE).changed) == (0, 0)
    with pytest.raises(InvalidInput, match="parallel_context"):
        jot.lifecycle.remove_links(kind="explain")
    assert jot.lifecycle.remove_links() == 1
