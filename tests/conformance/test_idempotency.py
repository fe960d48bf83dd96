"""A request with an idempotency key: one effect and one reply, however often and from wherever it is repeated."""

from __future__ import annotations

import json
import threading

import pytest

from jotsam import InvalidInput, KeyReused
from jotsam.memory.access.idempotency import KEPT_MS, KeptReply, fingerprint, run_once
from row_counts import row_counts


def accept(jot, key="k", text="We use tabs.", mark=None):
    def write(tx):
        receipt = jot.remember(text, tx=tx)
        return KeptReply(status=202, body=json.dumps(receipt.as_dict()), location=f"/v1/jobs/{receipt.job_id}")

    mark = mark or fingerprint(b"POST", b"/v1/memories", text.encode())
    return run_once(jot.database, jot.settings, key=key, fingerprint=mark, write=write)


def replies(jot):
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return tx.execute("select * from kept_reply")


def test_a_repetition_gets_the_same_reply_and_another_request_an_error(jot):
    first, again = accept(jot), accept(jot)
    assert (first[0], first[1], again[1]) == (again[0], False, True)
    assert first[0].location == f"/v1/jobs/{json.loads(first[0].body)['job_id']}"
    before = row_counts(jot)
    with pytest.raises(KeyReused, match="'k' was used with another request"):
        accept(jot, text="We use spaces.")
    assert row_counts(jot) == before
    assert not accept(jot.scoped(tenant="other"), text="We use spaces.")[1], "keys belong to a tenant"
    assert accept(jot)[1], "the key still has its first reply"


def test_the_parts_of_a_fingerprint_cannot_be_shifted_into_each_other():
    assert fingerprint(b"ab", b"c") != fingerprint(b"a", b"bc") != fingerprint(b"a", b"b", b"c")


def test_what_fails_leaves_nothing_and_the_key_is_free(jot):
    before = row_counts(jot)

    def broken(tx):
        jot.remember("It is written and rolled back.", tx=tx)
        raise InvalidInput("no")

    with pytest.raises(InvalidInput, match="no"):
        run_once(jot.database, jot.settings, key="k", fingerprint="f", write=broken)
    for key in ("", None, 7, "k" * 501, "a\0b"):
        with pytest.raises(InvalidInput, match="idempotency key"):
            accept(jot, key=key)
    assert (row_counts(jot), replies(jot)) == (before, [])
    assert not accept(jot)[1]


def test_many_at_once_have_one_effect(open_jot):
    clients, found = [open_jot() for _ in range(4)], []
    start = threading.Barrier(8)

    def request(jot):
        start.wait()
        found.append(accept(jot))

    threads = [threading.Thread(target=request, args=(clients[at % 4],)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({reply for reply, _ in found}) == 1
    assert sorted(replayed for _, replayed in found) == [False] + [True] * 7
    assert clients[0].status().memories == 1


def test_a_reply_is_kept_for_thirty_days_and_holds_neither_key_nor_text(jot, clock):
    accept(jot, key="AKIAQ3EGRIZ7XT5NVLWB")
    (row,) = replies(jot)
    assert "AKIA" not in str(row)
    assert "tabs" not in str(row)
    clock.tick(KEPT_MS)
    jot.work()
    assert accept(jot, key="AKIAQ3EGRIZ7XT5NVLWB")[1]
    clock.tick(1)
    assert not accept(jot, key="AKIAQ3EGRIZ7XT5NVLWB", text="Tabs are gone.")[1], "it can be used again"
    accept(jot, key="other")
    clock.tick(KEPT_MS + 1)
    jot.work()
    assert replies(jot) == []


def test_forgetting_a_tenant_forgets_its_replies(jot):
    other = jot.scoped(tenant="other")
    accept(jot)
    accept(other)
    jot.admin.forget_tenant()
    assert replies(jot) == [] or [row["tenant"] for row in replies(jot)] == ["other"]
    assert accept(other)[1]
