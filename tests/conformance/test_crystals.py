"""Crystals: what several sessions say becomes a memory of its own, with its reason, its sources and an undo."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.core.names import CLUSTER, CRYSTALS
from jotsam.core.selection import Selection
from jotsam.memory.lifecycle import lifecycle
from jotsam.memory.transfer.export_markdown import export_markdown
from jotsam.pipeline.lifecycle import triage
from jotsam.worker.lifecycle import crystals
from lifecycle_tables import memory_rows, plan, run, undo

if TYPE_CHECKING:
    from pathlib import Path

    from jotsam import Jotsam

RULE = "Always run the migration tests before a release."
SAME = "Remember: always run the migration tests before each release."


def say(jot: Jotsam, text: str, session: str, **options: Any) -> str:
    return jot.remember(text, session=session, **{"actor": "user", **options}).id


def agreed(jot: Jotsam, *, project: str | None = "shop") -> list[str]:
    """The same rule, said in three sessions, among what is not lasting."""
    ids = []
    for session in ("a", "b", "c"):
        say(jot, "Ok, thanks a lot!", session, project=project)
        ids.append(say(jot, SAME if session == "b" else RULE, session, project=project))
    jot.work()
    return ids


def of(jot: Jotsam, tag: str = "crystal") -> list[Any]:
    return [*jot.list(tags=[tag]).memories]


def triaged(jot: Jotsam) -> list[str]:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return sorted(row["state"] for row in tx.execute("select state from triage"))


def test_what_three_sessions_say_becomes_a_crystal_with_its_sources(jot: Jotsam) -> None:
    ids = agreed(jot)
    run(jot, CRYSTALS)
    (crystal,) = of(jot)
    assert crystal.text in (RULE.rstrip("."), SAME.rstrip("."))
    assert (crystal.project, crystal.type, crystal.actor) == ("shop", "Preference", "user")
    assert crystal.metadata == {"kind": "preference", "title": crystal.text, "why": "3 sessions say it"}
    assert [one.id for one in of(jot, "crystal:preference")] == [crystal.id]
    links = jot.knowledge.graph(crystal.id).neighbours
    assert sorted((one.id, one.type, one.extractor) for one in links) == [
        (id, "DERIVED_FROM", "crystals/1") for id in sorted(ids)
    ]
    assert crystal.id in {hit.id for hit in jot.recall("which tests before a release").hits}
    assert triaged(jot) == ["none"] * 3 + ["promoted"] * 3


def test_three_messages_of_one_session_are_one_voice_and_so_is_a_pasted_template(jot: Jotsam) -> None:
    for _ in range(3):
        say(jot, RULE, "a")
    template = f"You review code. {RULE} " + "Read the diff, and answer in one paragraph. " * 6
    for session in "def":
        say(jot, template, session)
    jot.work()
    run(jot, CRYSTALS)
    assert of(jot) == []
    assert triaged(jot) == ["candidate"] * 6


def test_two_sessions_are_not_enough_and_the_third_completes_them(jot: Jotsam) -> None:
    say(jot, RULE, "a")
    say(jot, RULE, "b")
    jot.work()
    run(jot, CRYSTALS)
    assert of(jot) == []
    say(jot, RULE, "c")
    jot.work()
    run(jot, CRYSTALS)
    assert len(of(jot)) == 1
    say(jot, SAME, "d")
    jot.work()
    done = run(jot, CRYSTALS)
    assert lifecycle.show(jot.database, done.id, tenant="default").counts == {"triage": 1, "support": 1}
    (crystal,) = jot.crystals.list()
    assert len(crystal.sources) == 4


def test_projects_are_kept_apart(jot: Jotsam) -> None:
    for number, session in enumerate("abc"):
        say(jot, RULE, session, project=f"project {number}")
    jot.work()
    run(jot, CRYSTALS)
    assert of(jot) == []


def test_a_chinese_rule_is_found_too(jot: Jotsam) -> None:
    for session, text in (
        ("a", "发布之前必须先运行迁移测试。"),
        ("b", "记住，发布之前必须先运行迁移测试"),
        ("c", "发布之前必须先运行迁移测试"),
    ):
        say(jot, text, session)
    jot.work()
    run(jot, CRYSTALS)
    assert [one.metadata["kind"] for one in of(jot)] == ["preference"]


def test_a_decision_of_high_confidence_and_importance_needs_no_other_session(jot: Jotsam) -> None:
    sure: dict[str, Any] = {"type": "Decision", "confidence": 0.95, "importance": 0.9}
    jot.remember("PostgreSQL for the billing database.", **sure)
    jot.remember("Redis for the sessions database.", **{**sure, "importance": 0.7})
    jot.work()
    run(jot, CRYSTALS)
    (crystal,) = of(jot)
    assert crystal.text == "PostgreSQL for the billing database."
    assert crystal.metadata["why"] == "a decision of high confidence and importance"


def test_claims_that_contradict_each_other_are_refused_with_the_other_and_never_merged(jot: Jotsam) -> None:
    for session in "abc":
        say(jot, "The staging database port is 5432.", session)
        say(jot, "Never force push to the release branch.", session)
    say(jot, "Always force push to the release branch.", "d")
    jot.work()
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("update memory set superseded_at = null, superseded_how = null, superseded_by = null")
    run(jot, CRYSTALS)
    assert [one.text for one in of(jot)] == ["The staging database port is 5432"]
    (refused,) = jot.crystals.list(state="refused")
    assert refused.reason is not None
    assert refused.reason.startswith("conflict: ")
    assert "Always force push" in refused.reason
    assert run(jot, CRYSTALS).changed == 0, "the same refusal is not written again"


def test_a_path_that_is_gone_is_refused_where_the_folders_exist(jot: Jotsam, tmp_path: Path) -> None:
    here, gone = tmp_path / "here.toml", tmp_path / "gone.toml"
    here.touch()
    more = "then wait for the checks of the server and tell the others."
    for session in "abc":
        say(jot, f"The build settings file is {here} on this host.", session)
        say(jot, f"Always run the linter with {gone} before a commit, {more}", session)
        say(jot, "Always run the formatter with /nowhere/at/all.toml before a push.", session)
    jot.work()
    run(jot, CRYSTALS)
    promoted = " ".join(one.text for one in of(jot))
    assert "/nowhere/at/all.toml" in promoted
    assert ("gone.toml" in promoted) != jot.database.is_file
    assert [one.reason for one in jot.crystals.list(state="refused")] == (
        [f"stale path: {gone} does not exist"] if jot.database.is_file else []
    )


def test_nothing_is_judged_twice_and_nothing_is_left_behind(jot: Jotsam, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crystals, "PART", 4)
    for number in range(10):
        say(jot, f"Note number {number} of many.", "a")
    ids = agreed(jot)
    assert run(jot, CRYSTALS).changed == 16 + 1
    assert len(triaged(jot)) == 16
    assert run(jot, CRYSTALS).changed == 0
    jot.update(ids[0], text="Always run the migration tests before a release")
    jot.work()
    done = run(jot, CRYSTALS)
    assert done.changed == 2, "it is linked to the crystal again"
    jot.update(of(jot)[0].id, text="Run the migration tests.")
    jot.work()
    monkeypatch.setattr(triage, "VERSION", triage.VERSION + 1)
    done = run(jot, CRYSTALS)
    assert lifecycle.show(jot.database, done.id, tenant="default").counts == {"triage": 16, "support": 1}
    assert len(of(jot)) == 1, "what was promoted stays so"


def test_a_dry_run_writes_nothing_and_has_the_same_counts(jot: Jotsam, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crystals, "PART", 4)
    agreed(jot)
    agreed(jot, project=None)
    for session in "abc":
        say(jot, "The staging port is 5432.", session)
        say(jot, "The staging port is not 5432.", session)
    jot.work()
    before = memory_rows(jot)
    planned = plan(jot, CRYSTALS)
    assert memory_rows(jot) == before
    done = run(jot, CRYSTALS)
    shown = lifecycle.show(jot.database, done.id, tenant="default")
    assert planned.counts == shown.counts
    assert planned.counts["crystal"] == 2
    assert planned.examined == done.examined


def test_what_was_taken_back_is_not_made_again_by_later_runs(jot: Jotsam) -> None:
    agreed(jot)
    undo(jot, run(jot, CRYSTALS))
    say(jot, SAME, "d", project="shop")
    jot.work()
    before = memory_rows(jot)
    second = run(jot, CRYSTALS)
    assert of(jot) == []
    assert triaged(jot) == ["candidate"] * 4 + ["none"] * 3
    undo(jot, second)
    assert memory_rows(jot) == before


def test_the_undo_of_one_run_is_exact(jot: Jotsam) -> None:
    agreed(jot)
    for session in "abc":
        say(jot, "Never force push to the release branch.", session)
    say(jot, "Always force push to the release branch.", "d")
    jot.work()
    before = memory_rows(jot)
    done = run(jot, CRYSTALS)
    assert of(jot)
    undone = undo(jot, done)
    assert (undone.reverted > 1, undone.kept) == (True, 0)
    assert memory_rows(jot) == before


@pytest.mark.needs_server
def test_a_crystal_that_was_changed_since_is_kept(jot: Jotsam) -> None:
    agreed(jot)
    done = run(jot, CRYSTALS)
    (crystal,) = of(jot)
    jot.update(crystal.id, importance=0.9)
    assert undo(jot, done).kept > 0
    assert [one.id for one in of(jot)] == [crystal.id]


@pytest.mark.needs_server
def test_a_person_confirms_and_retracts_with_an_undo(jot: Jotsam) -> None:
    one = jot.remember("The heron stands in the northern lake.", project="shop").id
    jot.work()
    made = jot.crystals.confirm(one, kind="fact")
    assert (made.state, made.why, made.sources) == ("promoted", "confirmed by hand", (one,))
    assert [crystal.id for crystal in jot.crystals.list()] == [made.id]
    with pytest.raises(InvalidInput, match="duplicate"):
        jot.crystals.confirm(one)
    assert jot.crystals.retract(made.id).state == "retracted"
    assert jot.crystals.list() == ()
    assert made.id not in {hit.id for hit in jot.recall("heron").hits}
    assert jot.crystals.undo_retract(made.id) == made
    assert made.id in {hit.id for hit in jot.recall("heron").hits}
    with pytest.raises(InvalidInput, match="is not a crystal"):
        jot.crystals.retract(one)
    with pytest.raises(InvalidInput, match="is not retracted"):
        jot.crystals.undo_retract(made.id)


def test_what_was_retracted_is_not_promoted_again(jot: Jotsam) -> None:
    agreed(jot)
    run(jot, CRYSTALS)
    jot.crystals.retract(of(jot)[0].id)
    say(jot, SAME, "d", project="shop")
    jot.work()
    run(jot, CRYSTALS)
    assert [one.state for one in jot.crystals.list(state="retracted")] == ["retracted"]
    assert of(jot) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [("ok thanks", "vague"), ("Herons stand in lakes and wait. " * 60, "too long: 1,919 characters")],
)
def test_what_is_vague_or_too_long_is_no_crystal_even_if_confirmed(jot: Jotsam, text: str, reason: str) -> None:
    one = jot.remember(text).id
    with pytest.raises(InvalidInput, match=reason):
        jot.crystals.confirm(one)


def test_a_crystal_is_forgotten_with_the_text_that_it_quotes_or_with_its_last_source(jot: Jotsam) -> None:
    ids = agreed(jot)
    run(jot, CRYSTALS)
    (crystal,) = of(jot)
    quoted = [one for one in ids if crystal.text in getattr(jot.show(one).memory, "text", "")]
    others = [one for one in ids if one not in quoted]
    for one in others:
        forget(jot, one)
    assert [one.id for one in of(jot)] == [crystal.id]
    forget(jot, quoted[0])
    assert of(jot) == []


def forget(jot: Jotsam, id: str) -> None:
    jot.forget(jot.plan_forget(ids=[id]))


def test_a_crystal_comes_first_in_the_brief_and_its_sources_do_not_repeat_it(jot: Jotsam) -> None:
    agreed(jot)
    jot.remember("We chose tabs for Go.", type="Decision", importance=1.0, confidence=0.5, project="shop")
    run(jot, CRYSTALS)
    lines = [(line.label, line.text) for line in jot.brief(project="shop").lines]
    assert lines == [
        ("rule, said 3 times", "Always run the migration tests before a release."),
        ("decided", "We chose tabs for Go."),
    ]
    assert sum("migration tests" in text for _, text in lines) == 1


def test_the_markdown_export_groups_crystals_before_other_memories(jot: Jotsam) -> None:
    for text, kind in (
        ("The import fails when the file has a BOM.", "learning"),
        ("We decided to use uv for builds.", "decision"),
        ("Never push to the main branch.", "preference"),
        ("The staging database port is 5432.", "fact"),
    ):
        jot.crystals.confirm(jot.remember(text, type="Aside", project="shop").id, kind=kind)
    out = BytesIO()
    export_markdown(jot.database, out, Selection(project="shop"), tenant="default")
    headings = [line for line in out.getvalue().decode().splitlines() if line.startswith("### ")]
    assert headings == ["### Architecture", "### Gotchas", "### Knowledge", "### Rules", "### Aside"]


def test_cluster_merges_neither_a_crystal_nor_what_it_was_made_of_into_it(jot: Jotsam) -> None:
    agreed(jot)
    run(jot, CRYSTALS)
    (crystal,) = of(jot)
    merges = [one for one in plan(jot, CLUSTER).changes if one.kind == "merge"]
    assert merges, "equal sources are merged"
    assert crystal.id not in {id for one in merges for id in one.ids}
    run(jot, CLUSTER)
    assert [one.id for one in of(jot)] == [crystal.id]
    assert all(one.kind != "merge" for one in plan(jot, CLUSTER).changes)


DECISIONS = (
    "We decided to always use uv instead of pip for this project, because it is faster.",
    "We use PostgreSQL 16 in production because it needs row level security.",
    "I prefer small pull requests over large ones.",
    "We decided to leave it like this for now.",
    "We decided to try the other option first.",
)


def test_each_decision_of_three_sessions_is_promoted_or_refused_with_a_reason_and_its_judge(
    jot: Jotsam, monkeypatch: pytest.MonkeyPatch
) -> None:
    for session in "abc":
        for text in DECISIONS:
            say(jot, text, session)
    jot.work()
    run(jot, CRYSTALS)
    found = jot.crystals.list()
    promoted = {one.text for one in found if one.state == "promoted"}
    assert promoted == {text.rstrip(".") for text in DECISIONS[:3]}
    refused = [one for one in found if one.state == "refused"]
    assert sorted(one.text.rstrip(".") for one in refused) == sorted(text.rstrip(".") for text in DECISIONS[3:] * 3)
    assert {one.judged_by for one in refused} == {f"rules {triage.VERSION}"}
    reasons = {one.text.rstrip("."): one.reason for one in refused}
    why = "not lasting: 'decided to leave' holds for the moment"
    assert reasons["We decided to leave it like this for now"].startswith(why)
    assert run(jot, CRYSTALS).changed == 0
    monkeypatch.setattr(triage, "VERSION", triage.VERSION + 1)
    assert run(jot, CRYSTALS).changed > 0
    assert {one.judged_by for one in jot.crystals.list(state="refused")} == {f"rules {triage.VERSION}"}
