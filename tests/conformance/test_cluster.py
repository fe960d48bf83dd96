"""The step `cluster`: what is merged and what never is, themes and their summaries, and taking all of it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.admin import text_index
from jotsam.core.errors import InvalidInput
from jotsam.core.names import CLUSTER
from jotsam.memory.automem.recall import RecallRequest, search
from jotsam.memory.lifecycle import lifecycle
from jotsam.storage.costs import ledger
from jotsam.storage.lifecycle import themes
from jotsam.worker.lifecycle import cluster_pairs
from jotsam.worker.lifecycle.cluster import Cluster
from jotsam.worker.lifecycle.step import StepContext
from lifecycle_tables import memory_rows, plan, run, undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.lifecycle_records import LifecycleRun, MemoryTheme
    from jotsam.models.fake_endpoint import FakeEndpoint

ROOF = "The roof terrace of the boathouse is closed while the wind is above 40 knots."
KILN = [
    "The kiln in the pottery workshop fires at 1240 degrees for the stoneware glaze.",
    "Stoneware glaze from the pottery workshop needs the kiln at full heat, Nadia says.",
    "Nadia repaired the kiln of the pottery workshop before the stoneware glaze firing.",
    "The pottery workshop orders stoneware glaze for the kiln from a dealer in Delft.",
    "Visitors of the pottery workshop watch how the kiln hardens the stoneware glaze.",
]


def known(jot: Jotsam) -> tuple[MemoryTheme, ...]:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return themes.every(tx)


def texts(jot: Jotsam, question: str) -> list[str]:
    return [hit.text for hit in jot.recall(question, limit=10, tokens=4_000).hits]


def counts(jot: Jotsam, done: LifecycleRun) -> dict[str, int]:
    return dict(lifecycle.show(jot.database, done.id, tenant=jot.settings.tenant).counts)


@pytest.mark.needs_server
def test_what_says_the_same_is_merged_with_all_sources(jot: Jotsam) -> None:
    first = jot.remember(ROOF, source="notes/roof.md", said_at="2025-01-05", tags=["roof"]).id
    again = jot.remember(
        "While the wind is above 40 knots the roof terrace of the boathouse is closed", tags=["winter"]
    ).id
    jot.remember("The crane of the boathouse lifts two tons.")
    jot.work()
    done = run(jot, CLUSTER)
    assert counts(jot, done) == {"merge": 1}
    (hit,) = [hit for hit in jot.recall("When is the roof terrace closed?").hits if "roof" in hit.text]
    assert hit.id == first
    assert [one.id for one in jot.recall("roof terrace", tags=["winter"]).hits] == [first], "tags of both find it"
    with jot.database.snapshot(tenant="default") as tx:
        number = tx.execute(f"select id from memory where uuid = '{first}'")[0]["id"]
        assert [one.uuid for one in themes.merged_into(tx, number)] == [again]
    assert [(link.type, link.target) for link in jot.show(again).links if link.type == "DUPLICATE_OF"] == [
        ("DUPLICATE_OF", first)
    ]


def test_the_more_important_one_stays(jot: Jotsam) -> None:
    jot.remember(ROOF)
    kept = jot.remember(ROOF, importance=0.9).id
    jot.work()
    run(jot, CLUSTER)
    assert [hit.id for hit in jot.recall("roof terrace").hits] == [kept]


@pytest.mark.parametrize(
    ("other", "more"),
    [
        ("The roof terrace of the boathouse is closed while the wind is above 50 knots.", {}),
        ("The roof terrace of the boathouse is not closed while the wind is above 40 knots.", {}),
        ("The roof terrace of the museum is closed while the wind is above 40 knots.", {}),
        ("The roof terrace of the boathouse was closed while the wind is above 40 knots.", {}),
        (ROOF, {"project": "museum"}),
        (ROOF, {"valid_from": "2025-01-01"}),
        (ROOF, {"session": "one", "actor": "bo"}),
    ],
)
def test_what_differs_in_one_thing_is_not_merged(jot: Jotsam, other: str, more: dict[str, str]) -> None:
    jot.remember(ROOF, **{"session": "one", "actor": "al"} if "session" in more else {})
    jot.remember(other, **more)
    jot.work()
    assert "merge" not in counts(jot, run(jot, CLUSTER))


def test_what_contradicts_by_a_link_is_not_merged(jot: Jotsam) -> None:
    one, other = jot.remember(ROOF).id, jot.remember(ROOF).id
    jot.knowledge.link(one, "CONTRADICTS", other)
    jot.work()
    assert counts(jot, run(jot, CLUSTER)) == {}


def test_tenants_share_nothing(open_jot: Callable[..., Jotsam]) -> None:
    ana, eve = open_jot(tenant="ana"), open_jot(tenant="eve")
    for jot in (ana, eve):
        jot.remember(ROOF)
        jot.work()
    before = memory_rows(eve)
    assert counts(ana, run(ana, CLUSTER)) == {}
    assert memory_rows(eve) == before
    with eve.database.snapshot(tenant="eve") as tx:
        assert themes.every(tx) == ()


def test_similar_memories_get_a_theme_and_a_summary_that_names_its_sources(jot: Jotsam) -> None:
    ids = [jot.remember(text, said_at=f"2026-02-0{day}").id for day, text in enumerate(KILN, 1)]
    jot.remember("The crane of the boathouse lifts two tons.")
    jot.work()
    planned = plan(jot, CLUSTER)
    done = run(jot, CLUSTER)
    assert counts(jot, done) == planned.counts == {"theme": 1, "summary": 1}
    (theme,) = known(jot)
    assert (set(theme.members), theme.size) == (set(ids), 5)
    assert set(theme.terms) >= {"kiln", "glaze", "workshop"}
    assert theme.summary is not None
    shown = jot.show(theme.summary)
    assert shown.memory is not None
    assert shown.memory.tags == ("summary",)
    assert {link.target for link in shown.links if link.type == "SUMMARIZES"} == set(ids)
    assert "2026-02-01" in shown.memory.text
    assert run(jot, CLUSTER).changed == 0, "nothing has changed since"


def test_a_summary_comes_after_its_sources_and_changes_nothing_before(jot: Jotsam) -> None:
    for text in KILN:
        jot.remember(text)
    for number in range(6):
        jot.remember(f"Basin {number} of the harbour is dredged for the stoneware freighter.")
    jot.work()
    asked = {q: jot.recall(q, limit=4, tokens=4_000) for q in ("stoneware glaze kiln", "harbour basin", "Nadia")}
    run(jot, CLUSTER)
    for question, before in asked.items():
        after = jot.recall(question, limit=4, tokens=4_000)
        shown = [hit.id for hit in before.hits]
        assert [hit.id for hit in after.hits][: len(shown)] == shown, question
    (theme,) = [one for one in known(jot) if "kiln" in one.terms]
    hits = jot.recall("stoneware glaze kiln", limit=4, tokens=4_000).hits
    assert [hit.id for hit in hits[4:]] == [theme.summary]
    assert theme.summary not in [hit.id for hit in jot.recall("Nadia Delft", limit=1).hits]
    assert [hit.id for hit in jot.recall("", tags=["summary"], limit=9).hits if hit.id == theme.summary]
    if jot.database.is_file:
        with jot.database.snapshot() as tx:
            assert text_index.damage(tx) is None


def test_a_summary_is_shown_as_one_and_not_as_archived(jot: Jotsam) -> None:
    for text in KILN:
        jot.remember(text)
    jot.work()
    run(jot, CLUSTER)
    answer = jot.recall("stoneware glaze kiln", limit=5, tokens=4_000)
    hit = answer.hits[-1]
    assert (hit.summary_of, hit.archived_at) == (5, None)
    assert "summary of 5 memories" in answer.text
    assert "archived" not in answer.text
    assert jot.status().archived == 0
    assert hit.id not in [one.id for one in jot.list(limit=50).memories]
    (listed,) = jot.list(tags=["summary"]).memories
    assert (listed.id, listed.summary_of, listed.archived_at) == (hit.id, 5, None)
    for change in (jot.archive, jot.unarchive):
        with pytest.raises(InvalidInput, match="is a summary"):
            change(hit.id)


def test_a_summary_is_exported_with_its_links_and_stays_apart(jot: Jotsam, tmp_path) -> None:
    for text in KILN:
        jot.remember(text)
    jot.work()
    run(jot, CLUSTER)
    (theme,) = known(jot)
    jot.export(tmp_path / "all.jsonl")
    with Jotsam(str(tmp_path / "other.db"), worker="off") as other:
        other.import_memories(tmp_path / "all.jsonl")
        assert theme.summary is not None
        assert len([link for link in other.show(theme.summary).links if link.type == "SUMMARIZES"]) == 5
        assert theme.summary not in [hit.id for hit in other.recall("stoneware glaze kiln").hits]
        with other.database.snapshot() as tx:
            assert text_index.damage(tx) is None


def test_a_theme_without_a_memory_is_gone(jot: Jotsam) -> None:
    ids = [jot.remember(text).id for text in KILN]
    jot.work()
    jot.lifecycle.run("cluster")
    jot.work()
    assert known(jot)
    jot.forget(jot.plan_forget(ids=ids))
    with jot.database.snapshot(tenant="default") as tx:
        assert tx.execute("select id from theme") == []


def test_an_edited_memory_takes_back_what_was_made_of_its_text(jot: Jotsam) -> None:
    ids = [jot.remember(text).id for text in (*KILN, ROOF, ROOF)]
    jot.work()
    run(jot, CLUSTER)
    assert len(jot.recall("roof terrace").hits) == 1
    jot.update(ids[5], text="The roof terrace of the boathouse is open all year.")
    jot.update(ids[0], text="The kiln is sold.")
    (theme,) = known(jot)
    assert theme.summary is None
    assert {ids[5], ids[6]} <= {hit.id for hit in jot.recall("roof terrace").hits}


def test_a_summary_is_shown_to_nobody_whose_filter_hides_a_source(jot: Jotsam) -> None:
    for number, text in enumerate(KILN):
        jot.remember(text, actor="bo" if number else "al")
    jot.work()
    run(jot, CLUSTER)
    (theme,) = known(jot)
    asked = {"question": "stoneware glaze kiln", "tokens": 4_000}
    assert theme.summary in [hit.id for hit in jot.recall(**asked).hits]
    assert theme.summary not in [hit.id for hit in jot.recall(**asked, actor="bo").hits]
    assert theme.summary not in [hit.id for hit in jot.recall(**asked, as_of="2020-01-01").hits]
    results = search(jot, RecallRequest(query="stoneware glaze kiln", limit=20)).results
    assert theme.summary not in [one.id for one in results], "AutoMem has no such hits"
    assert len(results) == 5


def test_greetings_make_no_theme_and_give_none_its_name(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot(embed_model="hashing")
    for number, start in enumerate(
        ("Hey Mel, good to see you", "Hey Mel, so good to see you", "Hey, good to see you Mel")
    ):
        jot.remember(f"{start}!", session=f"s{number}")
        jot.remember(f"{start}, the heron waits in the shallow lake near Lyon.", session=f"t{number}")
    jot.work()
    run(jot, CLUSTER)
    (theme,) = known(jot)
    assert len(theme.members) == 3
    assert "hey" not in theme.name.split(", ")
    assert {jot.get(id).text.count("heron") for id in theme.members} == {1}


def test_by_vectors_it_does_the_same(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot(embed_model="hashing")
    for text in (
        *KILN,
        ROOF,
        ROOF + "!",
        "The roof terrace of the boathouse is closed while the wind is above 50 knots.",
    ):
        jot.remember(text)
    for number in range(3):
        jot.remember(f"The tug {number} tows barges of gravel from the quarry to the harbour.", project="harbour")
    jot.work()
    before = memory_rows(jot)
    planned = plan(jot, CLUSTER)
    done = run(jot, CLUSTER)
    assert counts(jot, done) == planned.counts
    assert planned.counts["merge"] == 1
    (theme,) = [one for one in known(jot) if one.project == "harbour"]
    assert theme.size == 3
    assert run(jot, CLUSTER).changed == 0
    undo(jot, done)
    assert memory_rows(jot) == before


@pytest.mark.parametrize(
    ("reply", "by"),
    [
        ('say:{"summary": "One kiln at 1240 degrees; the key is AKIAIOSFODNN7EXAMPLE."}', "llm:fake-model"),
        ("say:no JSON", "rules"),
        ("500", "rules"),
    ],
)
def test_a_model_writes_the_summary_if_it_can(jot: Jotsam, fake_endpoint: FakeEndpoint, reply: str, by: str) -> None:
    for text in KILN:
        jot.remember(text)
    jot.work()
    jot.settings = jot.settings.replace(llm_url=fake_endpoint.url, llm_model="fake-model", llm_api_key="sk-1")
    plan(jot, CLUSTER)
    assert fake_endpoint.requests == [], "a dry run costs nothing"
    fake_endpoint.script([reply])
    done = run(jot, CLUSTER)
    (theme,) = known(jot)
    assert theme.summary is not None
    text = str(jot.show(theme.summary).memory)
    assert ("1240 degrees; the key is [redacted" in text) == (by != "rules")
    assert by in [one.why for one in lifecycle.show(jot.database, done.id, tenant="default").changes][-1]
    assert len(fake_endpoint.requests) == 1
    with jot.database.snapshot(tenant="default") as tx:
        assert (sum(row["tokens_in"] for row in ledger.by_model(tx, first=0, last=10**6)) > 0) == (reply != "500")


def test_a_summary_is_not_asked_for_while_a_memory_is_read(jot: Jotsam, fake_endpoint: FakeEndpoint) -> None:
    for text in KILN:
        jot.remember(text)
    jot.work()
    jot.settings = jot.settings.replace(llm_url=fake_endpoint.url, llm_model="fake-model", concurrency=4)
    jot.remember("The billing service uses Redis.")
    fake_endpoint.latency_ms = 300
    run(jot, CLUSTER)
    assert len(fake_endpoint.requests) == 2
    assert fake_endpoint.peak_concurrency == 1


def test_with_the_daily_budget_spent_rules_write_it(jot: Jotsam, fake_endpoint: FakeEndpoint) -> None:
    for text in KILN:
        jot.remember(text)
    jot.work()
    model = {"llm_url": fake_endpoint.url, "llm_model": "fake-model", "llm_api_key": "sk-1", "llm_daily_tokens": 10}
    jot.settings = jot.settings.replace(**model)
    assert counts(jot, run(jot, CLUSTER))["summary"] == 1
    assert fake_endpoint.requests == []


@pytest.mark.needs_server
def test_undo_restores_every_row(jot: Jotsam) -> None:
    for text in (*KILN, ROOF, ROOF, ROOF):
        jot.remember(text, tags=[text[:3]])
    jot.work()
    before = memory_rows(jot)
    done = run(jot, CLUSTER)
    assert counts(jot, done) == {"merge": 2, "theme": 1, "summary": 1}
    assert memory_rows(jot) != before
    undone = undo(jot, done)
    assert (undone.reverted, undone.kept) == (4, 0)
    assert memory_rows(jot) == before
    assert run(jot, CLUSTER).changed == 0, "it is not done again"


@pytest.mark.needs_server
def test_a_theme_that_has_grown_is_updated_and_its_old_state_comes_back(jot: Jotsam) -> None:
    for text in KILN:
        jot.remember(text)
    jot.work()
    run(jot, CLUSTER)
    (before,) = known(jot)
    jot.remember("Stoneware glaze ran in the kiln of the pottery workshop, so Nadia cleans the plates.")
    jot.work()
    rows = memory_rows(jot)
    done = run(jot, CLUSTER)
    (after,) = known(jot)
    assert (after.id, after.size) == (before.id, 6)
    assert after.summary != before.summary
    undo(jot, done)
    assert memory_rows(jot) == rows


def test_a_summary_goes_with_each_of_its_sources_and_is_made_again_without_it(jot: Jotsam) -> None:
    ids = [jot.remember(text).id for text in (*KILN, KILN[0].replace("stoneware", "raku stoneware"))]
    jot.work()
    done = run(jot, CLUSTER)
    (theme,) = known(jot)
    jot.forget(jot.plan_forget(ids=[ids[2]]))
    (left,) = known(jot)
    assert (left.size, left.summary) == (5, None)
    rows = memory_rows(jot)
    assert not any("repaired" in row for row in rows["memory"])
    undone = undo(jot, done)
    assert undone.state == "undone"
    assert theme.summary is not None
    run(jot, CLUSTER)
    assert not any("repaired" in row for row in memory_rows(jot)["memory"])


def test_what_was_merged_comes_back_when_the_one_that_stayed_is_forgotten(jot: Jotsam) -> None:
    first, again = jot.remember(ROOF).id, jot.remember(ROOF, session="later").id
    jot.work()
    run(jot, CLUSTER)
    jot.forget(jot.plan_forget(ids=[first]))
    assert [hit.id for hit in jot.recall("roof terrace").hits] == [again]


def test_what_somebody_has_changed_since_is_left(jot: Jotsam) -> None:
    for text in KILN:
        jot.remember(text)
    jot.work()
    done = run(jot, CLUSTER)
    (theme,) = known(jot)
    assert theme.summary is not None
    jot.update(theme.summary, text="The pottery workshop runs one kiln for all glazes.")
    undone = undo(jot, done)
    assert undone.kept >= 1
    assert jot.show(theme.summary).memory is not None


def test_small_parts_give_the_same(jot: Jotsam, monkeypatch) -> None:
    for text in (*KILN, ROOF, ROOF, *(text.replace("pottery", "glass") for text in KILN)):
        jot.remember(text)
    jot.work()
    whole = plan(jot, CLUSTER)
    monkeypatch.setattr(cluster_pairs, "PART", 3)
    monkeypatch.setattr("jotsam.worker.lifecycle.cluster_merge.PART", 1)
    monkeypatch.setattr("jotsam.worker.lifecycle.cluster_themes.SLICE", 1)
    parts = plan(jot, CLUSTER)
    done = run(jot, CLUSTER)
    assert parts.counts == whole.counts == counts(jot, done)
    assert parts.examined == whole.examined == done.examined == 12


def test_all_pairs_are_read_as_often_for_many_parts_as_for_one(jot: Jotsam, monkeypatch) -> None:
    for text in (*KILN, ROOF, ROOF, *(text.replace("pottery", "glass") for text in KILN)):
        jot.remember(text)
    jot.work()
    pairs: dict[tuple[int, int], float] = {}
    reads = []

    def stored() -> list[tuple[int, int, float]]:
        reads.append(len(pairs))
        return [(*pair, pairs[pair]) for pair in sorted(pairs)]

    monkeypatch.setattr("jotsam.worker.lifecycle.cluster_merge.PART", 1)
    monkeypatch.setattr("jotsam.worker.lifecycle.cluster_themes.SLICE", 1)
    context = StepContext(database=jot.database, tenant="default", run="1", options={}, pairs=stored)
    step, place, phases = Cluster(), None, []
    while not phases or place is not None:
        phases.append((place or "pairs").partition(":")[0])
        part = step.plan(context, place)
        pairs.update(part.pairs)
        place = part.place
    assert phases == ["pairs", "merge", "merge", "themes", "ended"]
    assert len(reads) == 2
