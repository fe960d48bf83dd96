"""Crystals where a language model judges: its kinds, its errors, the budget, and what the rules judge without it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jotsam.core.names import CRYSTALS
from jotsam.memory.lifecycle import lifecycle
from jotsam.storage.costs import ledger
from jotsam.worker.lifecycle import triage_model
from lifecycle_tables import memory_rows, plan, run, undo

if TYPE_CHECKING:
    import pytest

    from jotsam import Jotsam
    from jotsam.models.fake_endpoint import FakeEndpoint

# The rules know neither as lasting, and the second as little as a person would.
HELM = ("The manifests come from Helm only.", "Our manifests are made by Helm.", "Helm makes the manifests.")
STATUS = "The manifests of the branch were deployed."
TITLE = "The manifests come from Helm"


def use_model(jot: Jotsam, endpoint: FakeEndpoint, **settings: Any) -> None:
    about = {"llm_url": endpoint.url, "llm_model": "fake-model", "llm_api_key": "sk-1"}
    jot.settings = jot.settings.replace(**{**about, **settings})


def say_all(jot: Jotsam) -> None:
    for session, text in zip("abc", HELM, strict=True):
        for said in (text, STATUS):
            jot.remember(said, session=session, actor="user", project="shop")
    jot.work()


def item(n: int, kind: str = "fact", title: str = TITLE, confidence: float = 0.9) -> dict[str, Any]:
    return {"n": n, "kind": kind, "title": title, "confidence": confidence}


def reply(*items: dict[str, Any]) -> str:
    return "say:" + json.dumps({"notes": items})


def triaged(jot: Jotsam) -> dict[str, tuple[str, str | None, str]]:
    with jot.database.snapshot(tenant="default") as tx:
        rows = tx.execute(
            "select m.body, t.state, t.kind, t.judged_by"
            " from triage t join memory m on m.id = t.memory_id order by m.id"
        )
        return {row["body"]: (row["state"], row["kind"], row["judged_by"]) for row in rows}


def why(jot: Jotsam, run: str) -> str:
    return lifecycle.show(jot.database, run, tenant="default").changes[0].why


def test_the_model_finds_what_the_rules_do_not_and_a_crystal_quotes_a_source(
    jot: Jotsam, fake_endpoint: FakeEndpoint
) -> None:
    say_all(jot)
    use_model(jot, fake_endpoint)
    planned = plan(jot, CRYSTALS)
    assert fake_endpoint.requests == [], "a dry run costs nothing"
    assert "llm:fake-model is not asked in a dry run" in planned.changes[0].why
    before = memory_rows(jot)
    fake_endpoint.script([reply(item(1), item(2, "none"), item(3), item(4))])
    done = run(jot, CRYSTALS)
    (crystal,) = jot.crystals.list(state="promoted")
    assert (crystal.kind, crystal.text in {text.rstrip(".") for text in HELM}) == ("fact", True)
    assert len(crystal.sources) == 3
    assert triaged(jot)[STATUS] == ("none", None, "llm:fake-model")
    assert why(jot, done.id).endswith("; 6 by llm:fake-model")
    assert len(fake_endpoint.requests) == 1, "equal texts are asked about once"
    assert run(jot, CRYSTALS).changed == 0, "nothing is judged twice"
    undo(jot, done)
    after = memory_rows(jot)
    assert {name for name in before if before[name] != after[name]} == {"llm_cache", "model_use", "daily_spend"}
    run(jot, CRYSTALS)
    assert len(fake_endpoint.requests) == 1, "what was answered is not paid again"
    with jot.database.snapshot(tenant="default") as tx:
        assert [row["purpose"] for row in ledger.by_model(tx, first=0, last=10**6)] == ["triage"]


def test_a_kind_that_does_not_last_and_a_low_confidence_promote_nothing(
    jot: Jotsam, fake_endpoint: FakeEndpoint
) -> None:
    say_all(jot)
    use_model(jot, fake_endpoint)
    fake_endpoint.script([reply(item(1, "plan"), item(2, confidence=0.4, title=STATUS), item(3), item(4))])
    run(jot, CRYSTALS)
    assert jot.crystals.list(state="promoted") == ()
    assert [one[:2] for one in triaged(jot).values()] == [
        ("none", "plan"),
        ("candidate", "fact"),
        ("candidate", "fact"),
        ("candidate", "fact"),
    ]


def test_what_the_model_answers_badly_or_not_is_judged_by_rules_and_asked_again(
    jot: Jotsam, fake_endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triage_model, "BATCH", 2)
    say_all(jot)
    use_model(jot, fake_endpoint)
    invented = item(1, title="The manifests come from 3 copies of Kustomize")
    fake_endpoint.script([reply(invented, item(2, "rumour"), item(7)), "say:no JSON"])
    done = run(jot, CRYSTALS)
    assert {one[2] for one in triaged(jot).values()} == {"rules"}
    assert "0 by llm:fake-model, which did not answer about 6: rules judged them" in why(jot, done.id)
    fake_endpoint.script(["refusal", "500"])
    run(jot, CRYSTALS)
    assert len(fake_endpoint.requests) == 4
    fake_endpoint.script([reply(item(1), item(2, "none")), reply(item(1), item(2))])
    run(jot, CRYSTALS)
    assert len(jot.crystals.list(state="promoted")) == 1


def test_at_the_daily_cap_the_rules_judge(jot: Jotsam, fake_endpoint: FakeEndpoint) -> None:
    say_all(jot)
    use_model(jot, fake_endpoint, llm_daily_tokens=2_500)
    with jot.database.transaction(tenant="default") as tx:
        about = {"job_id": 0, "model": "fake-model", "purpose": "extraction"}
        spent = ledger.Spent(tokens_in=2_000, tokens_out=0, cost=0.0)
        entry = ledger.reserve(tx, about, estimate=spent, cap=ledger.Cap(tokens=2_500), until=tx.now)
        assert entry is not None
        ledger.settle(tx, entry, spent=spent)
    done = run(jot, CRYSTALS)
    assert fake_endpoint.requests == []
    assert {one[2] for one in triaged(jot).values()} == {"rules"}
    assert why(jot, done.id).endswith("rules judged them")


def test_forgetting_a_memory_forgets_the_verdict_about_it(jot: Jotsam, fake_endpoint: FakeEndpoint) -> None:
    one = jot.remember(HELM[0], session="a", actor="user").id
    jot.work()
    use_model(jot, fake_endpoint)
    fake_endpoint.script([reply(item(1))])
    run(jot, CRYSTALS)
    assert "Helm" in str(memory_rows(jot)["llm_cache"])
    jot.forget(jot.plan_forget(ids=[one]), trash=False)
    assert memory_rows(jot)["llm_cache"] == []
