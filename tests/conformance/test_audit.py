"""The audit has a row for each request that changed something, and none for what was not committed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import roles
from jotsam import AuditEntry, InvalidInput
from jotsam.core.errors import JotsamError
from jotsam.memory.access.audit import audited, audited_client
from processes import start

if TYPE_CHECKING:
    from jotsam import Jotsam

DAY_MS = 24 * 3_600_000


def entry(request: str = "r-1", **fields: Any) -> AuditEntry:
    given = {"tenant": "default", "token": "abc", "name": "laptop", "action": "POST /v1/memories", "address": "::1"}
    return AuditEntry(**{**given, "request": request, **fields})


def requests(jot: Jotsam) -> list[str]:
    return [one.request for one in jot.admin.audit()]


def test_a_request_with_many_changes_has_one_row(jot, clock):
    view = audited_client(jot, entry(subject="id-1"))
    view.remember("One.")
    view.remember("Two.")
    view.forget(view.plan_forget(query="One"))
    (row,) = jot.admin.audit()
    assert row == entry(subject="id-1", id=row.id, created_at=clock())


def test_what_only_reads_or_fails_has_no_row(jot):
    view = audited_client(jot, entry())
    view.recall("one")
    view.list()
    view.status()
    with pytest.raises(InvalidInput):
        view.remember("x", importance=5)
    with pytest.raises(LookupError):
        view.supersede("nope", "none")
    with pytest.raises(ZeroDivisionError), view.database.transaction() as tx:
        view.remember("Rolled back.", tx=tx)
        raise ZeroDivisionError
    assert (requests(jot), jot.status().memories) == ([], 0)
    view.remember("Kept.")
    assert requests(jot) == ["r-1"], "a row that was rolled back is written with the next change"


def test_a_client_that_repeats_its_request_id_hides_no_change(jot):
    for text in ("One.", "Two."):
        audited_client(jot, entry("same")).remember(text)
    assert requests(jot) == ["same", "same"]


def test_a_transaction_of_a_request_is_in_its_tenant(jot):
    view = audited_client(jot, entry(tenant="ana"))
    assert view.settings.tenant == "ana"
    view.remember("Mine.")
    with view.database.transaction() as tx:
        assert tx.tenant == "ana"
    assert (requests(jot), requests(jot.scoped(tenant="ana"))) == ([], ["r-1"])
    with view.database.snapshot(tenant="eve") as tx:
        assert tx.tenant == "eve"


def test_pages_are_newest_first_and_each_tenant_sees_its_own(jot):
    for number in range(5):
        audited_client(jot, entry(f"r-{number}", tenant="ana" if number % 2 else "default")).remember("x")
    first = jot.admin.audit(limit=2)
    rest = jot.admin.audit(after=first[-1].id, limit=2)
    assert [one.request for one in (*first, *rest)] == ["r-4", "r-2", "r-0"]
    assert requests(jot.scoped(tenant="ana")) == ["r-3", "r-1"]
    for wrong in ({"limit": 0}, {"limit": 1_001}, {"after": -1}):
        with pytest.raises(InvalidInput):
            jot.admin.audit(**wrong)
    jot.scoped(tenant="ana").admin.forget_tenant()
    assert (requests(jot.scoped(tenant="ana")), len(requests(jot))) == ([], 3)


def test_fields_that_a_client_chose_are_stored_without_secrets_and_cut(jot):
    odd = entry("\0\ud800" + "é" * 1_000, subject="AKIAQ3EGRIZ7XT5NVLWB", address="x" * 10_000)
    audited_client(jot, odd).remember("x")
    (row,) = jot.admin.audit()
    assert row.request.startswith("\ufffd\ufffdé")
    assert max(len(value.encode()) for value in row.as_dict().values() if isinstance(value, str)) <= 500
    assert "AKIA" not in row.subject


def test_tokens_that_are_created_and_revoked_are_audited_with_their_surface(jot):
    new = jot.admin.create_token(name="laptop", scope="read")
    jot.admin.revoke_token(new.id)
    with pytest.raises(LookupError):
        jot.admin.revoke_token("nope")
    found = [(one.token, one.name, one.action, one.subject) for one in jot.admin.audit()]
    assert found == [("", "python", "tokens revoke", new.id), ("", "python", "tokens create", new.id)]
    audited_client(jot, entry("r-9", action="POST /v1/tokens")).admin.create_token(name="phone", scope="read")
    assert jot.admin.audit()[0].action == "POST /v1/tokens", "a request that creates one has its own row only"
    assert len(jot.admin.audit()) == 3


def test_a_worker_removes_what_is_older_than_the_setting(open_jot, clock):
    jot = open_jot(keep_audit_days=30)
    other = jot.scoped(tenant="tokens only")
    for view in (jot, other):
        view.admin.create_token(name="laptop", scope="read")
    clock.tick(20 * DAY_MS)
    jot.admin.create_token(name="new", scope="read")
    clock.tick(11 * DAY_MS)
    assert jot.admin.expired().audit == 1
    jot.work()
    assert (len(requests(jot)), len(requests(other)), jot.admin.expired().audit) == (1, 0, 0)


def test_nothing_is_removed_with_the_setting_0(open_jot, clock):
    jot = open_jot(keep_audit_days=0)
    jot.admin.create_token(name="laptop", scope="read")
    clock.tick(10_000 * DAY_MS)
    jot.work()
    assert (len(requests(jot)), jot.admin.expired().audit) == (1, 0)


def test_a_process_that_is_killed_leaves_a_change_with_its_row_or_neither(jot, url):
    """Three steps of each of three changes: before the transaction, before the commit, and after it."""
    seen = set()
    for step in range(1, 10):
        assert start(roles.remember_audited, url, step).ends() == -9, step
        tenant = jot.scoped(tenant=f"step {step}")
        rows, memories = len(requests(tenant)), tenant.status().memories
        assert (rows, memories) == (min(memories, 1), step // 3), step
        seen.add((rows, memories))
    assert {(0, 0), (1, 1), (1, 2)} <= seen


def test_an_audited_database_is_refused_inside_an_open_transaction(jot):
    database = audited(jot.database, entry())
    with jot.database.transaction(), pytest.raises(JotsamError, match="open transaction"), database.transaction():
        pass
    assert requests(jot) == []
