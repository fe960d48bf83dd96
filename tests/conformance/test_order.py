"""What stands first must be right: newer first only where that is fair, and what is over or about to be is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.clock import format_time, parse_time

if TYPE_CHECKING:
    from pathlib import Path

    from jotsam.core.answers import Answer

BILLING = (
    "The billing service needs Python 3.12.",
    "The billing service logo is green.",
    "The billing service runs in Frankfurt.",
    "The billing service has four replicas.",
    "The billing service was written by Ann.",
)
DESK = "Bob works at Acme. His desk is by the window, and he keeps a cactus there that nobody may ever touch."


def tell(jot: Jotsam, text: str, said_at: str = "2025-01-01", **fields: object) -> str:
    id: str = jot.remember(text, said_at=said_at, **fields).id
    jot.work()
    return id


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("which Python does the billing service need?", BILLING[0]),
        ("what colour is the logo of the billing service?", BILLING[1]),
        ("does the billing service run in Frankfurt?", BILLING[2]),
        ("how many replicas has the billing service?", BILLING[3]),
    ],
)
def test_a_newer_text_with_a_common_start_does_not_pass_a_far_better_match(
    jot: Jotsam, question: str, first: str
) -> None:
    for number in range(20):
        jot.remember(f"Note {number} on the garden and its trees.", said_at="2025-01-01")
    for day, text in enumerate(BILLING, start=1):
        jot.remember(text, said_at=f"2025-02-0{day}")
    jot.work()
    assert texts(jot.recall(question, limit=1)) == [first]


def test_the_only_text_with_the_requested_word_comes_first(jot: Jotsam) -> None:
    tell(jot, "Bob works at Acme with a whole crew of gardeners who like tea.", "2025-01-05")
    tell(jot, "Bob works at Globex.", "2025-02-05")
    assert texts(jot.recall("Acme"))[0].startswith("Bob works at Acme")


def test_of_two_near_duplicates_that_match_equally_the_newer_comes_first(jot: Jotsam) -> None:
    tell(jot, "Tom drives a blue Renault.", "2025-03-01")
    tell(jot, "Tom drives a red Volvo.", "2025-01-01")
    assert texts(jot.recall("what does Tom drive?"))[0] == "Tom drives a blue Renault."
    assert texts(jot.recall("is it a Volvo that Tom drives?"))[0] == "Tom drives a red Volvo."


def test_no_hit_passes_a_pinned_one(jot: Jotsam) -> None:
    helm = tell(jot, "Deploys use Helm charts.", "2025-01-01")
    tell(jot, "Deploys use Kustomize.", "2025-02-01")
    answer = jot.recall("what do deploys use?", pinned=[helm], limit=1)
    assert texts(answer) == ["Deploys use Helm charts."]
    assert answer.coverage.unavailable == ()


def test_a_pinned_id_that_cannot_be_shown_is_reported_with_the_reason(jot: Jotsam) -> None:
    helm = tell(jot, "Deploys use Helm charts.", "2025-01-01", project="proj")
    new = tell(jot, "Deploys use Kustomize.", "2025-02-01", project="proj")
    over = tell(jot, "Deploys used make.", "2025-02-01", valid_until="2025-03-01")
    jot.supersede(helm, new)
    hidden = "(superseded or not valid at this time: use history to show it)"
    elsewhere = "(excluded by the filters)"
    for id, where, reason in (
        (helm, {}, hidden),
        (over, {}, hidden),
        (new, {"project": "other"}, elsewhere),
        (new, {"tags": ["none"]}, elsewhere),
    ):
        answer = jot.recall("what do deploys use?", pinned=[id], **where)
        assert answer.coverage.unavailable == (f"pinned {id} {reason}",)
        assert reason in answer.text
    assert jot.recall("deploys", pinned=[helm], history=True).coverage.unavailable == ()


def test_memories_of_different_projects_do_not_contradict_each_other(jot: Jotsam) -> None:
    for text, day, project in (
        ("Deploys use Helm.", "2025-01-01", "proj"),
        ("Deploys use Nomad.", "2025-02-01", "other"),
        ("Deploys use Kamal.", "2025-03-01", None),
    ):
        tell(jot, text, day, project=project)
    answer = jot.recall("what do deploys use?", prefer="proj")
    assert texts(answer)[0] == "Deploys use Helm."
    assert [hit.conflicts for hit in answer.hits] == [(), (), ()]
    newer = tell(jot, "Deploys use Flux.", "2025-04-01", project="proj")
    first, *others = jot.recall("what do deploys use?", prefer="proj").hits
    assert (first.id, first.conflicts) == (newer, ())
    assert sum(bool(hit.conflicts) for hit in others) == 1


@pytest.mark.parametrize("question", ["tell me about Bob", "Acme", "who has a cactus at Acme?", "where does Bob work?"])
def test_superseded_facts_of_a_shown_memory_are_always_marked(jot: Jotsam, question: str) -> None:
    tell(jot, DESK, "2025-01-01")
    new = tell(jot, "Bob works at Globex.", "2025-02-01")
    mark = f"\n= Bob works_at Acme (0.8, superseded 2025-02-01 by {new[:8]})\n"
    assert jot.recall(question).text.count(mark) == 1
    then = jot.recall("Acme cactus", as_of="2025-01-15")
    assert texts(then) == [DESK]
    assert "superseded" not in then.text, "it held then"
    (old,) = [hit for hit in jot.recall(question).hits if hit.text == DESK]
    assert [fact.superseded_by for fact in old.facts] == [new]


def test_functional_facts_of_equal_dates_are_a_conflict(jot: Jotsam) -> None:
    acme, globex = tell(jot, "Bob works at Acme."), tell(jot, "Bob works at Globex.")
    tell(jot, "Bob works at Initech.", project="elsewhere")
    tell(jot, "Bob uses Flask."), tell(jot, "Bob uses Django.")
    conflicts = {hit.id: hit.conflicts for hit in jot.recall("Bob").hits if hit.conflicts}
    assert {id: found for id, found in conflicts.items() if id in (acme, globex)} == {acme: (globex,), globex: (acme,)}
    assert not any("Initech" in hit.text and hit.conflicts for hit in jot.recall("Bob").hits)
    assert f"[conflict] may be outdated, see {acme[:8]}" in jot.recall("where does Bob work?").text


def test_a_later_move_ends_a_residence_but_not_the_earlier_move(jot: Jotsam) -> None:
    tell(jot, "Ana lives in Rome.", "2025-01-01")
    bonn = tell(jot, "Ana moved to Bonn.", "2025-02-01")
    kiel = tell(jot, "Ana moved to Kiel.", "2025-03-01")
    answer = jot.recall("where does Ana live?")
    assert texts(answer) == ["Ana moved to Kiel.", "Ana moved to Bonn."]
    assert f"= Ana moved_to Bonn (0.8, superseded 2025-03-01 by {kiel[:8]})" in answer.text
    assert jot.show(bonn).memory.superseded_at is None
    assert [fact.object for fact in jot.knowledge.facts(subject="Ana")] == ["Kiel"]
    tell(jot, "Ana lives in Oslo.", "2025-04-01")
    assert [fact.object for fact in jot.knowledge.facts(subject="Ana")] == ["Oslo"]


LAGS = {"2025-01-10": "Replication lag was 3 s.", "2025-04-20": "Replication lag was 9 s."}
AFTERWARDS = "Replication lag was 1 s."


@pytest.mark.parametrize(
    ("question", "before"),
    [
        ("replication lag before the migration?", True),
        ("replication lag before migration?", True),
        ("replication lag before we migrated?", True),
        ("replication lag since the migration?", False),
        ("replication lag after we migrated", False),
    ],
)
def test_the_time_of_an_event_is_the_one_named_and_not_when_it_was_said(
    jot: Jotsam, question: str, before: bool
) -> None:
    for day, text in (*LAGS.items(), ("2025-05-20", AFTERWARDS)):
        tell(jot, text, day)
    tell(jot, "The migration will happen on 2025-05-01.", "2025-02-01")
    scores = {hit.text: hit.scores.get("period", 0.0) for hit in jot.recall(question).hits}
    assert {text: scores[text] for text in (*LAGS.values(), AFTERWARDS)} == {
        **dict.fromkeys(LAGS.values(), float(before)),
        AFTERWARDS: float(not before),
    }


def test_an_uncertain_event_without_a_named_time_changes_no_order(jot: Jotsam) -> None:
    tell(jot, "Deploying takes ten minutes.", "2025-03-01")
    tell(jot, "Run the tests and the linter.", "2025-01-01")
    answer = jot.recall("which tests must run before deploying?")
    assert not any("period" in hit.scores for hit in answer.hits)


PAGE = "# Port\n\nThe port is {}.\n\n# {}\n\n{} things stand here.\n"
NEW, OLD = PAGE.format(6543, "New", "New"), PAGE.format(5432, "Old", "Old")


@pytest.mark.parametrize("arrives_last", ["older", "newer"])
@pytest.mark.parametrize("drained", [True, False])
def test_of_one_source_the_later_date_is_current_in_any_order_of_arrival(
    jot: Jotsam, arrives_last: str, drained: bool
) -> None:
    both = [(NEW, "2025-02-01"), (OLD, "2024-01-01")]
    for text, date in both if arrives_last == "older" else both[::-1]:
        jot.add(text, source="a.md", date=date)
        if drained:
            jot.work()
    jot.work()
    now = jot.recall("port things").text
    assert "6543" in now
    assert "5432" not in now
    assert "Old things" not in now, "a section that the newer lacks is gone with it"
    history = {
        hit.section: hit for hit in jot.recall("port things", history=True).hits if "2024" in format_time(hit.date)
    }
    assert {format_time(hit.superseded_at)[:10] for hit in history.values()} == {"2025-02-01"}
    assert (history["Old"].superseded_by, history["Port"].superseded_by is None) == (None, False)
    then = jot.recall("port things", as_of="2024-06-01").text
    assert "5432" in then
    assert "Old things" in then


def test_a_late_text_is_inserted_between_its_neighbours(jot: Jotsam) -> None:
    for year, port in ((2022, 1111), (2024, 3333), (2023, 2222)):
        jot.add(f"# Port\n\nThe port is {port}.\n", source="a.md", date=f"{year}-01-01")
        jot.work()
    for asked, port in (("2022-06-01", "1111"), ("2023-06-01", "2222"), ("2024-06-01", "3333")):
        (hit,) = jot.recall("port", as_of=asked).hits
        assert port in hit.text
    (hit,) = jot.recall("port").hits
    assert len(hit.replaces) == 2


@pytest.mark.parametrize("first_date", [None, "2025-02-01"])
def test_without_two_dates_the_text_that_arrives_last_is_current(jot: Jotsam, first_date: str | None) -> None:
    jot.add("# Port\n\nThe port is 5432.\n", source="a.md", date=first_date)
    jot.work()
    jot.add("# Port\n\nThe port is 6543.\n", source="a.md", date=None if first_date else "2024-01-01")
    jot.work()
    (hit,) = jot.recall("port").hits
    assert "6543" in hit.text
    for one in jot.recall("port", history=True).hits:
        assert one.superseded_at is None or one.superseded_at >= one.date


def test_the_current_text_of_a_file_is_current_whatever_its_date(jot: Jotsam, tmp_path: Path) -> None:
    """A file that was brought back from a copy is older than what it replaces, and yet what it says now."""
    import os

    from jotsam.ingest import capture

    path = tmp_path / "notes.md"
    for port, day in ((5432, "2025-02-01"), (6543, "2024-01-01")):
        path.write_text(f"# Port\n\nThe port is {port}.\n")
        seconds = parse_time(day, name="day") / 1000
        os.utime(path, (seconds, seconds))
        assert [outcome.error for outcome in capture.add(jot.settings.replace(worker="off"), [str(path)])] == [None]
        jot.work()
    (hit,) = jot.recall("port").hits
    assert "6543" in hit.text
    assert all(
        one.superseded_at is None or one.superseded_at >= one.date for one in jot.recall("port", history=True).hits
    )


def test_a_text_that_a_pending_text_will_replace_is_marked(jot: Jotsam) -> None:
    jot.add("# Port\n\nThe port is 5432.\n", source="a.md", date="2025-01-01")
    jot.add("# Port\n\nThe port of b is 1.\n", source="b.md", date="2025-01-01")
    jot.work()
    new = jot.add("# Port\n\nThe port is 6543.\n\n# More\n\nMuch more stands here.\n", source="a.md", date="2025-02-01")
    answer = jot.recall("what is the port?")
    marked = {hit.text.split()[-1]: hit.newer_text for hit in answer.hits if hit.kind == "memory"}
    assert marked == {"5432.": new.id, "1.": None}
    assert answer.text.count(f"| a newer text of this source is pending: {new.id[:8]} |") == 1
    assert all(hit.newer_text is None for hit in answer.hits if hit.kind == "document")
    jot.work()
    assert "newer text" not in jot.recall("what is the port?").text


def test_a_pending_text_older_than_the_current_one_is_marked_itself(jot: Jotsam) -> None:
    new = jot.add("# Port\n\nThe port is 6543.\n", source="a.md", date="2025-02-01")
    jot.work()
    jot.add("# Port\n\nThe port was 5432 then.\n", source="a.md", date="2025-01-01")
    marked = {hit.kind: hit.newer_text for hit in jot.recall("what is the port?").hits}
    assert marked == {"memory": None, "document": new.id}
    assert f"| a newer text of this source: {new.id[:8]} |" in jot.recall("what is the port?").text
