"""Forgetting a person: everything that mentions, names or quotes them goes, and the receipt says what is left."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import roles
from jotsam import InvalidInput, Jotsam, NotFound
from jotsam.core.names import COMMAND
from jotsam.ingest import spool
from jotsam.pipeline.entities.person_names import NameFinder
from jotsam.storage import queue
from processes import start

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import ForgetPlan, ForgetReceipt

NAME = "Wanda Quixley"
PHONE = "The phone number of Wanda Quixley is 555 0199."
OTHERS = (
    "Wanda Marsh works at Initech and lives in Bergen.",
    "The harbour of Oslo is deep.",
    "Rivers flow past Dresden.",
)


def places(plan: ForgetPlan) -> dict[str, int]:
    assert plan.person is not None
    return {one.place: one.number for one in plan.person.places}


def left(receipt: ForgetReceipt) -> dict[str, int]:
    assert receipt.left is not None
    return {one.place: one.number for one in receipt.left}


def everywhere(jot: Jotsam) -> dict[str, str]:
    """Their name in every place that can have it. Returns the ids of memories."""
    ids = {
        "mentioned": jot.remember("Wanda Quixley works at Globex and lives in Oslo.").id,
        "said": jot.remember("I prefer tea over coffee.", actor=NAME).id,
        "history": jot.remember("The landlord is wanda quixley.").id,
        "fields": jot.remember("A field note.", metadata={"by": "Quixley, Wanda"}, tags=["guests"]).id,
        "tagged": jot.remember("Another note.", tags=["wanda-quixley"]).id,
        "alias": jot.remember("Wandy Quix reviews the compiler.").id,
    }
    jot.add("# Notes\n\nRivers flow.\n\n# Guests\n\nWanda\nQuixley came late.\n", source="notes.md")
    jot.add("# Letter\n\nDear reader.", source="letters/wanda_quixley.md")
    jot.work()
    jot.update(ids["history"], text="The landlord is another one.")
    jot.work()
    jot.blocks.set("persona", "Wanda Quixley pays the bills.")
    jot.blocks.set("other", "Answer in German.")
    jot.store.put(("users", "wanda"), "name", {"first": "Wanda", "full": "Wanda Quixley"})
    jot.store.put(("users", "wanda"), "role", "pays the bills")
    trashed = jot.remember("Wanda Quixley was put into the trash.").id
    jot.forget(jot.plan_forget(ids=[trashed]), trash=True)
    for text in OTHERS:
        jot.remember(text)
    jot.work()
    jot.admin.pause("enrich")
    ids["waiting"] = jot.remember(PHONE).id
    jot.admin.send_command(["remember", "Ask Wanda Quixley about the keys."])
    spool.write(jot.database.url, {"text": "Wanda Quixley is in the spool.", "actor": "user"})
    return ids


def texts(jot: Jotsam) -> str:
    """All rows of all tables of the tenant."""
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        if jot.database.is_file:
            sql = "select name from sqlite_schema where type = 'table' and name not like '%text_index%'"
        else:
            sql = (
                "select relname as name from pg_class where relkind in ('r', 'p') and not relispartition"
                " and relnamespace = cast(current_schema() as regnamespace)"
            )
        return "\n".join(str(row) for one in tx.execute(sql) for row in tx.execute(f"select * from {one['name']}"))


@pytest.mark.needs_server
def test_everything_of_a_person_goes_from_every_place_and_nothing_else(jot: Jotsam) -> None:
    ids = everywhere(jot)
    plan = jot.plan_forget(person=NAME)
    found = places(plan)
    assert plan.person is not None
    assert {ids[name] for name in ("mentioned", "said", "history", "fields", "tagged", "waiting")} <= {*plan.memories}
    assert found["mentions"] >= 1
    assert (found["actor"], found["blocks"], found["trash"], found["versions"]) == (1, 1, 1, 1)
    assert found["items"] == 1
    assert found["jobs"] >= 1
    assert PHONE in {sample.text for sample in plan.person.only_words}, "the preview lists what only the words matched"
    assert jot.get(ids["waiting"]).text == PHONE, "a plan changes nothing"
    receipt = jot.forget(plan)
    assert left(receipt) == {}
    assert not NameFinder((NAME,)).is_in(texts(jot))
    assert [hit.text for hit in jot.recall("phone number 555").hits if "0199" in hit.text] == []
    assert {*OTHERS} <= {memory.text for memory in jot.list().memories}
    assert jot.blocks.get("other").text == "Answer in German."
    assert [one.key for one in jot.store.search()] == ["role"]
    assert places(jot.plan_forget(person=NAME)) == {}, "there is nothing left to plan"
    jot.admin.resume("enrich")
    jot.work()
    assert places(jot.plan_forget(person=NAME)) == {}


def test_an_alias_counts_as_a_name_and_goes_last(jot: Jotsam) -> None:
    one = jot.remember("Wanda Quixley works at Globex.").id
    other = jot.remember("Wandy Quix reviews the compiler.", tags=["entity:people:wandy-quix"]).id
    jot.work()
    jot.knowledge.merge("Wandy Quix", into=NAME)
    jot.admin.pause("enrich")
    waiting = jot.remember("Call wandy quix about the rent.").id
    plan = jot.plan_forget(person=NAME)
    assert plan.person is not None
    assert {"Wanda Quixley", "Wandy Quix"} <= {*plan.person.names}
    assert {*plan.memories} == {one, other, waiting}
    assert left(jot.forget(plan)) == {}
    assert not NameFinder(("Wandy Quix",)).is_in(texts(jot))


def test_a_name_of_two_people_is_told_with_a_way_out(jot: Jotsam) -> None:
    jot.remember("Wanda Quixley works at Globex.")
    jot.remember("Wanda Marsh works at Initech.")
    jot.remember("Ring Wanda before noon.")
    jot.work()
    with pytest.raises(InvalidInput, match="may be one of 3 people") as refused:
        jot.plan_forget(person="Wanda")
    assert "people:wanda-quixley" in str(refused.value)
    assert "people:wanda-marsh" in str(refused.value)
    plan = jot.plan_forget(person="people:wanda-quixley")
    assert plan.person is not None
    assert [(part.name, part.texts) for part in plan.person.parts] == [("wanda", 1)]
    assert len(plan.memories) == 1
    both = jot.plan_forget(person=["Wanda Quixley", "Wanda"])
    assert len(both.memories) == 2, "the given first name is theirs, and not that of Wanda Marsh"
    receipt = jot.forget(plan)
    assert left(receipt) == {"parts of the name": 1}
    assert receipt.left is not None
    assert "another name" in receipt.left[0].why
    with pytest.raises(NotFound, match="people:nobody"):
        jot.plan_forget(person="people:nobody")
    with pytest.raises(InvalidInput, match="another selection"):
        jot.plan_forget(person=NAME, project="p")
    for wrong in ("", "  ", "?", [], ["x", "..."]):
        with pytest.raises(InvalidInput):
            jot.plan_forget(person=wrong)


def test_to_the_trash_it_can_be_undone_and_what_stays_is_told(jot: Jotsam) -> None:
    id = jot.remember("Wanda Quixley works at Globex.").id
    jot.work()
    jot.blocks.set("persona", "Wanda Quixley pays the bills.")
    receipt = jot.forget(jot.plan_forget(person=NAME), trash=True)
    assert left(receipt) == {"blocks": 1, "trash": 1}
    assert receipt.trash is not None
    assert not jot.recall(NAME).hits
    jot.admin.restore_forgotten(receipt.trash)
    assert jot.get(id).text == "Wanda Quixley works at Globex."
    assert left(jot.forget(jot.plan_forget(person=NAME))) == {}


def test_another_tenant_keeps_the_person(jot: Jotsam, open_jot: Callable[..., Jotsam]) -> None:
    other = open_jot(tenant="other")
    for one in (jot, other):
        one.remember(PHONE)
        one.work()
    receipt = jot.forget(jot.plan_forget(person=NAME))
    assert left(receipt).keys() <= {"bytes"}, "the file has the texts of the other tenant"
    assert [hit.text for hit in other.recall("phone number").hits] == [PHONE]
    assert places(other.plan_forget(person=NAME))["mentions"] == 1


def test_a_job_that_runs_is_left_and_told(jot: Jotsam) -> None:
    sent = jot.admin.send_command(["remember", "Ask Wanda Quixley."])
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue=COMMAND, owner="w", lease_ms=60_000)
    assert job.id == sent.id
    receipt = jot.forget(jot.plan_forget(person=NAME))
    assert left(receipt) == {"jobs": 1}


def test_a_run_that_is_killed_goes_on_by_the_name(jot: Jotsam, url: str) -> None:
    jot.remember("Wandy Quix reviews the compiler.", tags=["entity:people:wandy-quix"])
    for number in range(10):
        jot.remember(f"Wanda Quixley wrote letter {number}.")
    jot.remember("Rivers flow to the sea.")
    jot.work()
    jot.knowledge.merge("Wandy Quix", into=NAME)
    jot.admin.pause("enrich")
    for number in range(10):
        jot.remember(f"Call wandy quix about bill {number}.")
    jot.blocks.set("persona", "Wanda Quixley pays the bills.")
    total = len(jot.list(limit=200).memories)
    for dies_at in (2, 6, 8, 5, 2):
        assert start(roles.forget, url, {"person": NAME}, dies_at).ends() == -9, dies_at
        left_now = len(jot.list(limit=200).memories)
        assert left_now <= total
        total = left_now
    assert 1 < total < 22, "it was killed in the middle"
    assert left(jot.forget(jot.plan_forget(person=NAME))) == {}
    assert [one.text for one in jot.list(limit=200).memories] == ["Rivers flow to the sea."]
    assert not NameFinder((NAME, "Wandy Quix")).is_in(texts(jot))


FOUND = (
    *(
        "wanda quixley",
        "WANDA  QUIXLEY",
        "Quixley, Wanda",
        "Wanda\nQuixley",
        "Wanda Quixley's key",
        "wanda.quixley@x.org",
    ),
    *("Wanda M. Quixley", "wanda_quixley.md", json.dumps("Wánda Quixléy"), "Wanda Quixleys Haus"),
)
NOT_FOUND = ("Wandas Quixleyer", "Swanda Quixley", "Wanda met Quixley", "Wanda. The harbour. Quixley", "")


def test_names_are_found_as_people_write_them() -> None:
    finder = NameFinder((NAME,))
    assert [text for text in FOUND if not finder.is_in(text)] == []
    assert [text for text in NOT_FOUND if finder.is_in(text)] == []
    assert NameFinder(("王小明",)).is_in("我叫王小明。")
    assert not NameFinder(("Wanda",), others=("Wanda Marsh",)).is_in("Wanda Marsh sails.")
    assert NameFinder(("Wanda",), others=("Wanda Marsh",)).is_in("Wanda Marsh and Wanda sail.")
    assert NameFinder(("Øster Łuk",)).is_in("OSTER LUK")
