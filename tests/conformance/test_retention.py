"""What the settings keep for some days is removed by the worker, and nothing else."""

from __future__ import annotations

import pytest

DAY_MS = 24 * 3_600_000
NOTE = "# Cache\n\nWe chose Redis for the cache.\n\n# Mail\n\nWe chose Postfix for the mail.\n"


def document_text(jot, id):
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return tx.execute("select body from document where uuid = :id", {"id": id})[0]["body"]


def kept(jot):
    return sorted(memory.text for memory in jot.list(history=True).memories)


def test_nothing_is_removed_unless_a_setting_says_so(jot, clock):
    note = jot.add(NOTE, source="note.md")
    old, new = (jot.remember(f"The cache is {name}.").id for name in ("red", "blue"))
    jot.work()
    jot.supersede(old, new)
    clock.tick(1_000 * DAY_MS)
    jot.work()
    assert document_text(jot, note.id) == NOTE.strip() or document_text(jot, note.id) == NOTE
    assert len(kept(jot)) == 4
    assert not any(jot.admin.expired().as_dict().values())


@pytest.mark.needs_server
def test_the_text_of_an_old_document_goes_and_its_memories_stay(open_jot, clock):
    jot = open_jot(keep_documents_days=30)
    other = jot.scoped(tenant="other")
    old, theirs = (one.add(NOTE, source="note.md") for one in (jot, other))
    jot.work()
    clock.tick(20 * DAY_MS)
    jot.add("It is new.", source="new.md")
    jot.work()
    clock.tick(11 * DAY_MS)
    late = jot.add("It is not split yet.", source="late.md")
    assert jot.admin.expired().texts == 1
    before = kept(jot)
    jot.work()
    assert [document_text(*one) for one in ((jot, old.id), (other, theirs.id))] == ["", ""]
    assert document_text(jot, late.id)
    assert [text for text in kept(jot) if "not split" not in text] == before
    assert jot.recall("which cache?").hits[0].source == "note.md"
    assert jot.show(old.id).done
    assert jot.admin.expired().texts == 0
    assert not jot.add(NOTE, source="note.md").duplicate


@pytest.mark.needs_server
def test_an_earlier_version_goes(open_jot, clock):
    jot = open_jot(keep_history_days=30)
    receipt = jot.remember("It is red.")
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        number = tx.execute("select id from memory where uuid = :id", {"id": receipt.id})[0]["id"]
        for version, days in ((1, 31), (2, 29)):
            values = {"id": number, "version": version, "until": tx.now - days * DAY_MS}
            tx.execute(
                "insert into memory_version (tenant, memory_id, version, until, body, tags)"
                " values (:tenant, :id, :version, :until, 'It was blue.', '[]')",
                values,
            )
    assert jot.admin.expired().versions == 1
    jot.work()
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        assert tx.execute("select version from memory_version") == [{"version": 2}]


@pytest.mark.needs_server
def test_a_superseded_memory_goes_and_what_it_superseded_is_not_valid_again(open_jot, clock):
    jot = open_jot(keep_superseded_days=30)
    one, two, three = (jot.remember(f"The cache is {name}.").id for name in ("red", "blue", "green"))
    jot.work()
    jot.supersede(two, three)
    clock.tick(20 * DAY_MS)
    jot.supersede(one, two)
    clock.tick(15 * DAY_MS)
    work_again(open_jot)  # `two` would go first: `one`, which it superseded, would be valid again
    assert len(kept(jot)) == 3
    assert jot.admin.expired().superseded == 1
    clock.tick(20 * DAY_MS)
    jot.remember("It is new.")
    work_again(open_jot)
    assert kept(jot) == ["It is new.", "The cache is green."]


def work_again(open_jot):
    """A new worker each time visits all tenants."""
    for _ in range(2):
        open_jot(keep_superseded_days=30).work()


@pytest.mark.needs_server
def test_a_chunk_of_a_document_without_its_text_can_be_forgotten(open_jot, clock):
    jot = open_jot(keep_documents_days=30)
    note = jot.add(NOTE * 40, source="note.md")
    jot.work()
    clock.tick(31 * DAY_MS)
    jot.remember("It is new.")
    open_jot(keep_documents_days=30).work()
    assert document_text(jot, note.id) == ""
    chunk = jot.list(document=note.id).memories[0]
    jot.forget(jot.plan_forget(ids=[chunk.id]))
    assert document_text(jot, note.id) == ""
    assert chunk.id not in {memory.id for memory in jot.list(document=note.id, history=True).memories}
