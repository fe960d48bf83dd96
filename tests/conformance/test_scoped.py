"""`Jotsam.scoped`: clients for many tenants over one set of connections."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam import InvalidInput, Jotsam, NotFound


def texts(jot: Jotsam) -> list[str]:
    return sorted(hit.text for hit in jot.recall().hits)


def test_ten_thousand_scopes_share_one_database_and_see_only_their_own_tenant(jot: Jotsam) -> None:
    threads = threading.active_count()
    scopes = [jot.scoped(tenant=f"user-{number}") for number in range(10_000)]
    assert {id(scope.database) for scope in scopes} == {id(jot.database)}
    assert threading.active_count() == threads
    used = scopes[::500]
    receipts = [scope.remember(f"{scope.settings.tenant} likes tea.") for scope in used]
    for scope, receipt in zip(used, receipts, strict=True):
        assert texts(scope) == [f"{scope.settings.tenant} likes tea."]
        assert scope.show(receipt.id).memory is not None
        assert (scope.status().memories, len(scope.admin.jobs())) == (1, 1)
    assert texts(scopes[1]) == texts(jot) == []
    with pytest.raises(NotFound):
        used[1].show(receipts[0].id)
    with pytest.raises(NotFound):
        used[1].admin.discard(receipts[0].job_id)


def test_two_threads_use_two_scopes_at_the_same_time(jot: Jotsam) -> None:
    started = threading.Barrier(2)

    def write_and_read(tenant: str) -> set[str]:
        scope = jot.scoped(tenant=tenant)
        started.wait(timeout=60)
        for number in range(20):
            scope.remember(f"Number {number} of {tenant}.")
            seen = {hit.text.rpartition(" ")[2] for hit in scope.recall().hits}
            assert seen == {f"{tenant}."}
        return set(texts(scope))

    with ThreadPoolExecutor(2) as pool:
        ana, eve = pool.map(write_and_read, ("ana", "eve"))
    assert (len(ana), len(eve), ana & eve) == (20, 20, set())


def test_a_scope_has_its_own_project_and_actor_and_leaves_its_parent_open(jot: Jotsam) -> None:
    with jot.scoped(project="garden", actor="Ana") as scope:
        assert type(scope) is Jotsam
        assert scope.settings.tenant == jot.settings.tenant
        first = scope.remember("The hedge is cut.")
        second = scope.add("The pond is clean.", actor="Bob")
        inner = scope.scoped(tenant="other").remember("Elsewhere.")
    memory = jot.show(first.id).memory
    document = jot.show(second.id).document
    assert memory is not None
    assert document is not None
    assert (memory.project, memory.actor, document.project, document.actor) == ("garden", "Ana", "garden", "Bob")
    moved = jot.scoped(tenant="other").show(inner.id).memory
    assert moved is not None
    assert (moved.project, moved.actor) == ("garden", "Ana")
    assert jot.remember("The parent still works.").id


@pytest.mark.parametrize("options", [{"tenant": ""}, {"tenant": 3}, {"project": 3}, {"actor": 3}, {"tenant": " a "}])
def test_a_wrong_scope_is_refused(jot: Jotsam, options: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        jot.scoped(**options)  # type: ignore[arg-type]
