"""Time and contradiction: what holds now, what held once, and what has taken the place of what."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.storage.memories import memories

if TYPE_CHECKING:
    from jotsam import Jotsam
    from jotsam.core.answers import Answer

OLD, NEW = "The staging port is 5432.", "The staging port is 6543."
PAGE = "## Port\n\n{}\n\n## Owner\n\nThe owner is Ana.\n"


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


@pytest.fixture
def two(jot: Jotsam) -> tuple[str, str]:
    """An older and a newer memory that say two things of one port."""
    return jot.remember(OLD, said_at="2025-01-12").id, jot.remember(NEW, said_at="2025-04-20").id


def test_of_two_contradicting_memories_the_newer_comes_first_and_the_older_is_marked(jot: Jotsam) -> None:
    """MB-32."""
    new = jot.remember(NEW, said_at="2025-04-20").id
    old = jot.remember(OLD, said_at="2025-01-12").id
    first, second = jot.recall("what is the staging port?").hits
    assert (first.id, first.conflicts) == (new, ())
    assert (second.id, second.conflicts) == (old, (new,))
    marked = f"2025-01-12 | [conflict] may be outdated, see {new[:8]} | {old[:8]}\n{OLD}"
    assert marked in jot.recall("staging port").text


def test_two_people_who_disagree_on_one_day_are_both_marked(jot: Jotsam) -> None:
    one = jot.remember("The gate code is 4711.", said_at="2025-04-20T09:00Z", actor="Ann").id
    other = jot.remember("The gate code is 8090.", said_at="2025-04-20T15:00Z", actor="Bob").id
    assert {hit.id: hit.conflicts for hit in jot.recall("gate code").hits} == {one: (other,), other: (one,)}


def test_a_guess_casts_doubt_but_does_not_go_ahead(jot: Jotsam) -> None:
    sure = jot.remember("The gate code is 4711.", said_at="2025-01-12").id
    guess = jot.remember("I think the gate code is 8090.", said_at="2025-04-20").id
    first, second = jot.recall("what is the gate code?").hits
    assert (first.id, first.conflicts) == (sure, (guess,))
    assert (second.id, second.conflicts) == (guess, (sure,))


def test_what_can_both_hold_is_not_marked(jot: Jotsam) -> None:
    jot.remember("The gate code is 4711.", said_at="2025-01-12", actor="Ann")
    jot.remember("The gate code is 8090.", said_at="2025-02-12", project="elsewhere")
    jot.remember("The gate code used to be 1234.", said_at="2025-03-12")
    jot.remember("The pool temperature is 24 °C.", said_at="2025-01-12")
    jot.remember("The pool temperature is 26 °C.", said_at="2025-01-13")
    jot.remember("I live in Porto.", said_at="2025-01-12", actor="Ann")
    jot.remember("I live in Braga.", said_at="2025-02-12", actor="Bob")
    for question in ("gate code", "pool temperature", "live"):
        assert [hit.conflicts for hit in jot.recall(question).hits if hit.conflicts] == []


def test_a_superseded_memory_is_hidden_without_history(jot: Jotsam, two: tuple[str, str]) -> None:
    old, new = two
    done = jot.supersede(old, new)
    assert (done.kind, done.old, done.new, done.since) == ("memory", old, new, parse_time("2025-04-20", name="day"))
    (hit,) = jot.recall("staging port").hits
    assert (hit.id, hit.replaces, hit.conflicts) == (new, (old,), ())
    assert texts(jot.recall()) == [NEW]
    history = {hit.id: hit for hit in jot.recall("staging port", history=True).hits}
    assert (history[old].superseded_by, history[old].superseded_at) == (new, done.since)
    assert f"superseded 2025-04-20 by {new[:8]}" in jot.recall("staging port", history=True).text


def test_superseding_is_idempotent_and_can_be_undone(jot: Jotsam, two: tuple[str, str]) -> None:
    old, new = two
    assert jot.supersede(old, new) == jot.supersede(old[:8], new[:8])
    assert jot.undo_supersede(old, new).since is None
    assert jot.recall("staging port").coverage.total == 2


def test_an_id_that_cannot_be_superseded_is_refused_with_a_hint(jot: Jotsam, two: tuple[str, str]) -> None:
    old, new = two
    document = jot.add("The port.").id
    third = jot.remember("The staging port is 1.").id
    for pair, message in (
        ((old, old), "are the same memory"),
        ((old, document), "give two of the same kind"),
    ):
        with pytest.raises(InvalidInput, match=message):
            jot.supersede(*pair)
    with pytest.raises(NotFound, match="`jotsam recall` shows ids"):
        jot.supersede("nobody", new)
    with pytest.raises(InvalidInput, match="nothing to undo"):
        jot.undo_supersede(old, new)
    jot.supersede(old, new)
    with pytest.raises(InvalidInput, match=f"superseded already, by {new}: undo that"):
        jot.supersede(old, third)


def test_a_chain_ends_in_the_current_memory_and_never_in_itself(jot: Jotsam, two: tuple[str, str]) -> None:
    """AM-16."""
    old, new = two
    newest = jot.remember("The staging port is 7654.", said_at="2025-05-05").id
    jot.supersede(old, new)
    jot.supersede(new, newest)
    (hit,) = jot.recall("staging port").hits
    assert (hit.id, hit.replaces) == (newest, (new, old))
    assert {hit.id for hit in jot.recall("staging port", history=True).hits} == {old, new, newest}
    with pytest.raises(InvalidInput, match="superseded by"):
        jot.supersede(newest, old)


def test_a_hit_lists_the_nearest_eight_of_a_chain_and_a_cycle_ends(jot: Jotsam) -> None:
    """AM-16: a cycle cannot be made by hand; one that stands in the database is walked once."""
    ids = [jot.remember(f"The staging port is {number}.", said_at=f"2025-01-{number:02}").id for number in range(1, 13)]
    for old, new in itertools.pairwise(ids):
        jot.supersede(old, new)
    (hit,) = jot.recall("staging port").hits
    assert (hit.id, hit.replaces) == (ids[-1], tuple(reversed(ids[3:-1])))
    assert f"replaces {', '.join(id[:8] for id in hit.replaces)}" in jot.recall("staging port").text
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        first, last = (memories.get(tx, uuid=id)["id"] for id in (ids[0], ids[-1]))
        memories.supersede(tx, number=last, by=first, at=0)
    assert jot.recall("staging port").hits == ()
    assert {hit.id for hit in jot.recall("staging port", history=True).hits} == {*ids}


def test_another_tenant_cannot_be_superseded(jot: Jotsam, two: tuple[str, str]) -> None:
    from jotsam import Jotsam

    with Jotsam(settings=jot.settings.replace(tenant="eve")) as eve:
        mine = eve.remember("mine").id
        with pytest.raises(NotFound):
            eve.supersede(two[0], mine)


@pytest.mark.parametrize("drained", [True, False])
def test_a_document_superseded_as_a_whole_is_hidden_with_its_chunks_and_comes_back(jot: Jotsam, drained: bool) -> None:
    old = jot.add(PAGE.format(OLD), source="a.md").id
    new = jot.add(PAGE.format(NEW), source="b.md").id
    if drained:
        jot.work()
    assert jot.supersede(old, new).kind == "document"
    assert OLD not in jot.recall("staging port").text, "neither as a chunk nor as raw text"
    jot.work()
    assert OLD not in jot.recall("staging port").text, "nor once it is cut"
    assert OLD in jot.recall("staging port", history=True).text
    jot.undo_supersede(old, new)
    assert OLD in jot.recall("staging port").text


def test_a_source_added_again_supersedes_section_by_section(jot: Jotsam) -> None:
    """MB-23."""
    jot.add(PAGE.format(OLD), source="page.md", date="2025-01-12")
    jot.add(PAGE.format(NEW), source="page.md", date="2025-04-20")
    jot.work()
    (hit,) = jot.recall("staging port").hits
    assert NEW in hit.text
    assert len(hit.replaces) == 1
    assert OLD in jot.recall("staging port", as_of="2025-02-01").text
    assert NEW not in jot.recall("staging port", as_of="2025-02-01").text
    assert OLD in jot.recall("what was the staging port as of 2025-02-01?").text
    history = {hit.id: hit for hit in jot.recall("staging port", history=True).hits}
    assert history[hit.replaces[0]].superseded_by == hit.id


def test_as_of_returns_what_was_valid_and_known_then(jot: Jotsam, two: tuple[str, str]) -> None:
    old, new = two
    jot.supersede(old, new)
    jot.remember("The staging port was 1.", valid_from="2024-01-01", valid_until="2025-01-01")
    assert texts(jot.recall("staging port", as_of="2024-06-01")) == ["The staging port was 1."]
    assert texts(jot.recall("staging port", as_of="2025-02-01")) == [OLD]
    assert texts(jot.recall("staging port", as_of="2025-05-01")) == [NEW]


def test_expired_and_future_memories_are_hidden_and_show_their_validity(jot: Jotsam) -> None:
    """AM-17."""
    jot.remember("kangaroo past", valid_until="2020-01-01")
    jot.remember("kangaroo to come", valid_from="2100-01-01")
    jot.remember("kangaroo now", valid_from="2020-01-01", valid_until="2100-01-01")
    assert texts(jot.recall("kangaroo")) == ["kangaroo now"]
    assert "| valid from 2020-01-01 | valid until 2100-01-01 |" in jot.recall("kangaroo").text
    assert len(jot.recall("kangaroo", history=True).hits) == 3


def test_a_time_in_the_question_ranks_what_was_said_then_first_and_hides_nothing(jot: Jotsam) -> None:
    for day in ("2025-03-18", "2025-06-03", "2025-06-11", "2025-06-14"):
        jot.remember(f"Ran the backup drill {day}.", said_at=day)
    for question, day in (
        ("which backup drill did we run in March?", "2025-03-18"),
        ("the backup drill of last week", "2025-06-03"),
        ("yesterday's backup drill", "2025-06-14"),
        ("latest backup drill", "2025-06-14"),
    ):
        answer = jot.recall(question)
        assert texts(answer)[0] == f"Ran the backup drill {day}."
        assert answer.coverage.total == 4


@pytest.mark.needs_server
def test_before_an_event_means_before_the_day_it_was_reported(jot: Jotsam) -> None:
    jot.remember("Backups went to the tape library.", said_at="2025-01-10")
    jot.remember("The migration to the new data centre is done.", said_at="2025-03-01")
    jot.remember("Backups go to object storage.", said_at="2025-04-02")
    assert texts(jot.recall("where did backups go before the migration?"))[0] == "Backups went to the tape library."
    assert texts(jot.recall("where do backups go since the migration?"))[0] == "Backups go to object storage."


def test_a_time_as_a_filter_hides_the_rest(jot: Jotsam) -> None:
    """AM-15: last week goes from Monday to Monday; the clock stands on a Sunday."""
    for day in ("2025-06-01", "2025-06-02", "2025-06-08", "2025-06-09"):
        jot.remember(f"drill {day}", said_at=day)
    assert set(texts(jot.recall("drill", when="last week"))) == {"drill 2025-06-02", "drill 2025-06-08"}
    assert set(texts(jot.recall(since="2025-06-08"))) == {"drill 2025-06-08", "drill 2025-06-09"}
    assert texts(jot.recall("drill", until="2025-06-02")) == ["drill 2025-06-01"]
    with pytest.raises(InvalidInput, match="give a time such as 'last week'"):
        jot.recall("drill", when="whenever")


def test_the_last_hours_are_hours_and_not_days(jot: Jotsam) -> None:
    for hour in (4, 11, 13, 15):  # it is six minutes past three
        jot.remember(f"drill at {hour}", said_at=f"2025-06-15T{hour:02}:00:00Z")
    assert set(texts(jot.recall("drill", when="last 3 hours"))) == {"drill at 13", "drill at 15"}
    assert set(texts(jot.recall("which drill in the last 3 hours?"))[:2]) == {"drill at 13", "drill at 15"}
    assert texts(jot.recall("drill", when="the last 10 minutes")) == ["drill at 15"]


def test_of_equal_texts_the_one_that_was_said_last_is_shown(jot: Jotsam) -> None:
    """AM-18: in whatever order they were stored, with or without a question."""
    for month in ("01", "03", "02"):
        jot.remember("We deploy on Fridays.", said_at=f"2025-{month}-05")
        jot.remember("Ana deploys.", said_at=f"2025-{month}-06", session="s", actor="Ana")
    for question in ("when do we deploy?", "deploy", "latest deploy", "Ana", "", "deploy this year"):
        dates = {hit.text: hit.date for hit in jot.recall(question).hits}
        assert set(dates.values()) <= {parse_time("2025-03-05", name="day"), parse_time("2025-03-06", name="day")}
        assert dates, question
    (january,) = jot.recall("We deploy on Fridays", when="January 2025").hits[:1]
    assert january.date == parse_time("2025-01-05", name="day")


MOVED, SPOKE, TRIP = "We moved to Ghent on the fourteenth.", "The move was on March 14, 2025.", "A trip to Rome."


@pytest.fixture
def march(jot: Jotsam) -> Jotsam:
    """One said in March, one that tells of March in May, and others of other times."""
    jot.remember(MOVED, said_at="2025-03-14")
    jot.remember(SPOKE, said_at="2025-05-02")
    jot.remember(TRIP, said_at="2025-05-03")
    jot.remember("Everybody will be busy in 2025.", said_at="2025-01-02")
    jot.remember("In April 2025 the roof was mended.", said_at="2025-06-01")
    jot.work()
    return jot


@pytest.mark.parametrize("question", ["What happened in March?", "what happened in march 2025", "in March 2025"])
def test_a_question_for_a_time_finds_what_was_said_then_and_what_names_that_time(march: Jotsam, question: str) -> None:
    found = texts(march.recall(question))
    assert set(found[:2]) == {MOVED, SPOKE}
    assert TRIP not in found


def test_a_text_with_the_exact_time_ranks_above_one_with_the_year(march: Jotsam) -> None:
    found = march.recall("What happened in March 2025?")
    scores = {hit.text: hit.scores.get("period", 0.0) for hit in found.hits}
    assert scores[SPOKE] == 1.0
    assert 0 < scores["Everybody will be busy in 2025."] < 0.1
    assert scores.get("In April 2025 the roof was mended.", 0.0) == 0.0


def test_a_month_without_a_year_matches_any_year(jot: Jotsam) -> None:
    jot.remember("The barn burnt down.", said_at="2023-10-05")
    jot.remember("On October 7, 2022 the well ran dry.", said_at="2025-05-01")
    jot.work()
    assert len(jot.recall("What happened in October?").hits) == 2


def test_invalid_and_superseded_memories_are_not_found_by_time(march: Jotsam) -> None:
    march.remember("The fair was on March 20, 2025.", said_at="2025-05-01", valid_until="2025-05-05")
    march.remember("The fête was on March 21, 2025.", said_at="2025-05-01", project="elsewhere")
    march.work()
    assert set(texts(march.recall("What happened in March?", project="elsewhere"))) == {
        "The fête was on March 21, 2025."
    }
    assert "The fair was on March 20, 2025." not in texts(march.recall("What happened in March?"))
    with type(march)(settings=march.settings.replace(tenant="eve")) as eve:
        assert eve.recall("What happened in March?").hits == ()


def test_a_time_as_a_filter_keeps_what_was_said_then_or_names_that_time(march: Jotsam) -> None:
    assert set(texts(march.recall(when="March 2025"))) >= {MOVED, SPOKE}
    assert TRIP not in texts(march.recall(when="March 2025"))
    assert set(texts(march.recall(since="2025-03-01", until="2025-04-01"))) >= {MOVED, SPOKE}
    assert SPOKE in texts(march.recall("move", until="2025-04-01"))
    assert set(texts(march.recall("trip roof move", since="2025-05-15"))) == {"In April 2025 the roof was mended."}
