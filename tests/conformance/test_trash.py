"""The trash: what is forgotten to it is found nowhere, and can be restored as it was until it expires."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import Jotsam

pytestmark = pytest.mark.needs_server

DAY_MS = 86_400_000
START = 1_600_000_000_000
TOWNS = ("Lisbon", "Porto")
NOTE = "# Shed\n\nThe platypus lives in the shed.\n\n# Lake\n\nThe heron lives at the lake.\n"


def exported(jot: Jotsam) -> list[bytes]:
    file = io.BytesIO()
    jot.export(file, vectors=True)
    return sorted(file.getvalue().splitlines()[1:])


def without_times_of_links(exported: list[bytes]) -> list[bytes]:
    return sorted(line if b'"kind":"link"' not in line else line.rpartition(b',"created_at')[0] for line in exported)


def stored(jot: Jotsam) -> str:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return str(tx.execute("select * from trash where tenant = :tenant", {"tenant": jot.settings.tenant}))


def test_what_is_in_the_trash_is_found_nowhere_and_restored_as_it_was(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot(embed_model="hashing")
    kept = jot.remember("Bob works at Acme with Alice Hartmann.", tags=["job"]).id
    jot.work()
    id = jot.remember(
        "The platypus of Alice Hartmann eats shrimps.",
        tags=["animal"],
        metadata={"n": 1},
        external_id="platypus-1",
        key="k",
        importance=0.5,
    ).id
    jot.work()
    raw = jot.remember("The ocelot is not enriched yet.").id
    document = jot.add(NOTE, source="note.md").id
    jot.work()
    jot.update(id, importance=0.9)
    jot.knowledge.link(kept, "LEADS_TO", id)
    jot.knowledge.link(id, "PART_OF", jot.show(document).memories[0])
    before = exported(jot)
    plan = jot.plan_forget(ids=[id, raw, document])
    receipt = jot.forget(plan, trash=True)
    assert (receipt.memories, receipt.documents, receipt.erased) == (4, 1, False)
    assert [memory.id for memory in jot.list(history=True).memories] == [kept]
    assert {hit.id for hit in jot.recall("platypus shed heron ocelot").hits} <= {kept}
    for gone in (id, raw, document):
        with pytest.raises(NotFound):
            jot.show(gone)
    assert b"platypus" not in b"".join(exported(jot))
    (batch,) = jot.admin.trash()
    assert (batch.id, batch.memories, batch.documents, batch.sample[:6]) == (receipt.trash, 4, 1, "# Shed")
    assert jot.admin.restore_forgotten(batch.id) == batch
    assert exported(jot) == before
    assert id in {hit.id for hit in jot.recall("platypus shrimps").hits}
    assert jot.admin.trash() == ()
    with pytest.raises(NotFound, match="there is no batch"):
        jot.admin.restore_forgotten(batch.id)


def test_what_it_superseded_is_valid_meanwhile_and_superseded_again(jot: Jotsam, clock) -> None:
    turns = []
    for number, text in enumerate(("Otters hold hands.", "Herons stand still.", "Owls fly at night.")):
        turns.append(jot.remember(text, session="s", position=number).id)
        jot.work()
        clock.tick(DAY_MS)
    old, new = (jot.remember(f"The port of the proxy is {port}. " * 5).id for port in (8080, 9090))
    jot.supersede(old, new)
    texts, documents = (NOTE, NOTE.replace("shed", "barn")), []
    for text in texts:
        clock.tick(DAY_MS)
        documents.append(jot.add(text, source="note.md").id)
        jot.work()
    plan = [jot.add(f"# Plan\n\nThe {name} plan of Alice Hartmann is here.\n").id for name in ("early", "late")]
    lives = [jot.remember(f"Ana lives in {town}.", said_at=START + n * DAY_MS).id for n, town in enumerate(TOWNS)]
    jot.work()
    jot.supersede(*plan)
    (fact,), (moved,) = ([one.id for one in jot.show(id).facts if one.object in TOWNS] for id in lives)
    jot.undo_supersede(fact)
    jot.supersede(fact, moved)
    before, valid = exported(jot), {one.id for one in jot.list(limit=200).memories}
    gone = [turns[1], new, documents[1], plan[1], lives[1]]
    batch = jot.forget(jot.plan_forget(ids=gone), trash=True).trash
    assert batch
    shown = {one.id for one in jot.list(limit=200).memories}
    revived = {old, lives[0], *jot.show(documents[0]).memories, *jot.show(plan[0]).memories}
    assert revived <= shown
    assert not revived & valid
    assert [link.target for link in jot.show(turns[2]).links if link.weight == 1] == [turns[0]]
    clock.tick(DAY_MS)
    jot.admin.restore_forgotten(batch)
    assert {one.id for one in jot.list(limit=200).memories} == valid
    assert without_times_of_links(exported(jot)) == without_times_of_links(before)
    batch = jot.forget(jot.plan_forget(ids=[old, documents[0], plan[0], lives[0]]), trash=True).trash
    assert batch
    jot.forget(jot.plan_forget(ids=[new, documents[1], plan[1], lives[1]]))
    jot.admin.restore_forgotten(batch)
    shown = {one.id for one in jot.list(limit=200).memories}
    assert revived <= shown, "what superseded it was forgotten for good meanwhile"


def test_an_early_version_of_a_source_is_restored_to_its_place(jot: Jotsam) -> None:
    texts = [NOTE.replace("shed", place) for place in ("shed", "barn", "loft")]
    documents = []
    for text in texts:
        documents.append(jot.add(text, source="note.md").id)
        jot.work()
    before = exported(jot)
    batch = jot.forget(jot.plan_forget(ids=documents[:1]), trash=True).trash
    assert batch
    jot.admin.restore_forgotten(batch)
    assert exported(jot) == before
    jot.add(NOTE.replace("shed", "cellar"), source="note.md")
    jot.work()
    assert {one.text.split()[-1] for one in jot.list().memories} == {"cellar.", "lake."}


def test_a_fact_whose_successor_was_forgotten_meanwhile_is_restored_and_valid(jot: Jotsam) -> None:
    old, new = (jot.remember(f"Ana lives in {town}.", said_at=START + n * DAY_MS).id for n, town in enumerate(TOWNS))
    jot.work()
    assert [fact.superseded_by for fact in jot.show(old).facts] == [new]
    batch = jot.forget(jot.plan_forget(ids=[old]), trash=True).trash
    assert batch
    jot.forget(jot.plan_forget(ids=[new]))
    jot.admin.restore_forgotten(batch)
    assert [(fact.object, fact.superseded_by) for fact in jot.show(old).facts] == [("Lisbon", None)]


def test_a_vector_belongs_to_the_id_that_its_embedder_has_by_now(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot(embed_model="hashing")
    id = jot.remember("The cat sat on the mat").id
    jot.work()
    batch = jot.forget(jot.plan_forget(ids=[id]), trash=True).trash
    assert batch
    with jot.database.transaction() as tx:
        (before,) = tx.execute("select id, name, place, dimension, created_at from embedder")
        tx.execute("delete from embedder")
        values = "(:name, :place, :dimension, :created_at)"
        tx.execute(f"insert into embedder (name, place, dimension, created_at) values {values}", before)
    jot.admin.restore_forgotten(batch)
    assert [hit.id for hit in jot.recall("catsat sattle mattress").hits] == [id]
    with jot.database.snapshot(tenant="default") as tx:
        (now,) = tx.execute("select e.embedder_id, e.wanted from embedding e where e.tenant = 'default'")
    assert (now["embedder_id"] != before["id"], now["wanted"]) == (True, 0)


def test_what_cannot_be_restored_stays_in_the_trash(jot: Jotsam) -> None:
    with pytest.raises(InvalidInput, match="never_again and trash are both given"):
        jot.forget(jot.plan_forget(session="s"), never_again=True, trash=True)
    jot.add(NOTE, source="note.md")
    jot.work()
    chunk = jot.recall("platypus").hits[0].id
    with pytest.raises(InvalidInput, match="is a chunk of a document that stays"):
        jot.forget(jot.plan_forget(ids=[chunk]), trash=True)
    assert jot.get(chunk).id == chunk
    id = jot.remember("The ocelot sleeps.", external_id="pet").id
    batch = jot.forget(jot.plan_forget(ids=[id]), trash=True).trash
    assert batch
    other = jot.remember("The heron is awake.", external_id="pet").id
    with pytest.raises(InvalidInput, match="cannot be restored: external id 'pet' belongs to"):
        jot.admin.restore_forgotten(batch)
    assert jot.get("pet").id == other
    assert [one.id for one in jot.admin.trash()] == [batch]
    jot.forget(jot.plan_forget(ids=[other]))
    assert jot.admin.restore_forgotten(batch).memories == 1
    assert jot.get("pet").id == id
    batch = jot.forget(jot.plan_forget(ids=[id]), trash=True).trash
    assert batch
    jot.forget(jot.plan_forget(ids=[jot.remember("The ocelot sleeps.").id]), never_again=True)
    assert jot.admin.restore_forgotten(batch).memories == 0, "it was forgotten for good"
    assert not jot.recall("ocelot").hits
    assert jot.admin.trash() == ()


def test_the_trash_expires_and_can_be_emptied(open_jot: Callable[..., Jotsam], clock) -> None:
    jot = open_jot(trash_days=30)
    other = jot.scoped(tenant="other")
    for one in (jot, other):
        id = one.remember("The platypus lives in the shed.").id
        assert one.forget(one.plan_forget(ids=[id]), trash=True).trash
    other_text = stored(other)
    assert "platypus" in other_text
    assert jot.admin.empty_trash() == jot.database.is_file, "only of a file is it known that the bytes are gone"
    assert "platypus" not in stored(jot)
    assert stored(other) == other_text
    clock.tick(29 * DAY_MS)
    jot.work()
    assert stored(other) == other_text
    clock.tick(2 * DAY_MS)
    assert other.admin.expired().trash == 1
    jot.work()
    assert other.admin.expired().trash == 0
    assert other.admin.trash() == ()
    if jot.database.is_file:
        assert jot.database.maintain()
        files = Path(jot.database.url).parent.glob(f"{Path(jot.database.url).name}*")
        assert [file.name for file in files if file.is_file() and b"platypus" in file.read_bytes()] == []
