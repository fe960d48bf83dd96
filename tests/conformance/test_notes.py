"""Notes: what sessions say that lasts, what becomes of it, and what a person says of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from jotsam import InvalidInput, NotFound
from jotsam.core.note_records import FoundNote
from jotsam.pipeline.notes.describe import described
from jotsam.pipeline.notes.words import terms
from jotsam.storage.memories import memories, notes
from jotsam.worker.enrichment.notes import relate

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock
    from jotsam import Jotsam, Note
    from jotsam.storage.database import Database

CHOSEN = (
    "Where do we keep the readings of the sensors?",
    "Two ways:\n\n- InfluxDB: made for it, one more service to run\n- PostgreSQL: we have it, slower beyond 100 million"
    " rows\n\nI recommend the second.",
    "ok the second",
    "The table `reading` is in PostgreSQL, with one partition a month.",
)
REVERSED = (
    "PostgreSQL is too slow for the readings, let's go with InfluxDB",
    "Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL.",
)


@pytest.fixture
def say(jot: Jotsam, clock: StandingClock) -> Callable[..., list[str]]:
    """Stores the turns of a session, beginning with the user, and enriches them. Returns their ids."""

    def say(*texts: str, session: str = "s", project: str = "farm", worker: bool = True) -> list[str]:
        ids = []
        for number, text in enumerate(texts):
            clock.tick(1_000)
            actor = ("user", "assistant")[number % 2]
            ids.append(jot.remember(text, session=session, actor=actor, project=project).id)
        if worker:
            jot.work()
        return ids

    return say


def listed(jot: Jotsam, kind: str | None = None, *, project: str = "farm", state: str = "holds") -> list[str]:
    return [one.text for one in jot.notes.list(kind=kind, project=project, state=state)]


def lines(jot: Jotsam, project: str = "farm") -> list[tuple[str, str]]:
    return [(line.label, line.text) for line in jot.brief(project=project).lines]


def test_a_standing_order_is_in_each_brief_and_one_for_this_once_is_not(
    jot: Jotsam, say: Callable[..., list[str]]
) -> None:
    say("never open the valves from a test, only from the console", "Understood.")
    say("dont restart the pump yet, i look at it first", "I leave it alone.", session="t")
    say("please never open the valves from a test!!", "Noted.", session="u")
    assert lines(jot) == [("rule, said 2 times", "never open the valves from a test, only from the console")]
    assert lines(jot, "garden") == []


def test_a_doubtful_rule_answers_prompts_and_is_not_in_the_brief(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    say("never open the valves from a test, only from the console", "Understood.")
    for sure, is_shown in ((0.65, False), (0.67, True)):
        with jot.database.transaction(tenant="default") as tx:
            tx.execute(f"update note set sure = {sure}")
        assert (("rule", "never open the valves from a test, only from the console") in lines(jot)) == is_shown
        assert jot.brief(project="farm", prompt="write a test for the valves").lines


def test_a_rule_of_the_person_is_in_every_project(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    say("keep your answers short, in all my projects", "OK.")
    say("What is the level of the tank?", "It is 40 cm.", project="garden", session="t")
    assert lines(jot, "garden")[0] == ("rule everywhere", "keep your answers short, in all my projects")
    say("answers are not rules of the person: the api answers with 409", "Yes.", project="shed", session="u")
    assert listed(jot, "rule", project="shed") == ["keep your answers short, in all my projects"]


def test_what_was_chosen_is_a_decision_until_another_is_chosen(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    say(*CHOSEN)
    ((_, decided),) = lines(jot)
    assert "PostgreSQL" in decided
    assert "ok" not in decided.lower().split()
    say(*REVERSED, session="t")
    (now,) = [text for label, text in lines(jot) if label == "decided"]
    assert "InfluxDB" in now
    (before,) = [
        one for one in jot.notes.list(project="farm", state="all") if one.state == "replaced" and one.confidence > 0.5
    ]
    assert before.ended_by
    assert "InfluxDB" in before.ended_by
    found = jot.brief(project="farm", prompt="In which table are the readings?").text
    assert "InfluxDB" in found
    assert "with one partition" not in found, "what was replaced is not given as valid"


def test_the_order_in_which_sessions_are_read_does_not_matter(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    early, late = say(*CHOSEN), say(*REVERSED, session="t")
    for first in (late, early):
        jot.reprocess(jot.plan_reprocess(first, force=True))
        jot.work()
    assert [text for label, text in lines(jot) if label == "decided" and "partition" in text] == []


@pytest.mark.needs_server
def test_what_a_note_no_longer_ends_is_ended_by_another(
    jot: Jotsam, say: Callable[..., list[str]], open_database: Callable[[], Database]
) -> None:
    first = "The readings of the sensors are in PostgreSQL."
    say("where do we keep the readings of the sensors?", "I suggest PostgreSQL.", "yes", first)
    stored = jot.remember("The readings of the sensors are in InfluxDB.", type="Decision", project="farm").id
    jot.work()
    say("move the readings from PostgreSQL to ClickHouse", "Done, the readings are in ClickHouse now.", session="u")

    def ended_by() -> str:
        (ended,) = [one for one in jot.notes.list(project="farm", state="all") if one.text == first]
        return str(ended.ended_by)

    assert "InfluxDB" in ended_by()
    with open_database().transaction(tenant="default") as tx:
        row = memories.get(tx, uuid=stored)
        assert row
        held_again = notes.replace(tx, row["id"], [], before=None, after=None, project="farm")
        relate(tx, held_again, "farm")
    assert "ClickHouse" in ended_by()


SESSIONS_IN_ORDER = (
    (
        ("always weigh the red apples in the barn", "Noted."),
        ("always weigh the red apples and the green pears", "Noted."),
        ("always weigh the green pears before noon", "Noted."),
        ("Weigh the red apples in the barn or the yard.",),  # stored as a rule, which counts more than what is said
    ),
    (
        ("always weigh the red apples in the barn", "Noted."),
        ("Weigh the red apples in the barn or the yard.",),
        ("again: always weigh the red apples in the barn!", "Sorry."),
    ),
    (CHOSEN[:3], REVERSED, ("move the readings from InfluxDB to ClickHouse", "Done, they are in ClickHouse now.")),
)


def test_what_ends_a_note_does_not_depend_on_the_order_in_which_sessions_are_read(jot: Jotsam) -> None:
    def ended(sessions: tuple[tuple[str, ...], ...], order: tuple[int, ...], project: str) -> list[object]:
        for day in order:
            for minute, text in enumerate(sessions[day]):
                jot.remember(
                    text,
                    type="Rule" if len(sessions[day]) == 1 else None,
                    session=f"{project} {day}",
                    actor=("user", "assistant")[minute % 2],
                    project=project,
                    said_at=f"2026-11-{10 + day}T10:{minute:02}:00Z",
                )
            jot.work()
        every = jot.notes.list(project=project, state="all")
        return [(one.said_at, one.kind, one.text, one.state, one.ended_by) for one in reversed(every)]

    for number, sessions in enumerate(SESSIONS_IN_ORDER):
        orders = [*permutations(range(len(sessions)))]
        first = ended(sessions, orders[0], f"farm {number}")
        for order in orders[1::2]:
            assert ended(sessions, order, f"farm {number} {order}") == first, order


@pytest.mark.needs_server
def test_a_turn_is_read_again_when_its_answer_comes_later(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    say("which seed for the east field?", "I suggest rye.", "yes")
    assert listed(jot, "decision") == ["rye."]
    jot.remember("Rye is in the plan of the east field, 180 kg.", session="s", actor="assistant", project="farm")
    jot.work()
    assert listed(jot, "decision") == ["Rye is in the plan of the east field, 180 kg."]


@pytest.mark.needs_server
def test_what_was_replaced_holds_while_its_successor_is_in_the_trash(
    jot: Jotsam, say: Callable[..., list[str]]
) -> None:
    say(*CHOSEN)
    later = say(*REVERSED, session="t")
    replaced = [one for one in jot.notes.list(project="farm", state="all") if one.state == "replaced"]
    batch = jot.forget(jot.plan_forget(ids=later), trash=True).trash
    assert batch
    assert {one.text for one in replaced} <= {*listed(jot, "decision")}
    jot.admin.restore_forgotten(batch)
    assert [one for one in jot.notes.list(project="farm", state="all") if one.state == "replaced"] == replaced


@pytest.mark.needs_server
def test_what_a_note_ended_is_ended_by_another_while_that_is_gone_or_wrong(jot: Jotsam) -> None:
    first, second, _ = (
        jot.remember(
            f"The readings of the sensors are in {name}.", type="Decision", project="farm", said_at=f"2026-11-1{day}"
        ).id
        for day, name in enumerate(("PostgreSQL", "InfluxDB", "ClickHouse"))
    )
    jot.work()

    def ended_by() -> list[str | None]:
        every = jot.notes.list(project="farm", state="all")
        return [one.ended_by and one.ended_by.split()[-1] for one in every if one.id.startswith(first)]

    with jot.database.snapshot(tenant="default") as tx:
        before = tx.execute("select * from note order by memory_id")
    assert ended_by() == ["InfluxDB."]
    (wrong,) = [one for one in jot.notes.list(project="farm", state="all") if one.id.startswith(second)]
    for verdict, by in (("old", "InfluxDB."), ("wrong", "ClickHouse."), (None, "InfluxDB.")):
        jot.notes.judge(wrong.id, verdict=verdict)
        assert ended_by() == [by]
    batch = jot.forget(jot.plan_forget(ids=[second]), trash=True).trash
    assert ended_by() == ["ClickHouse."]
    assert batch
    jot.admin.restore_forgotten(batch)
    with jot.database.snapshot(tenant="default") as tx:
        assert tx.execute("select * from note order by memory_id") == before
    jot.update(second, text="The barn is red.")
    assert ended_by() == ["ClickHouse."], "what ended it says something else now"
    jot.update(second, text="The readings of the sensors are in InfluxDB.")
    jot.work()
    assert ended_by() == ["InfluxDB."]
    jot.forget(jot.plan_forget(ids=[second]))
    assert ended_by() == ["ClickHouse."]


@pytest.mark.needs_server
def test_a_restored_note_ends_what_it_ended_and_what_came_meanwhile(jot: Jotsam) -> None:
    def tell(text: str, day: int) -> str:
        return jot.remember(text, type="Decision", project="farm", said_at=f"2026-11-1{day}").id

    first, last = tell("The readings of the sensors are in PostgreSQL.", 0), tell("The barn is painted green.", 3)
    move = tell("The readings of the sensors are in MySQL.", 4)
    jot.work()
    with jot.database.transaction(tenant="default") as tx:  # As a language model does, which no rule finds again.
        (ended,), (by,) = (
            notes.of_memory(tx, memories.get(tx, uuid=id)["id"])  # type: ignore[index]
            for id in (last, move)
        )
        notes.end(tx, ended, by=by, how="closed")

    def states() -> dict[str, str]:
        every = jot.notes.list(project="farm", state="all")
        return {id: one.state for id in (first, last, move) for one in every if one.id.startswith(id)}

    before = states()
    assert before == {first: "replaced", last: "closed", move: "holds"}
    batch = jot.forget(jot.plan_forget(ids=[move]), trash=True).trash
    assert batch
    meanwhile = tell("The readings of the sensors are in MariaDB.", 2)
    jot.work()
    jot.admin.restore_forgotten(batch)
    assert states() == before
    every = jot.notes.list(project="farm", state="all")
    assert [one.state for one in every if one.id.startswith(meanwhile)] == ["replaced"]


def test_an_open_end_closes_when_it_is_done(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    say("is the alarm of the silo ready?", "No. Open: the alarm of the silo needs a siren.")
    assert ("open", "the alarm of the silo needs a siren") in lines(jot)
    say("mount the siren of the silo alarm please", "Done. The siren is mounted.", session="t")
    assert listed(jot, "open") == []
    (closed,) = jot.notes.list(kind="open", project="farm", state="all")
    assert (closed.state, closed.ended_by) == ("closed", "Done.")


def test_a_memory_without_turns_around_it_ends_what_was_said_earlier(
    jot: Jotsam, clock: StandingClock, say: Callable[..., list[str]]
) -> None:
    say(*CHOSEN)
    say("is the alarm of the silo ready?", "No. Open: the alarm of the silo needs a siren.")
    clock.tick(1_000)
    stored = "The readings of the sensors are in InfluxDB."
    jot.remember(stored, type="Decision", project="farm")
    jot.remember("Mount the siren of the silo alarm", actor="git Ada", session="s", project="farm")
    jot.work()
    assert [text for text in listed(jot, "decision") if "PostgreSQL" in text] == []
    assert stored in listed(jot, "decision")
    assert listed(jot, "open") == []


def test_a_prompt_gets_nothing_twice(jot: Jotsam) -> None:
    for text in ("Dymo is removed.", "Dymo is removed from the barn.", "Dymo is removed."):
        made = jot.notes.add(text, kind="decision", project="farm")
        jot.notes.judge(made.id, verdict="keep")  # though the next one says the same
    found = jot.brief(project="farm", prompt="is Dymo removed?").lines
    assert [line.text for line in found if line.label == "decided"] == ["Dymo is removed from the barn."]


WORK = "add a column for the harvest to the page"
STATEMENTS = (
    *("The mower is sharpened by the smith in the village", "Milk is cooled to four degrees within an hour"),
    *("The tractor runs on rape oil from our own press", "Hens sleep in the blue caravan behind the orchard"),
    *("Invoices go out as PDF with the logo of the cooperative", "Hay is pressed into round bales with a net"),
    *("The well is measured by a float with a reed contact", "Seeds are kept in jars at the cellar's north wall"),
    *("Sheep are counted by ear tags and a reader from Allflex", "The dog gets no access to the room of the kids"),
    *("Apples are sold in crates of twelve kilograms each", "Fences are painted with tar and never with lacquer"),
    *("The quarry road is closed for lorries above ten tons", "Bees stand at the lime trees until the end of July"),
    *("Eggs are stamped with the number of the coop and the day", "The bakery fetches flour with its own van at six"),
    *("Guests park on the gravel below the old linden alley", "Potatoes are stored in the dark vault under the hall"),
    *("Slurry is spread by the contractor from the next valley", "The siren is tested at noon on the first of a month"),
    *("Goats graze on the southern slope from May to September", "Cider is bottled by hand in brown swing-top flasks"),
    *("The museum shows ploughs only in the winter half year", "Wood is split in March and dried for two summers"),
    *("Trout are fed through an automatic drum from Denmark", "The choir rehearses in the threshing barn on Mondays"),
)


def test_a_prompt_for_work_also_gets_what_else_holds_and_the_brief_had_no_room_for(jot: Jotsam) -> None:
    for text in STATEMENTS[:14]:
        jot.notes.add(text, kind="decision", project="farm")
    start = {line.text for line in jot.brief(project="farm").lines}
    others = {note.text for note in jot.notes.list(project="farm")} - start
    work = {line.text for line in jot.brief(project="farm", prompt=WORK).lines}
    assert work == others != set(), "nothing of the brief comes again"
    assert jot.brief(project="farm", prompt="what is the difference between a list and a tuple?").lines == ()


def test_what_else_holds_has_the_tokens_that_a_prompt_leaves(jot: Jotsam) -> None:
    for text in STATEMENTS:
        jot.notes.add(f"{text}, and all neighbours agreed to it in the assembly", kind="decision", project="farm")
    given = jot.brief(project="farm", prompt=WORK)
    assert given == jot.brief(project="farm", prompt=WORK, tokens=600)
    assert 300 < given.tokens <= 600
    few = jot.brief(project="farm", prompt=WORK, tokens=100)
    assert few.tokens <= 100
    assert few.lines
    assert few.lines == given.lines[: len(few.lines)] != given.lines


def test_a_prompt_about_the_world_gets_nothing_although_stored_texts_match(
    jot: Jotsam, say: Callable[..., list[str]]
) -> None:
    say(
        "The Fliegl sensor and the Kramer sensor hang in the north silo.",
        "The Fliegl sensor measures the level, the Kramer sensor the temperature.",
    )
    asked = "what is the difference between a Fliegl sensor and a Kramer sensor?"
    assert jot.brief(project="farm", prompt=asked).text == ""
    assert "north silo" in jot.brief(project="farm", prompt="where is the Fliegl sensor?").text


def test_the_same_problem_gets_its_fix(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    say(
        "the milk meter is wrong since the update, it shows negative litres",
        "The sign of the pulse was flipped in the new driver. I invert it in meter.c now.",
    )
    found = jot.brief(project="farm", prompt="negative litres on the milk meter again")
    assert found.lines[0].label == "fixed"
    assert "I invert it in meter.c now." in found.lines[0].text
    assert jot.brief(project="farm", prompt="what is the difference between a litre and a gallon").text == ""


def test_a_note_goes_with_each_turn_that_it_was_made_of(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    ids = say(*CHOSEN)
    assert listed(jot, "decision")
    jot.forget(jot.plan_forget(ids=[ids[3]]))
    assert not [text for text in listed(jot, state="all") if "partition" in text]
    jot.forget(jot.plan_forget(ids=[ids[1]]))
    assert listed(jot, state="all") == []


def test_another_text_has_other_notes(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    (id, _) = say("always wash the filters with warm water", "Noted.")
    jot.update(id, text="The filters were washed.")
    assert listed(jot, state="all") == [], "at once"
    jot.work()
    assert listed(jot, "rule") == []


@pytest.mark.needs_server
def test_what_a_person_says_of_a_note_stays(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    say("never feed the calves before six", "Noted.")
    (rule,) = jot.notes.list(kind="rule", project="farm")
    assert jot.notes.judge(rule.id, verdict="wrong").state == "wrong"
    assert lines(jot) == []
    jot.reprocess(jot.plan_reprocess(force=True, project="farm"))
    jot.work()
    assert listed(jot, "rule") == [], "it was found again"
    assert jot.notes.judge(rule.id, verdict=None).state == "holds"
    edited = jot.notes.edit(rule.id, "feed the calves at six, never before")
    assert lines(jot) == [("rule", "feed the calves at six, never before")]
    assert edited.confidence == 1
    assert [one.state for one in jot.notes.list(kind="rule", project="farm", state="all")] == ["holds", "old"]


def test_a_rule_can_be_added_for_a_project_and_for_all(jot: Jotsam) -> None:
    own = jot.notes.add("no work on the well without a second person", project="farm")
    everywhere = jot.notes.add("metric units", everywhere=True)
    task = jot.notes.add("order seed potatoes", kind="open", project="farm")
    assert lines(jot) == [
        ("rule", "no work on the well without a second person"),
        ("rule everywhere", "metric units"),
        ("open", "order seed potatoes"),
    ]
    jot.work()
    assert {one.id for one in jot.notes.list(project="farm")} == {own.id, everywhere.id, task.id}
    assert (everywhere.project, everywhere.everywhere) == (None, True)
    jot.remember("Gates stay closed.", type="Rule", project="farm")
    jot.work()
    assert "Gates stay closed." in listed(jot, "rule"), "an agent told it"


def test_a_rule_of_a_project_stands_instead_of_one_of_the_person_that_says_otherwise(
    jot: Jotsam, say: Callable[..., list[str]], clock: StandingClock
) -> None:
    def for_prompt(project: str) -> list[tuple[str, str]]:
        found = jot.brief(project=project, prompt="write the importer with tabs or spaces?")
        return [(line.label, line.text) for line in found.lines]

    def recalled(project: str) -> bool:
        return "indent with tabs" in {hit.text for hit in jot.recall("which formatter", prefer=project).hits}

    jot.notes.add("indent with tabs", everywhere=True)
    jot.notes.add("never push to main", everywhere=True)
    say("Always indent with spaces, never with tabs.")
    own = ("rule", "Always indent with spaces, never with tabs.")
    push, tabs = ("rule everywhere", "never push to main"), ("rule everywhere", "indent with tabs")
    assert {*lines(jot)} == {own, push}
    assert for_prompt("farm") == [own]
    assert {*lines(jot, "shop")} == {push, tabs}
    assert for_prompt("shop") == [("rule", tabs[1])]
    assert not recalled("farm")
    assert recalled("shop")
    clock.tick(1_000)
    jot.notes.judge(jot.notes.list(project="farm", kind="rule")[0].id, verdict="wrong")
    assert {*lines(jot)} == {push, tabs}, "it holds there again"


def test_a_sentence_that_is_a_rule_and_a_decision_is_one_line(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    for sentence, other in (
        ("Use pnpm, always.", "use pnpm"),
        ("Always test with pytest, never nose.", "pytest, never nose"),
    ):
        (id,) = say(sentence, session=sentence)
        with jot.database.transaction(tenant="default") as tx:
            row = memories.get(tx, uuid=id)
            assert row
            note = FoundNote(
                kind="decision", text=other, ref=row["id"], at=row["created_at"], sure=0.9, names=terms(other)
            )
            notes.add(tx, described(note), before=None, project="farm")
    assert sorted(label for label, _ in lines(jot)) == ["rule", "rule"]
    found = jot.brief(project="farm", prompt="is it pnpm or npm in the build?")
    assert len(found.lines) == 1
    assert len(listed(jot, "decision")) == 2, "they can be struck"


@pytest.mark.needs_server
def test_of_decisions_told_at_once_the_last_one_holds(jot: Jotsam) -> None:
    def tell(number: int) -> None:
        jot.notes.add(f"MAX_RETRIES is {number} now.", kind="decision", project="farm")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(tell, range(1, 13)))
    assert len(listed(jot)) == 1
    assert len(listed(jot, state="all")) == 12


@pytest.mark.needs_server
def test_a_rule_edited_while_others_are_told_blocks_none_of_them(jot: Jotsam) -> None:
    def change(number: int) -> None:
        made = jot.notes.add(f"weigh the apples {number} times", project="farm")
        jot.notes.edit(made.id, f"weigh the apples {number} times in the barn")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(change, range(1, 13)))
    assert "old" in {one.state for one in jot.notes.list(kind="rule", project="farm", state="all")}


def test_a_wrong_note_is_refused_by_name(jot: Jotsam, say: Callable[..., list[str]]) -> None:
    (id, _) = say("never whistle in the stable. every gate needs a lock", "Noted.")
    whole: tuple[Note, ...] = jot.notes.list(kind="rule", project="farm")
    assert len(whole) in (1, 2)
    for call, error, why in (
        (lambda: jot.notes.list(kind="wish"), InvalidInput, "invalid kind 'wish': must be one of rule, decision"),
        (lambda: jot.notes.list(state="gone"), InvalidInput, "invalid state 'gone'"),
        (lambda: jot.notes.add("x" * 301), InvalidInput, "the text has 301 characters: a note has at most 300"),
        (lambda: jot.notes.add(" "), InvalidInput, "text"),
        (lambda: jot.notes.add("a", kind="open", everywhere=True), InvalidInput, "only a rule holds in every project"),
        (lambda: jot.notes.judge(f"{id}.9", verdict="old"), NotFound, "there is no note"),
        (lambda: jot.notes.judge(whole[0].id, verdict="bad"), InvalidInput, "invalid verdict 'bad'"),
    ):
        with pytest.raises(error, match=why):
            call()


def test_notes_of_another_tenant_are_out_of_reach(
    jot: Jotsam, say: Callable[..., list[str]], open_jot: Callable[..., Jotsam]
) -> None:
    say("never sell the horses, in all my projects", "Noted.")
    (rule,) = jot.notes.list(kind="rule", project="farm")
    other = open_jot(tenant="neighbour")
    assert other.notes.list(project="farm") == ()
    assert other.brief(project="farm").text == ""
    with pytest.raises(NotFound):
        other.notes.judge(rule.id, verdict="wrong")


def test_a_rule_ends_when_the_user_takes_it_back_and_holds_again_without_that(
    jot: Jotsam, say: Callable[..., list[str]]
) -> None:
    say("never push to main", "Understood.")
    say("we use the printer Zebra here, not Dymo", "Noted.")
    assert [*sorted(listed(jot, "rule"))] == ["never push to main", "we use the printer Zebra here, not Dymo"]
    (taken, _) = say("pushing to main is allowed again", "OK.", session="later")
    say("we use the printer Dymo here, not Zebra", "Noted.", session="later")
    assert listed(jot, "rule") == ["we use the printer Dymo here, not Zebra"]
    jot.forget(jot.plan_forget(ids=[taken]))
    assert "never push to main" in listed(jot, "rule")


def test_recall_puts_first_what_was_demanded_or_decided_and_still_holds(
    jot: Jotsam, say: Callable[..., list[str]]
) -> None:
    say("we deploy on fridays, jonas does it", "I wrote into the runbook how to deploy to staging with `./deploy.sh`.")
    say("the deploy took an hour again", "The deploy waits for the cache of the images.")
    say("from now on we deploy on tuesdays, no longer on fridays", "The runbook says so.")
    always = say("always use pnpm in the frontend, never npm", "Understood.", session="t")[0]
    say("npm audit shows two packages with a warning", "Both packages are only used by the tests.", session="u")

    assert "tuesdays" in jot.recall("when do we deploy?", project="farm").hits[0].text
    found = jot.recall("how do we install axios?", project="farm").hits[0]
    assert (found.id, found.scores["notes"] > 0) == (always, True)
    assert not any("notes" in hit.scores for hit in jot.recall("when do we deploy?", project="mill").hits)
    assert not any("notes" in hit.scores for hit in jot.recall("what is a package in general?", project="farm").hits)

    jot.notes.judge(f"{always}.0", verdict="wrong")
    hits = jot.recall("how do we install axios?", project="farm").hits
    assert [hit.id for hit in hits if "notes" in hit.scores and hit.id == always] == []
